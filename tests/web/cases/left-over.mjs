// SPDX-License-Identifier: Apache-2.0
// What earlier trials and reviewers left open. Each case begins at the first page.
import { ask } from '../ask.mjs';
import { equal, ok } from '../check.mjs';
import { dropAll } from '../files.mjs';
import { gpt2, json, safetensors, tokenizer } from '../../models.mjs';

const store = `document.querySelector('attention-playground').store`;
const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };

export const leftOver = [
  {
    first: true,
    name: 'left over: a difference hatches what a side hides, says which, and counts those cells, as a figure does',
    async run(page) {
      await ask(page, 'mask hide', 'causal');
      await page.run(`const { comparison, documents } = ${store};
        documents.set('/mechanism/mask', ['mask-causal']); comparison.start();
        documents.set('/mechanism/mask', [{ type: 'mask-window', window: 1 }])`);
      await page.until(`return !!${store}.comparison.results()
        && find(['ap-compare', 'figure[data-side="difference"] ap-matrix'])?.marks !== undefined`);
      await page.settled();
      const n = await page.run(`return ${store}.comparison.results().a.find('weights', 'outputs').shape.at(-1)`);
      // A hides what comes later, B what is more than one word away.
      const cells = Array.from({ length: n * n }, (_, k) => [Math.floor(k / n), k % n]);
      const sides = cells.map(([i, j]) => `${j > i ? 'A' : ''}${Math.abs(i - j) > 1 ? 'B' : ''}`);
      const count = (which) => sides.filter((one) => one === which).length;
      const drawn = await page.run(`const { plane, mask, marks } = find(['ap-compare',
        'figure[data-side="difference"] ap-matrix']);
        return Array.from({ length: plane.rows * plane.cols }, (_, k) => {
          const [i, j] = [Math.floor(k / plane.cols), k % plane.cols];
          return [marks(i, j), mask.at(i, j)];
        })`);
      equal(drawn, sides.map((one) => [one, one === '' ? 1 : 0]), 'which cells are hidden');
      const legend = [['A', 'A: hidden in A'], ['B', 'B: hidden in B'], ['AB', 'AB: hidden in both']]
        .map(([which, says]) => `${says}, ${count(which)} cell${count(which) === 1 ? '' : 's'}`);
      equal(await page.run(`return find(['ap-compare', 'figure[data-side="difference"] ap-legend', '.swatch'], true)
        .map((one) => one.textContent.trim())`), legend, 'the legend');
      equal(await page.axe(), [], 'axe');
      await page.run(`document.querySelector('attention-playground').dialog('take')`);
      await page.until(`return !!find(['ap-picture', '[data-part="both-sides"]'])`);
      await page.click('ap-picture', '[data-part="both-sides"]');
      const texts = await page.until(`const part = find(['ap-picture']);
        const texts = part.made(part.about).shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
        return texts.some((text) => text.includes('hidden in')) && texts`);
      for (const line of legend) ok(texts.includes(line), `${line} in the figure`);
      equal(texts.filter((one) => one === 'AB').length, 2 * count('AB'), 'each such cell, of scores and of weights');
    },
  },
  {
    first: true,
    name: 'left over: a model that is dropped ends the lesson, which is not about it',
    async run(page) {
      await ask(page, 'mask hide', 'causal');
      await page.until(`return !!find(['ap-lesson', '.do'])`);
      await dropAll(page, Object.entries({ 'tiny.safetensors': safetensors(gpt2()), 'config.json': json(CONFIG),
        'tokenizer.json': json(tokenizer()) }));
      await page.until(`return !!find(['ap-drop', '[data-part="ready"]'])`);
      equal(await page.count('ap-lesson', '.do'), 1, 'it stays until the model opens');
      await page.click('ap-drop', '[data-part="open"]');
      await page.until(`return !!find(['ap-pieces', '[data-part="next"]'])`);
      await page.until(`return !find(['ap-lesson', '.do'])`);
      equal(await page.run(`return ${store}.view.lesson ?? null`), null, 'no lesson is under way');
      equal(await page.text('ap-story', 'h2'), null, 'nothing is said of what was there before');
    },
  },
];
