// SPDX-License-Identifier: Apache-2.0
// What the fourteenth stranger stumbled over.
import { equal, ok } from '../check.mjs';
import { open } from '../gallery.mjs';

const store = `document.querySelector('attention-playground').store`;

export const fourteenth = [
  {
    first: true,
    name: 'fourteenth: Compare holds a cheaper form against softmax of the keys, not of the positions',
    async run(page) {
      await open(page, 'transformer encoder');
      const largest = await page.run(`return Math.max(
        ...${store}.sessions.result.find('weights').data.subarray(0, 64))`);
      ok(largest > 0.5, `softmax of head 1 has ${largest}`);
      await page.click('ap-header', '[data-place="compare"]');
      await page.until(`return !!find(['ap-efficient', 'select[aria-label="A cheaper form"]'])`);
      await page.run(`const select = find(['ap-efficient', 'select[aria-label="A cheaper form"]']);
        select.value = [...select.options].find(({ textContent }) => textContent.trim() === 'Performer').value;
        select.dispatchEvent(new Event('change', { bubbles: true }))`);
      await page.until(`return find(['ap-implied', 'ap-heat'], true).length === 3`);
      const shown = await page.run(`return Math.max(...find(['ap-implied', 'figure[data-side="A"] ap-heat'])
        .plane.tensor.data)`);
      ok(Math.abs(shown - largest) < 1e-3, `the same softmax: ${shown} and ${largest}`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'fourteenth: an answer that the model cannot write again is called old',
    async run(page) {
      const mask = (rows) => page.run(`const { documents } = ${store}; documents.change((draft) => {
        draft.model.find(({ name }) => name === 'decoder').attention.mask = [{ type: 'mask-explicit',
          allowed: Array.from({ length: values[0] }, () => [1, 1, 1, 1, 0]) }]; })`, rows);
      const said = `find(['ap-inputs', 'ap-truth', '[data-part="unable"]'])`;
      await mask(6);
      await page.until(`return !!${said}`);
      ok((await page.text('ap-inputs', 'ap-truth', '[data-part="unable"]')).startsWith('With your change the model'),
        'it is said');
      const pair = await page.run(`return find(['ap-panel', 'ap-knob', '.grid button'], true)[14]
        .getAttribute('aria-label')`);
      equal(pair, 'Allowed pairs la, car: 0', 'a pair is named by its words');
      equal(await page.axe(), [], 'axe');
      // A mask of one row for all queries fits an answer of any length.
      await mask(1);
      await page.until(`return !${said} && !${store}.writer.writing`);
      ok((await page.run(`return ${store}.documents.document.inputs.target.tokens.join(' ')`)).includes('voiture')
        === false, 'a new answer, without a look at the car');
    },
  },
  {
    first: true,
    name: 'fourteenth: what a legend says of masked cells is not over the next scale',
    view: { width: 1280, height: 800 },
    async run(page) {
      await open(page, 'llama');
      const over = await page.run(`const boxes = find(['ap-flow', '.place ap-legend'], true)
        .map((one) => ({ place: one.closest('.place'), box: one.getBoundingClientRect(),
          inner: [...one.shadowRoot.children].map((part) => part.getBoundingClientRect())
            .filter(({ width }) => width) }));
        const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
          && b.top < a.bottom - 1;
        return boxes.flatMap((a, k) => boxes.slice(k + 1).flatMap((b) => a.inner.flatMap((one) =>
          b.inner.filter((other) => hit(one, other)).map(() => a.place.className + ' over ' + b.place.className))))`);
      equal(over, [], 'legends over each other');
    },
  },
  {
    first: true,
    name: 'fourteenth: weights below zero are no keys above zero, and no alignment is said to have made them',
    async run(page) {
      await open(page, 'differential');
      await page.until(`return find(['ap-heads', 'li button'], true).length === 2`);
      await page.run(`find(['ap-heads', 'li button'], true)[1].click()`);
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'weights', index: [1, 7, 0] })`);
      await page.settled();
      const row = await page.run(`return find(['ap-measures', 'dl > div'], true).at(-1).textContent`);
      ok(row.includes('Row of house') && row.includes('7 keys'), row);
      await page.until(`return !!find(['ap-card', 'h3'])`);
      equal(await page.run(`return !!find(['ap-card', '[data-part="made"]'])`), false, 'the record of softmax');
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'weights1', index: [1, 7, 0] })`);
      await page.until(`return !!find(['ap-card', '[data-part="made"]'])`);
    },
  },
  {
    first: true,
    name: 'fourteenth: a side with one map keeps it beside all layers of the other',
    async run(page) {
      await open(page, 'transformer encoder');
      await page.click('ap-header', '[data-place="compare"]');
      await page.until(`return !!find(['ap-beside', 'select'])`);
      await page.run(`const select = find(['ap-beside', 'select']);
        select.value = [...select.options].find(({ textContent }) => textContent.includes('gpt-oss')).value;
        select.dispatchEvent(new Event('change', { bubbles: true }))`);
      const layers = `find(['ap-beside', '[data-part="layer"]'])`;
      await page.until(`return !!${layers}`);
      await page.run(`${layers}.selectedIndex = 1; ${layers}.dispatchEvent(new Event('change', { bubbles: true }))`);
      await page.settled();
      equal(await page.run(`return find(['ap-beside', 'figure ap-matrix'], true).length`), 2, 'both maps');
    },
  },
  {
    first: true,
    name: 'fourteenth: Several at once says that a schedule ends with fewer steps',
    async run(page) {
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return !!find(['ap-train', '[data-tab="several"]'])`);
      await page.click('ap-train', '[data-tab="several"]');
      await page.until(`return !!find(['ap-train-several', '[data-part="fewer"]'])`);
      const said = await page.text('ap-train-several', '[data-part="fewer"]');
      ok(said.includes('The schedule of the learning rate then ends'), said);
    },
  },
];
