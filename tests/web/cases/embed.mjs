// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { equal, ok } from '../check.mjs';

const source = fileURLToPath(new URL('../../../web/src', import.meta.url));

// A small one beside the page's own, as a teaching page would have it.
const embed = `
  const own = document.querySelector('attention-playground');
  const made = document.createElement('attention-playground');
  const document_ = structuredClone(own.store.documents.document);
  document_.inputs.x.tokens = ['one', 'two'];
  made.setAttribute('document', JSON.stringify(document_));
  made.setAttribute('hide', 'header controls steps');
  made.setAttribute('lock', 'inputs');
  made.setAttribute('height', '420');
  made.setAttribute('theme', 'dark');
  made.id = 'embedded';
  document.body.append(made);`;

const computed = `
  const made = document.getElementById('embedded');
  return made.store.sessions.result
    && !made.store.sessions.busy ? made.store.sessions.result.find('weights').shape : null;`;

export const embeds = [
  {
    name: 'the element can be embedded, taken out and put back',
    async run(page) {
      const address = await page.run('return location.hash');
      await page.run(embed);
      equal(await page.until(computed), [4, 2, 2], 'weights of two words');
      const about = await page.run(`
        const made = document.getElementById('embedded');
        const inside = made.shadowRoot;
        return { height: made.offsetHeight, header: !!inside.querySelector('ap-header'),
          panel: !!inside.querySelector('ap-panel'),
          steps: !!inside.querySelector('ap-steps'), inert: inside.querySelector('ap-inputs').inert,
            dark: getComputedStyle(made).getPropertyValue('--background') };`);
      equal(about, { height: 420, header: false, panel: false, steps: false, inert: true, dark: '#15171a' },
        'attributes');
      await page.run(`const made = document.getElementById('embedded'); made.remove(); document.body.prepend(made); `
        + `made.store.documents.set('/inputs/x/tokens', ['one', 'two', 'three']);`);
      await page.until(`const made = document.getElementById('embedded'); return `
        + `made.store.sessions.result?.find('weights').shape.at(-1) === 3;`);
      equal(await page.run('return location.hash'), address, 'the address of the page is its own');
      ok(await page.run(`return document.querySelectorAll('attention-playground').length === 2`), 'both are there');
    },
  },
  {
    name: 'the code of the page names no mechanism',
    async run(page) {
      const { mechanisms } = await page.catalogue();
      // Words of the catalogue's data that are the id of a mechanism too: "linear" of a slider, "uniform" of a draw.
      const words = new Set(mechanisms.flatMap((m) =>
        [...m.knobs.map((k) => k.scale), ...m.parameters.map((p) => p.distribution)]));
      const ids = mechanisms.map((m) => m.id).filter((id) => !words.has(id));
      ok(ids.length > 20, 'the catalogue is there');
      // The library is not the page: there `attention` is the name of a call.
      const files = readdirSync(source, { recursive: true })
        .filter((file) => file.endsWith('.ts') && !file.startsWith('library/'));
      // What a module without a type is, says the contract: whoever reads a link has to know it.
      const allowed = ['state/parse.ts: attention'];
      ok(files.length > 30, 'the code is there');
      const named = files.flatMap((file) => {
        const text = readFileSync(join(source, file), 'utf8');
        return ids.filter((id) => new RegExp(`['"\`]${id}['"\`]`).test(text)).map((id) => `${file}: ${id}`);
      });
      equal(named.filter((one) => !allowed.includes(one)), [], 'named');
    },
  },
  {
    name: 'embed: the code has the height that its content needs, and the preview shows all of it',
    async run(page) {
      await page.dialog('embed');
      const fits = await page.until(`return find(['ap-embed', '[data-part="fits"]'])?.textContent`);
      ok(fits, 'says what fits');
      await page.click('ap-embed', '[data-part="preview"]');
      // The height is known once the pictures are drawn.
      await page.until(`const frame = find(['ap-embed', 'iframe']);
        const { height } = frame.contentDocument.querySelector('attention-playground').getBoundingClientRect();
        return height > 400 && height <= frame.clientHeight && frame.getBoundingClientRect().top < innerHeight
          && find(['ap-embed', 'textarea']).value
            .includes('height="' + find(['ap-embed', '[data-part="height"]']).value + '"')
          && Number(find(['ap-embed', '[data-part="height"]']).value) === frame.clientHeight;`);
      await page.fill('400', 'ap-embed', '[data-part="height"]');
      ok((await page.run(`return find(['ap-embed', 'textarea']).value`)).includes('height="400"'), 'as it was typed');
      await page.frames(20);
      equal(await page.run(`return find(['ap-embed', '[data-part="height"]']).value`), '400', 'and it stays');
    },
  },
  {
    name: 'embed: in a column as wide as was said the code leaves no room below',
    async run(page, origin) {
      await page.dialog('embed');
      for (const column of [640, 440]) {
        await page.fill(String(column), 'ap-embed', '[data-part="column"]');
        // Nothing is told any more once the frame has drawn itself.
        await page.until(`const embed = find(['ap-embed']);
          const inside = find(['ap-embed', 'iframe']).contentDocument?.querySelector('attention-playground');
          const { height = 0 } = inside?.getBoundingClientRect() ?? {};
          if (inside?.store.sessions.busy !== false || inside.resting === false || height < 300) return false;
          await new Promise((resolve) => setTimeout(resolve, 1000));
          return inside.getBoundingClientRect().height === height && embed.fits >= height
            && embed.fits - height < 20 && embed.height === embed.fits;`);
        const code = await page.run(`return find(['ap-embed', 'textarea']).value`);
        const [, address, height] = /src="([^"]+)".* height="(\d+)"/.exec(code);
        const content = await page.run(`
          const frame = document.createElement('iframe');
          Object.assign(frame.style, { position: 'fixed', top: '0', left: '0', border: '0', width: values[0] + 'px',
            height: values[1] + 'px' });
          frame.src = values[2].replaceAll('&amp;', '&');
          // In the dialog, which is above all else: only a frame in view draws itself.
          find(['ap-embed']).shadowRoot.append(frame);
          const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
          const inside = () => frame.contentDocument?.querySelector('attention-playground');
          const height = () => inside()?.getBoundingClientRect().height ?? 0;
          const drawn = () => inside()?.store?.sessions.busy === false && inside().resting !== false;
          for (let k = 0, last = -1; k < 100 && (!drawn() || height() < 300 || height() !== last); k++) {
            last = height();
            await rest(1000);
          }
          const found = height();
          frame.remove();
          return found;`, column, Number(height), address.replace(/^https?:\/\/[^/]+/, origin));
        const room = Number(height) - content;
        ok(room >= 0 && room < 60, `a column of ${column}: ${height} for ${content}`);
      }
    },
  },
  {
    name: 'embed: where its stages do not fit, they fade at the end that is cut',
    async run(page, origin) {
      await page.leave();
      await page.go(`${origin}/embed.html`);
      await page.until(`return !!find(['ap-compact', 'ap-steps[tabs]'])`);
      await page.run(`document.querySelector('attention-playground').style.width = '260px'`);
      const cut = await page.until(`return find(['ap-compact', 'ap-steps']).getAttribute('cut')`);
      ok(/left|right/.test(cut), cut);
      await page.run(`document.querySelector('attention-playground').style.width = '1200px'`);
      await page.until(`return !find(['ap-compact', 'ap-steps']).hasAttribute('cut')`);
    },
  },
];
