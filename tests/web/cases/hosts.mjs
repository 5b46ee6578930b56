// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from '../../../tools/serve.mjs';
import { equal, ok } from '../check.mjs';
import { frame, host, untilIn, visit, wheel } from '../hosts.mjs';

const built = fileURLToPath(new URL('../../../build/web', import.meta.url));
const tall = '<div style="height:2000px">text of the page</div>';

const example = JSON.parse(readFileSync(new URL('../../../web/src/state/example.json', import.meta.url), 'utf8'));
const computed = `(() => {
  const store = document.querySelector('attention-playground')?.store;
  return store?.sessions.result
    && !store.sessions.busy ? JSON.stringify(store.sessions.result.all('outputs').find((t) =>
    t.role === 'weights').shape) : '';
})()`;
const words = (list) => `document.querySelector('attention-playground').store.documents.set('/inputs/source/tokens', ${
  JSON.stringify(list)}) || true`;

const within = (run) => async (page, origin) => {
  const sites = [];
  try {
    await run(page, origin, async (files) => {
      const site = await host(files);
      sites.push(site);
      return site;
    });
  } finally {
    for (const site of sites) site.close();
  }
};

export const hosts = [
  {
    name: 'in a sandboxed frame of another site it computes',
    run: within(async (page, origin, open) => {
      const site = await open({ '/':
        `<!doctype html><title>host</title><iframe sandbox="allow-scripts" width="760" height="560" src="${
        origin}/embed.html#&theme=dark&hide=steps&lock=controls"></iframe>` });
      await visit(page, site);
      const inside = await frame(page, 'embed.html');
      const { source, target } = example.document.inputs;
      equal(await untilIn(inside, computed), `[${target.tokens.length},${source.tokens.length}]`, 'the example');
      // Its weights are fetched from the page's own place.
      await inside.evaluate(words(['love', 'you']));
      await untilIn(inside, `${computed}.endsWith(',2]')`);
      const about = JSON.parse(await inside.evaluate(`(() => {
        const inner = document.querySelector('attention-playground').shadowRoot.querySelector('ap-compact').shadowRoot;
        return JSON.stringify({ origin: self.origin, steps: !!inner.querySelector('ap-steps'),
          inert: inner.querySelector('.controls').inert,
          dark: getComputedStyle(document.querySelector('attention-playground')).getPropertyValue('--background'),
          over: document.documentElement.scrollWidth > innerWidth }); })()`));
      equal(about, { origin: 'null', steps: false, inert: true, dark: '#15171a', over: false }, 'the frame');
    }),
  },
  {
    name: 'four on a page of another site start when scrolled to, and leave wheel and keys to it',
    run: within(async (page, origin, open) => {
      const one = '<attention-playground compact></attention-playground>';
      const site = await open({ '/':
        `<!doctype html><title>host</title><script type="module" src="${
        origin}/package/element.js"></script><p>top</p>${[one, one, one, one].join(tall)}${tall}` });
      await visit(page, site);
      const started = `JSON.stringify([...document.querySelectorAll('attention-playground')].map((e) => `
        + `!!e.shadowRoot?.querySelector('ap-compact')))`;
      await untilIn(page.driver, `${started} === '[true,false,false,false]'`);
      await untilIn(page.driver, computed);
      // Over the element the wheel moves the page, and so do keys.
      await page.driver.mouse.move(200, 300);
      await wheel(page, 200);
      ok((await page.driver.evaluate('scrollY')) > 100, 'the wheel is the page’s');
      await page.driver.evaluate(`addEventListener('keydown', (e) => { globalThis.taken = e.defaultPrevented; }); 0`);
      for (const key of ['PageDown', ' ', 'z', 'ArrowDown']) {
        await page.driver.keyboard.press(key);
        equal(await page.driver.evaluate('globalThis.taken'), false, `the key ${key}`);
      }
      for (let k = 1; k < 4; k++) {
        // Again at each look: the page may still be gliding from the keys before.
        await untilIn(page.driver, `(() => { const e = document.querySelectorAll('attention-playground')[${
          k}]; e.scrollIntoView(); return !!e.shadowRoot.querySelector('ap-compact') && !!e.store.sessions.result && `
          + `!e.store.sessions.busy; })()`);
      }
      const wide = (k) => `document.querySelectorAll('attention-playground')[${
        k}].store.sessions.result.all('outputs').find((t) => t.role === 'weights').shape[1]`;
      const before = await page.driver.evaluate(wide(2));
      ok(before > 2, `${before} words at first`);
      await page.driver.evaluate(
        `document.querySelectorAll('attention-playground')[3].store.documents.set('/inputs/source/tokens', ['love', `
        + `'you']), 0`);
      await untilIn(page.driver, `${wide(3)} === 2`);
      equal(await page.driver.evaluate(wide(2)), before, 'the others stay');
    }),
  },
  {
    name: 'a document by src, a link as document, and one that cannot be had',
    run: within(async (page, origin, open) => {
      const small = { schema: 'attention-playground/1',
        inputs: { x: { tokens: ['a', 'b', 'c'], features: { type: 'embedding', dim: 4 } } },
        mechanism: { query: 'self-attention' } };
      const link = (await import('node:zlib')).deflateRawSync(JSON.stringify(small)).toString('base64url');
      const site = await open({
        '/': `<!doctype html><title>host</title><script type="module" src="${origin}/package/element.js"></script>
          <attention-playground compact src="small.json"></attention-playground>
          <attention-playground compact document="1.${link}"></attention-playground>
          <attention-playground compact src="no.json"></attention-playground>`,
        '/small.json': JSON.stringify(small),
      });
      await visit(page, site);
      await untilIn(page.driver, `(() => { const all = [...document.querySelectorAll('attention-playground')]; return `
        + `all.every((e) => e.store?.sessions.result && !e.store.sessions.busy) && `
        + `all[1].store.sessions.result.find('weights').shape.at(-1) === 3 && `
        + `all[0].store.sessions.result.find('weights').shape.at(-1) === 3; })()`);
      await untilIn(page.driver,
        `document.querySelectorAll('attention-playground')[2].shadowRoot.textContent.includes('no.json')`);
    }),
  },
  {
    name: 'the tag shows its link until the element is there, and after its script could not load',
    run: within(async (page, origin, open) => {
      const tag = '<attention-playground compact><a href="https://a.example/">Open it</a></attention-playground>';
      const shown = `document.querySelector('attention-playground > a').getClientRects().length > 0`;
      await visit(page, await open({ '/': `<!doctype html><title>host</title>${tag}` }));
      ok(await page.driver.evaluate(shown), 'without a script');
      await visit(page, await open({ '/': `<!doctype html><title>host</title><script type="module" src="${
        origin}/package/element.js"></script>${tag}` }));
      await untilIn(page.driver, computed);
      equal(await page.driver.evaluate(shown), false, 'once it is there');
    }),
  },
  {
    name: 'a notebook shows it as an anywidget, both ways',
    run: within(async (page, origin, open) => {
      const site = await open({ '/': `<!doctype html><title>notebook</title><div id="out"></div><script type="module">
        import widget from '${origin}/package/anywidget.mjs';
        const traits = { document: '', hide: 'steps', theme: 'dark' };
        const heard = {};
        globalThis.model = { get: (n) => traits[n], set: (n, v) => { traits[n] = v; heard['change:' + n]?.(); },
          save_changes: () => { globalThis.saved = traits.document; }, on: (e, f) => { heard[e] = f; },
          off: (e) => { delete heard[e]; }, heard };
        globalThis.done = widget.render({ model, el: document.getElementById('out') });</script>` });
      await visit(page, site);
      await untilIn(page.driver, computed);
      await page.driver.evaluate(words(['love', 'you']));
      const saved = JSON.parse(await untilIn(page.driver, 'globalThis.saved'));
      equal(saved.inputs.source.tokens, ['love', 'you'], 'the notebook hears');
      saved.inputs.source.tokens = ['I', 'see', 'them', 'not'];
      await page.driver.evaluate(`model.set('document', ${JSON.stringify(JSON.stringify(saved))}), 0`);
      // How many words the model writes to them is its own affair.
      await untilIn(page.driver, `${computed}.endsWith(',4]')`);
      await page.driver.evaluate('done(), 0');
      equal(await page.driver.evaluate(
        `JSON.stringify([document.querySelectorAll('attention-playground').length, Object.keys(model.heard).length])`),
        '[0,0]', 'taken out');
    }),
  },
  {
    name: 'the embed dialog gives code that works on another site',
    run: within(async (page, origin, open) => {
      await page.run(`document.querySelector('attention-playground').store.documents.set('/inputs/x/tokens', ['one', `
        + `'two', 'three'])`);
      await page.settled();
      await page.dialog('embed');
      await page.until(`return !!find(['ap-embed', 'textarea'])`);
      equal(await page.axe(), [], 'the dialog');
      const code = async (way) => {
        await page.click('ap-embed', `[data-way="${way}"]`);
        return page.run(`return find(['ap-embed', 'textarea']).value`);
      };
      const [framed, element, myst, jupyter] =
        [await code('frame'), await code('element'), await code('myst'), await code('jupyter')];
      ok(JSON.parse(myst.split('\n').slice(1, -1).join('\n')).document.startsWith('1.'), myst);
      ok(jupyter.includes(`_esm = "${origin}/package/anywidget.mjs"`), jupyter);
      const site = await open({ '/frame': `<!doctype html><title>f</title>${framed}`,
        '/element': `<!doctype html><title>e</title>${element}` });
      await visit(page, site, '/frame');
      equal(await untilIn(await frame(page, 'embed.html'), computed), '[4,3,3]', 'framed');
      await visit(page, site, '/element');
      equal(await untilIn(page.driver, computed), '[4,3,3]', 'as an element');
    }),
  },
  {
    name: 'where WebAssembly is refused, a word and the picture',
    async run(page) {
      const server = await serve(built, 0, '127.0.0.1', "default-src 'self'; script-src 'self'");
      try {
        const site = { origin: `http://127.0.0.1:${server.address().port}` };
        await visit(page, site);
        // The engine is asked at the first move.
        await page.driver.mouse.move(300, 300);
        await page.until(`return find(['[role="alert"]'])?.textContent.includes('WebAssembly')`);
        ok((await page.table('decoder.weights')).length === 6, 'the picture’s numbers');
        equal(await page.axe(), [], 'the refused page');
        const { deflateRawSync } = await import('node:zlib');
        const other = { schema: 'attention-playground/1',
          inputs: { x: { tokens: ['a'], features: { type: 'embedding', dim: 4 } } },
          mechanism: { query: 'self-attention' } };
        await page.driver.goto('about:blank');
        await visit(page, site, `/#1.${deflateRawSync(JSON.stringify(other)).toString('base64url')}`);
        await page.until(`return find(['[role="alert"]'])?.textContent.includes('WebAssembly') && `
          + `find(['ap-matrix[data-tensor="decoder.weights"]']) !== undefined`);
      } finally {
        server.close();
        // What the browser itself says of the refused module.
        page.errors = page.errors.filter((text) =>
          !/WebAssembly|wasm|CompileError|ArrayBuffer instantiation/i.test(text));
        await page.driver.goto('about:blank');
        await page.run('globalThis.policyBroken = []');
      }
    },
  },
  {
    name: 'after the first visit it opens without a network',
    async run(page) {
      const server = await serve(built);
      const site = { origin: `http://127.0.0.1:${server.address().port}` };
      await visit(page, site);
      await page.until(`const r = await navigator.serviceWorker.getRegistration(); return !!r?.active && `
        + `!!navigator.serviceWorker.controller`);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await page.driver.goto(`${site.origin}/`);
      await page.settled();
      await page.run(`document.querySelector('attention-playground').store.documents.set('/inputs/source/tokens', `
        + `['love', 'you'])`);
      await page.until(
        `return document.querySelector('attention-playground').store.sessions.result.all('outputs').find((t) => t.role `
        + `=== 'weights').shape.at(-1) === 2`);
      await page.until(`return find(['ap-math', '.katex']) !== undefined`);
      await page.run(`document.querySelector('attention-playground').dialog('learn')`);
      await page.until(`return find(['ap-lesson-list', 'button']) !== undefined`);
    },
  },
];
