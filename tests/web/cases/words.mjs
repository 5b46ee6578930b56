// SPDX-License-Identifier: Apache-2.0
// Words of a trained model: what of them can be changed, and what stays when the model or the document changes.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;

export const words = [
  {
    first: true,
    name: 'words: where a model reads words alone, no numbers are offered to be changed, but another word is',
    async run(page) {
      await page.clickText('.chip', '1see');
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
    first: true,
    name: 'words: a score that does not fit keeps words, model and what was learned; what is new is to be trained',
    async run(page) {
      const path = '/model/3/attention/score';
      const before = await page.document();
      await page.click(`ap-menu[data-path="${path}"]`, 'button');
      await page.driver.keyboard.type('scaled dot');
      // The first that fits is tried out when the arrows come to it.
      await page.press('ArrowUp');
      await page.until(`return ${store}.misfit`);
      ok(/32 and 64/.test(await page.text('ap-menu', '.help')), 'which widths differ');
      const work = await page.text('ap-card', '.mech ul');
      ok(/Additive/.test(work) && !/Scaled dot/.test(work), `what made the numbers on show: ${work}`);
      const covered = await page.run(`const menu = find(['ap-menu', '.menu']).getBoundingClientRect();
        const map = find(['ap-matrix[data-tensor="decoder.weights"]']).getBoundingClientRect();
        return Math.min(menu.right, map.right) > Math.max(menu.left, map.left)`);
      equal(covered, false, 'the menu covers the matrix');
      await page.press('Enter');
      await page.until(`return find(['[data-part="train-it"]'])`);
      const after = await page.document();
      equal(after.inputs.source, before.inputs.source, 'words');
      equal(after.model[3].attention.score, { type: 'general' }, 'the nearest that fits');
      equal(after.model[3].vocabulary, before.model[3].vocabulary, 'vocabulary');
      ok(after.parameters.from !== before.parameters.from, 'weights of its own');
      const said = await page.text('.notice');
      ok(/32 and 64 wide/.test(said) && /decoder\.attention\.score\.W is drawn from the seed/.test(said), said);
      // All others are those that were learned: the encoder's states are what they were.
      const states = `return Array.from(${store}.sessions.result.find('encoder.output').data.slice(0, 8))`;
      const now = await page.run(states);
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undo brings all back');
      equal(now, await page.run(states), 'the encoder as it was learned');
      await page.choose(path, 'concat');
      await page.click('[data-part="train-it"]');
      equal(await page.run(`return ${store}.view.place`), 'train', 'the way to train it');
      equal((await page.document()).model[3].attention.score, { type: 'concat' }, 'another score with new weights');
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
