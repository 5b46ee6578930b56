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
];
