// SPDX-License-Identifier: Apache-2.0
// What strangers stumbled over on the page, step by step.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
// The first map's cell in the third row and column, locked.
const holdWeight = (page) => page.run(`${store}.selection.hold({ group: 'outputs', index: [2, 2],
  tensor: ${store}.sessions.result.all('outputs').find(({ role }) => role === 'weights').name })`);
const said = (page, ...chain) => page.until(`return find(values)?.textContent.replace(/\\s+/g, ' ')`, ...chain);
const decoderAt = (page) =>
  page.run(`return ${store}.documents.document.model.findIndex(({ name }) => name === 'decoder')`);

export const strangers = [
  {
    name: 'stranger: positions that do not fit the first model lead to a system that has them',
    first: true,
    async run(page) {
      await page.run(`await ${store}.learn()`);
      const path = `/model/${await decoderAt(page)}/attention/position`;
      const before = await page.document();
      await page.run(`const path = values[0].split('/').slice(1);
        ${store}.pick('pos-rope', 'Rotary (RoPE)', (draft) => { let at = draft;
          for (const part of path.slice(0, -1)) at = at[part];
          at[path.at(-1)] = ['pos-rope']; }, values[0])`, path);
      await page.settled();
      equal(await page.document(), before, 'nothing is changed');
      const open = await said(page, 'ap-panel', '.notice [data-part="own-system"]');
      ok(/^\s*Open “.+”, which uses it\s*$/.test(open), open);
      await page.click('ap-panel', '.notice [data-part="own-system"]');
      await page.settled();
      const document = await page.document();
      ok(JSON.stringify(document.model).includes('pos-rope'), `${open}: it has no rotary positions`);
      ok(document.parameters?.from, `${open}: it opens untrained`);
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'it computes');
      equal(await page.count('.notice'), 0, 'nothing is left to tell');
    },
  },
  {
    name: 'stranger: the card says that the numbers are rounded, and that scores were shifted',
    first: true,
    async run(page) {
      await page.run(`dispatchEvent(new PointerEvent('pointermove'))`);
      await holdWeight(page);
      const row = await said(page, 'ap-told', '.fraction .note');
      ok(/adds up to .*unrounded/.test(row), row);
      const heading = await said(page, 'ap-card', 'h2');
      ok(heading.startsWith('Weight (decoder)'), heading);
      equal(await page.count('ap-card', '[data-part="shifted"]'), 0, 'softmax is written without the shift');
      await page.run(`${store}.documents.set('/model/' + values[0] + '/attention/alignment', 'sparsemax')`,
        await decoderAt(page));
      await page.settled();
      await holdWeight(page);
      const shifted = await said(page, 'ap-card', '[data-part="shifted"]');
      ok(shifted.includes('largest score'), shifted);
    },
  },
  {
    name: 'stranger: Train says what the loss is, and why it is higher in training',
    first: true,
    async run(page) {
      await page.run(`${store}.view.show({ place: 'train' })`);
      const note = await said(page, 'ap-train', '[data-part="loss-note"]');
      ok(/held-out.*dropout/i.test(note), note);
    },
  },
  {
    name: 'stranger: a trained system with a part removed is said to be changed, not to come from a file',
    async run(page) {
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '[data-facet="weights"] [data-value="trained"]'])`);
      await page.click('ap-gallery', '[data-facet="weights"] [data-value="trained"]');
      await page.run(`for (let k = 0; k < 40; k++) { const more = find(['ap-gallery', `
        + `'[data-all][aria-expanded="false"]']); if (!more) break; more.click(); await `
        + `find(['ap-gallery']).updateComplete; }
        const keep = find(['ap-gallery', '.foot input']); if (keep.checked) keep.click()`);
      await page.click('ap-gallery', '.preset[data-kind="system"][data-id="llama"]');
      await page.settled();
      await page.run(`${store}.documents.change((draft) => {
        for (const member of draft.model) if (member.attention) delete member.attention.position; })`);
      await page.settled();
      const figures = await page.until(`const text = find(['ap-card', '[data-part="figures"]'])?.textContent;
        return text?.includes('no longer') && text.replace(/\\s+/g, ' ')`);
      ok(!/loaded from a file/.test(figures), figures);
    },
  },
];
