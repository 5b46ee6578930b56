// SPDX-License-Identifier: Apache-2.0
// A model from a reader's own files: its loss over a text of theirs, and the model beside a variant of itself.
import { equal, ok } from '../check.mjs';
import { catchSaved, dropAll, saved } from '../files.mjs';
import { gpt2, json, safetensors, tokenizer } from '../../models.mjs';

const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };
const files = { 'tiny.safetensors': safetensors(gpt2()), 'config.json': json(CONFIG),
  'tokenizer.json': json(tokenizer()) };
const store = `document.querySelector('attention-playground').store`;
const opened = async (page) => {
  await dropAll(page, Object.entries(files));
  await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
  await page.click('ap-drop', '[data-part="open"]');
  await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
  await page.settled();
};
const switchOff = (page) => page.run(`${store}.documents.change((draft) => {
  draft.interventions = [{ type: 'set', of: 'layer-2.attention.heads', head: 1, value: 0 }]; })`);

export const ownText = [
  {
    name: 'own text: the loss over a text is the softmax of the logits, before and after a head is off',
    async run(page) {
      await opened(page);
      await page.click('ap-pieces', '[data-part="text-loss"] summary');
      await page.until(`return find(['ap-text-loss', 'textarea'])`);
      const text = 'a bab ab aba';
      const measure = async (count) => {
        await page.run(`const box = find(['ap-text-loss', 'textarea']);
          box.value = values[0]; box.dispatchEvent(new Event('input'));`, text);
        await page.click('ap-text-loss', '[data-part="measure"]');
        await page.until(`return find(['ap-text-loss', '[data-part="runs"] tbody tr'], true)?.length === ${count}
          && !find(['ap-text-loss', '[data-part="cancel"]'])`);
        return page.run(`return Number(find(['ap-text-loss', 'tbody tr:last-child [data-mean]']).dataset.mean)`);
      };
      // The same by the logits of the page's own result of that text.
      const byHand = async () => {
        const ids = await page.run(`return find(['ap-text-loss']).tokens.ids`);
        ok(ids.length > 3 && ids.length <= CONFIG.n_positions, ids.join());
        await page.run(`${store}.documents.change((draft) => {
          draft.inputs.text = { shape: [values[0].length, 1], data: values[0] }; })`, ids);
        await page.settled();
        return page.run(`const { data, shape } = ${store}.sessions.result.whole('predict.logits', 'outputs');
          const losses = values[0].slice(1).map((id, row) => {
            const e = [...data.subarray(row * shape[1], (row + 1) * shape[1])].map(Math.exp);
            return -Math.log(e[id] / e.reduce((a, b) => a + b)); });
          return losses.reduce((a, b) => a + b) / losses.length;`, ids);
      };
      const before = await measure(1);
      const near = (one, other) => ok(Math.abs(one - other) < 1e-5, `${one} and ${other}`);
      near(before, await byHand());
      await switchOff(page);
      await page.settled();
      await page.until(`return find(['ap-text-loss', '[data-part="changed"]'])`);
      const after = await measure(2);
      near(after, await byHand());
      ok(Math.abs(before - after) > 1e-4, `${before} and ${after}`);
      const rows = await page.run(`return find(['ap-text-loss', 'tbody tr'], true).map((row) => row.textContent)`);
      ok(rows[1].includes('Head 2'), rows.join());
      await page.run(`const box = find(['ap-text-loss', 'select']); box.value = 'change';
        box.dispatchEvent(new Event('change'));`);
      await page.until(`return find(['ap-text-loss', '[data-part="hardest"] th:nth-child(6)'])`);
      equal(await page.axe(), [], 'axe');
      await catchSaved(page);
      await page.click('ap-text-loss', '[data-part="csv"]');
      const lines = (await saved(page)).text.trim().split('\r\n').map((line) => line.split(','));
      const mean = (column) => lines.slice(2).reduce((sum, line) => sum - Number(line.at(column)), 0)
        / (lines.length - 2);
      near(mean(-1), after);
      equal(lines[1].at(-1), '', 'nothing predicts the first token');
      // A window of fewer tokens than the text is another measurement.
      await page.run(`const field = find(['ap-text-loss', '[data-part="window"]']); field.value = '3';
        field.dispatchEvent(new Event('change'));`);
      ok(await measure(3) !== after, 'a shorter context');
    },
  },
  {
    name: 'own text: A and B of a model from own files: a head that is off, the maps, the next words, undo and a link',
    async run(page) {
      await opened(page);
      await page.click('ap-header', '[data-part="compare"]');
      await page.until(`return find(['ap-compare', '.hint'])`);
      ok((await page.text('ap-compare', '.hint')).includes('same model'), 'says what to do');
      await page.run(`${store}.view.show({ module: 'layer-2.attention' })`);
      await page.run(`${store}.documents.change((draft) => {
        const { attention } = draft.model.find(({ name }) => name === 'layer-1');
        attention.mask.push({ type: 'mask-window', window: 1 }); })`);
      await page.settled();
      const gap = (name) => page.run(`const { a, b } = ${store}.comparison.results();
        return a.whole(values[0], 'outputs').data.reduce((most, x, k) =>
          Math.max(most, Math.abs(x - b.whole(values[0], 'outputs').data[k])), 0)`, name);
      await page.until(`const both = ${store}.comparison.results();
        if (!both) return false;
        const [a, b] = [both.a, both.b].map((side) => side.whole('predict.logits').data);
        return a.some((x, k) => x !== b[k])`);
      ok(await gap('layer-1.attention.weights') > 0.01, 'the window hides keys');
      equal(await page.run(`return find(['ap-compare', 'figure[data-side="A"] ap-matrix']).plane.tensor.name`),
        'layer-2.attention.weights', 'the map that was chosen');
      // The words of both sides are those of their logits.
      await page.until(`return find(['ap-compare-words', '[data-part="next-words"]'])`);
      const tops = await page.run(`const { a, b } = ${store}.comparison.results();
        return [a, b].map((side) => { const { data, shape } = side.whole('predict.logits');
          const e = [...data.subarray(data.length - shape[1])].map(Math.exp);
          return e.map((x) => x / e.reduce((p, q) => p + q)); })`);
      await page.until(`const { both } = find(['ap-compare-words']);
        return both && ['a', 'b'].every((side, k) => both[side].every(({ id, probability }) =>
          Math.abs(probability - values[0][k][id]) < 1e-4))`, tops);
      equal(await page.axe(), [], 'axe');
      // The other side is chosen, and what is set now changes A.
      await page.run(`find(['ap-compare', '.seg button'], true)[0].click()`);
      await page.settled();
      const { model } = await page.document();
      equal(model.find(({ name }) => name === 'layer-1').attention.mask, ['mask-causal'], 'A');
      await switchOff(page);
      await page.settled();
      equal(await page.run(`return ${store}.comparison.documentOf('B').interventions ?? null`), null, 'B');
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.run(`return ${store}.comparison.editing`), 'B', 'undo');
      const { compare } = JSON.parse(await page.run(`return JSON.stringify({ compare: ${store}.comparison.held })`));
      equal([compare.editing, compare.mechanism, compare.parameters], ['B', undefined,
        { from: 'own-tiny.safetensors' }], 'what a link holds');
    },
  },
];
