// SPDX-License-Identifier: Apache-2.0
// What the seventeenth stranger missed: cautions without the card, names of A and B, questions. Each case begins at the
// first page.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const untrained = { schema: 'attention-playground/1', seed: 7,
  inputs: { x: { tokens: ['my', 'dog', 'ate', 'because'], features: { type: 'embedding', dim: 8 } } },
  mechanism: { type: 'attention', query: 'self-attention',
    alignment: { type: 'softmax-temperature', temperature: 1 } } };

const caution = (width, height) => ({
  name: `seventeenth: at ${width} px a caution is beside the maps, and unfolds`,
  first: true,
  view: { width, height },
  async run(page) {
    const said = () => page.text('ap-mind', 'summary');
    equal(await said(), 'Where the model looks does not by itself explain its answer.', 'a trained model');
    await page.run(`${store}.documents.replace(values[0])`, untrained);
    await page.settled();
    await page.until(`return find(['ap-mind', 'summary']).textContent.startsWith('Not trained: its ')
      && find(['ap-mind', 'summary']).textContent.includes('drawn from seed 7')`);
    const [top, flow] = await page.run(`return [find(['ap-mind']), find(['ap-flow'])].map((one) =>
      one.getBoundingClientRect().top)`);
    ok(top < flow, 'above the picture');
    await page.click('ap-mind', 'summary');
    ok((await page.text('ap-mind', '[data-part="not"]')).includes('What to keep in mind'), 'all of it');
    equal(await page.axe(), [], 'axe');
  },
});

export const seventeenthC = [
  caution(1024, 768),
  caution(360, 780),
  {
    first: true,
    name: 'seventeenth: two sides that differ in one number are called by it; questions lead to places',
    async run(page) {
      equal(await page.count('ap-mind'), 0, 'the card says it');
      await page.run(`${store}.documents.replace(values[0])`, untrained);
      await page.settled();
      await page.run(`${store}.comparison.start(); ${store}.documents.set('/mechanism/alignment/temperature', 0.5)`);
      await page.until(`return find(['ap-compare', 'figcaption'], true).length === 3`);
      const called = await page.until(`const all = ['A', 'B'].map((side) =>
        find(['ap-compare', 'figure[data-side="' + side + '"] figcaption b'])?.textContent);
        return all[1]?.includes('0.5') && all`);
      equal(called, ['Softmax with temperature (Temperature T: 1)', 'Softmax with temperature (Temperature T: 0.5)']);
      await page.run(`${store}.comparison.stop(); ${store}.view.show({ view: 'table', how: true });
        ${store}.documents.set('/inputs/x/tokens', [...'abcdefghijkl'])`);
      await page.until(`const sheet = find(['ap-flow', '.sheet']);
        return sheet && sheet.scrollWidth > sheet.clientWidth
          && getComputedStyle(sheet).backgroundAttachment.includes('local')`);
      await page.click('ap-header', '[data-dialog="learn"]');
      await page.until(`return !!find(['ap-lesson-list', 'input'])`);
      for (const [search, id] of [['copyright', 'licence'], ['exercise', 'exercise'], ['my own model', 'model']]) {
        await page.fill(search, 'ap-lesson-list', 'input');
        await page.until(`return !!find(['ap-lesson-list', '[data-place="' + values[0] + '"]'])`, id);
      }
      await page.click('ap-lesson-list', '[data-place="model"]');
      await page.until(`return !!find(['ap-drop'])`);
    },
  },
];
