// SPDX-License-Identifier: Apache-2.0
// Words of a trained model: what of them can be changed, and what stays when the model or the document changes.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;

export const words = [
  {
    first: true,
    name: 'words: where a model reads words alone, no numbers are offered to be changed, but another word is',
    async run(page) {
      await page.clickText('ap-tokens .chip', '1see');
      equal(await page.count('ap-tokens', '[data-row]'), 0, 'rows to be doubled');
      equal(await page.count('ap-matrix[data-tensor="source"]'), 0, 'numbers that nothing reads');
      await page.click('ap-tokens', '[data-part="another"]');
      await page.driver.keyboard.type('love');
      await page.press('Enter');
      equal((await page.document()).inputs.source.tokens, ['they', 'love', 'the', 'red', 'car'], 'another word');
      await page.until(`return find(['ap-card', '[data-part="numbers"]'])`);
      equal(await page.count('ap-card', '.feed') > 0, true, 'what feeds the cell');
    },
  },
  {
    name: 'words: what is typed takes the place of the sentence',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Type your own words');
      await page.driver.keyboard.type('cat');
      await page.settled();
      equal((await page.document()).inputs.x.tokens, ['cat'], 'tokens');
    },
  },
];
