// SPDX-License-Identifier: Apache-2.0
import { attend } from '../attend.mjs';
import { equal, ok } from '../check.mjs';

const long = (n, heads, mask) => ({
  schema: 'attention-playground/1', seed: 5,
  inputs: { x: { tokens: Array.from({ length: n }, (_, k) => `w${k}`), features: { type: 'embedding', dim: 8 } } },
  mechanism: { type: 'attention', query: { type: 'self-attention' }, ...(mask ? { mask: ['mask-causal'] } : {}),
    ...(heads > 1 ? { heads: { type: 'multi-head', count: heads } } : {}) },
});
const open = async (page, document) => {
  await page.run(`document.querySelector('attention-playground').store.documents.replace(values[0])`, document);
  await page.settled();
  await page.until(`return find(['ap-map-row', 'ap-strip'], true).length > 0`);
  await page.settled();
};
const weights = '[data-map="weights"]';
const close = (a, b) => Math.abs(a - b) <= 1e-6 + 1e-3 * Math.abs(b);
const row = async (document, i, heads) => {
  const { data } = (await attend({ ...document, outputs: [`weights[${i}]`] })).outputs[`weights[${i}]`];
  const keys = data.length / heads;
  return Array.from({ length: heads }, (_, h) => data.slice(h * keys, (h + 1) * keys));
};
const best = (list) => list.indexOf(Math.max(...list));
const shown = (page) => page.run(
  `return find(['ap-map-row', ${JSON.stringify(
  weights)}, 'ap-strip'], true).map((e) => ({ row: e.row, values: [...e.values] }))`);

async function same(page, document, i, heads) {
  const wanted = await row(document, i, heads);
  const strips = await shown(page);
  equal(strips.map((strip) => strip.row), Array(heads).fill(i), 'row');
  strips.forEach(({ values }, h) =>
    ok(values.length === wanted[h].length && values.every((x, j) => close(x, wanted[h][j])),
    `numbers of head ${h}, row ${i}`));
  return wanted;
}

export const rows = [
  {
    name: 'large map: a row of it is shown by itself, for the query that is chosen, and the document stays as it is',
    async run(page) {
      const document = long(2100, 2, true);
      await open(page, document);
      equal(await page.axe(), [], 'axe');
      await same(page, document, 0, 2);
      equal(await page.count('ap-map-row', '[data-map]'), 2, 'scores and weights');
      ok(!(await page.run(`return find(['ap-flow', 'span'], true).some((e) => e.textContent.includes('name `
        + `"weights"'))`)), 'nothing tells the reader to name outputs');
      await page.fill('1500', 'ap-map-row', 'input.num');
      const wanted = await same(page, document, 1500, 2);
      // The largest are written out, as computed.
      const first = await page.text('ap-map-row', '.most .link');
      ok(first.startsWith(`w${best(wanted[0])} `), `${first}, wanted w${best(wanted[0])}`);
      // Masked keys are no weights of any size: the last third of the strip is hatched.
      const colours = await page.run(
        `const c = find(['ap-map-row', ${JSON.stringify(
        weights)}, 'ap-strip', 'canvas']); const d = c.getContext('2d').getImageData(c.width - 4, 2, 1, 1).data; `
        + `return [...d]`);
      ok(colours[3] === 255, `hidden keys are marked: ${colours}`);
      await page.run(`const s = find(['ap-map-row', 'input[type="range"]']); s.focus()`);
      await page.press('ArrowRight');
      await same(page, document, 1501, 2);
      equal(await page.document(), document, 'the document');
    },
  },
  {
    name: 'large map: cells of the row explain themselves, lead to their scores, and a pressed word asks for its row',
    async run(page) {
      const document = long(2100, 2, true);
      await open(page, document);
      await page.clickText('.chip', '77w77');
      const wanted = await same(page, document, 77, 2);
      const key = best(wanted[1]);
      await page.click('ap-map-row', '[aria-pressed="false"].head');
      await page.clickText('.most .link', await page.text('ap-map-row', '.most .link'));
      const value = Number(await page.run(`return find(['ap-card', '.big']).dataset.value`));
      ok(close(value, wanted[1][key]), `${value}, wanted ${wanted[1][key]}`);
      const card = await page.text('ap-card', 'header');
      ok(card.includes(`w77 → w${key}`), `card: ${card}`);
      await page.until(`return find(['ap-card', '[data-feed]'], true).length > 1`);
      equal(await page.run(`return find(['ap-card', 'section:not([data-part]) > [data-feed]'], true).map((e) => `
        + `e.dataset.feed)`), ['scores', 'mask'], 'fed by');
      equal(await page.count('ap-map-row', '[data-map="scores"].lit'), 1, 'the scores light up');
      // By keys: a strip is one tab stop, and the live line reads.
      await page.run(`find(['ap-map-row', ${JSON.stringify(weights)}, 'ap-strip', '.stop']).focus()`);
      await page.press('Home');
      ok((await page.text('ap-steps', '.live')).includes('w0'), await page.text('ap-steps', '.live'));
      // A cell of the context is explained without its map, and brings its query's row.
      await page.run(`document.querySelector('attention-playground').store.selection.hold({ group: 'outputs', tensor: `
        + `'context', index: [1999, 3] })`);
      await page.settled();
      await same(page, document, 1999, 2);
      ok((await page.count('ap-card', '[data-feed]')) > 0, 'the context is explained');
    },
  },
  {
    name: 'large map: at 16,384 words rows still come, and a phone has room for them',
    view: { width: 360, height: 740 },
    async run(page) {
      const document = long(16_384, 1, false);
      await open(page, document);
      await page.fill('16000', 'ap-map-row', 'input.num');
      await same(page, document, 16_000, 1);
      ok(await page.run(`return globalThis.document.documentElement.scrollWidth <= innerWidth`), 'it fits');
    },
  },
];
