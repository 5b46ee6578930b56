// SPDX-License-Identifier: Apache-2.0
// What is shown is true, begun where a visitor begins: what the hint proposes answers, sentences that nobody taught the
// model are marked, hostile documents neither freeze nor throw.
import { deflateRawSync } from 'node:zlib';
import { equal, ok } from '../check.mjs';
import { drop } from '../files.mjs';

const store = `document.querySelector('attention-playground').store`;
const link = (document) => `#1.${deflateRawSync(JSON.stringify({ schema: 'attention-playground/1', ...document }))
  .toString('base64url')}`;
const words = (...tokens) => ({ tokens, features: { dim: 4 } });
const lock = (page) => page.run(`return ${store}.selection.lock`);
// Which key of a row gets most.
const mostOf = (page, row) => page.run(`
  const shown = find(['ap-matrix[data-tensor="decoder.weights"]']).plane;
  const weights = Array.from({ length: shown.cols }, (_, j) => shown.at(values[0], j));
  return weights.indexOf(Math.max(...weights));`, row);

const type = async (page, text) => {
  await page.click('ap-inputs', '[data-input="source"] [data-part="type"]');
  await page.driver.keyboard.type(text);
  await page.settled();
  await page.until(`return !${store}.writer.writing`);
};

const hostile = (name, document, more = async () => {}) => ({
  name: `hostile: ${name}`,
  hash: link(document),
  async run(page) {
    equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'the engine answers');
    equal(await page.run(`return ${store}.documents.document.mechanism.type`), document.mechanism.type, 'is shown');
    await page.driver.mouse.move(700, 400);
    await page.settled();
    await more(page);
  },
});

export const truths = [
  {
    first: true,
    name: 'true: the words that the model wrote, and the names of rows and columns, answer to a press',
    async run(page) {
      await page.click('ap-inputs', '.wrote [data-word="2"]');
      equal((await lock(page)).index, [2, await mostOf(page, 2)], 'the row of the third word');
      ok(await page.run(`return find(['ap-inputs', '.wrote [data-word="2"]']).classList.contains('query')`), 'marked');
      await page.click('ap-flow', '.geometry .rows span:nth-child(4)');
      equal((await lock(page)).index, [3, await mostOf(page, 3)], 'the row of its name');
      await page.click('ap-flow', '.geometry .slant');
      equal((await lock(page)).index[1], 0, 'the column of its name');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'true: a word that the model never met is marked while one types, beside the words that it knows',
    async run(page) {
      await type(page, 'they see Paris');
      ok(await page.run(`return find(['ap-inputs', 'textarea']) !== undefined`), 'still typing');
      ok((await page.text('ap-inputs', '[data-part="unknown"]')).includes('Paris'), 'the unknown word');
      ok((await page.text('ap-inputs', '[data-part="known"]')).includes('girl'), 'the words that it knows');
    },
  },
  {
    first: true,
    name: 'true: a sentence outside the grammar is marked, with the sentences that the model learned',
    async run(page) {
      equal(await page.count('ap-inputs', 'ap-truth'), 0, 'nothing to say of the first sentence');
      await type(page, 'they see the lorry');
      const says = (...parts) => page.until(`
        const text = find(['ap-truth', '[data-part="outside"] p'])?.textContent ?? '';
        return values.every((part) => text.includes(part))`, ...parts);
      // A word that is new, and words that are known in an order that is not.
      await says('the same for any other unknown word');
      ok((await page.text('ap-inputs', '[data-part="unknown"]')).includes('“lorry”'), 'the word, named once');
      const heard = await page.text('ap-inputs', '[data-part="answers-now"]');
      ok(heard.startsWith('The model now answers: “'), heard);
      await type(page, 'she does not love the red car');
      await says('knows each word', 'none of the 4 kinds');
      equal(await page.count('ap-truth', '[data-part="outside"] li'), 4, 'kinds of sentences');
      await page.press('Enter');
      await page.run(`find(['ap-truth', 'details']).open = true`);
      equal(await page.axe(), [], 'axe');
      const like = await page.text('ap-truth', '[data-sample]');
      await page.click('ap-truth', '[data-sample]');
      await page.until(`return !find(['ap-truth', '[data-part="outside"]'])`);
      equal((await page.document()).inputs.source.tokens.join(' '), like, 'a sentence that it learned');
    },
  },
  {
    first: true,
    view: { width: 360, height: 780 },
    name: 'true: on a phone what is to be said of an answer stands once, and in the direction of its language',
    async run(page) {
      const said = () => page.run(`return find(['ap-truth'], true).filter((one) => one.getClientRects().length > 0)
        .map((one) => [one.getRootNode().host.localName, getComputedStyle(one).direction])`);
      await page.click('ap-header', '[aria-expanded]');
      await page.run(`const select = find(['ap-language', 'select']); select.value = 'ar';
        select.dispatchEvent(new Event('change'))`);
      await page.until(`return document.documentElement.lang === 'ar'`);
      await page.click('ap-header', '[aria-expanded]');
      await page.run(`${store}.documents.set('/inputs/source/tokens', ['they', 'see', 'the', 'lorry'])`);
      await page.settled();
      await page.until(`return !${store}.writer.writing && !!find(['ap-truth', '[data-part="outside"] p'])
        && /[ء-ي]/.test(find(['ap-truth', '[data-part="outside"] p']).textContent)`);
      equal(await said(), [['ap-flow', 'rtl']], 'the inputs are out of sight');
      await page.click('ap-header', '[aria-expanded]');
      await page.click('.tabs button:nth-child(2)');
      await page.settled();
      equal(await said(), [['ap-inputs', 'rtl']], 'beside the words');
    },
  },
  {
    first: true,
    name: 'true: a table that is dropped on the first page opens by itself, and undo brings its model back',
    async run(page) {
      const before = await page.document();
      await drop(page, 'table.csv', 'text/csv', '1,2\n3,4\n');
      await page.until(`return find(['ap-bring', '.found'])?.dataset.found === 'matrix'`);
      // The model of this page reads words, and these are none: there is nothing to ask.
      equal(await page.count('ap-bring', '[data-part="use"]'), 0, 'no question');
      await page.click('ap-bring', '[data-use]');
      await page.settled();
      const { inputs, mechanism, title } = await page.document();
      equal([inputs.query.matrix, mechanism.query, title], [[[1, 2], [3, 4]], 'query-basic', 'table'], 'the numbers');
      // softmax of 11 / √2 and 25 / √2, computed here.
      const [low, high] = [11, 25].map((score) => Math.exp(score / Math.SQRT2 - 25 / Math.SQRT2));
      const weights = await page.run(`return [...document.querySelector('attention-playground').store.sessions.result
        .find('weights').data]`);
      ok(Math.abs(weights[2] - low / (low + high)) < 1e-6, `${weights}`);
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
      // A table of word vectors has both, so one question decides.
      await drop(page, 'vectors.csv', 'text/csv', 'they,1,0\nsee,0,2\n');
      await page.until(`return !!find(['ap-bring', '[data-part="use"]'])`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-bring', '[value="numbers"]');
      await page.click('ap-bring', '[data-use]');
      await page.settled();
      equal((await page.document()).inputs.query, { tokens: ['they', 'see'],
        features: { type: 'matrix', matrix: [[1, 0], [0, 2]] } }, 'the vectors');
      await page.click('ap-header', '[aria-label="Undo"]');
      await drop(page, 'vectors.csv', 'text/csv', 'they,1,0\nsee,0,2\n');
      await page.until(`return !!find(['ap-bring', '[data-part="use"]'])`);
      await page.click('ap-bring', '[data-use]');
      await page.settled();
      equal((await page.document()).inputs.source.tokens, ['they', 'see'], 'the words');
    },
  },
  {
    first: true,
    name: 'true: stepped through, the first page shows nothing that nobody reads, and says where it is',
    async run(page) {
      const seen = [];
      for (let k = 0; k < 40; k++) {
        await page.click('ap-steps', '[aria-label="Next step"]');
        const at = await page.run(`const stop = find(['ap-walking', 'figure[data-stop]']);
          return stop && [stop.dataset.stop, ${store}.view.stage]`);
        if (!at) break;
        seen.push(at);
      }
      ok(seen.length > 5, `${seen.length} stops`);
      ok(!seen.some(([name]) => name === 'source' || name === 'target'), 'no features that nothing reads');
      const stages = seen.map(([, stage]) => stage);
      equal(stages[0], 'inputs', 'it begins with what is made of the words');
      ok(stages.indexOf('output') > stages.indexOf('weights'), `the output comes after the weights: ${stages}`);
    },
  },
  {
    name: 'true: weights below zero are drawn on a scale that goes both ways',
    hash: link({ seed: 3, inputs: { x: words('a', 'b', 'c', 'd', 'e') }, mechanism: { type: 'attention',
      query: 'self-attention', core: 'linformer' }, seen: { place: 'compare' } }),
    async run(page) {
      const kinds = await page.until(`
        const maps = find(['ap-implied', 'ap-heat'], true);
        return maps.length > 1 && maps.map(({ kind, plane: { tensor }, domain }) =>
          [kind, tensor.data.some((x) => x < 0), domain])`);
      ok(kinds.some(([, below]) => below), 'some weight is below zero');
      for (const [kind, , domain] of kinds) equal([kind, domain[0]], ['signed', -domain[1]], 'both ways from zero');
    },
  },
  hostile('a thousand hops are shown', { inputs: { query: words('a', 'b') },
    mechanism: { type: 'multi-hop', hops: 1000 } }),
  hostile('a memory of 130,000 cells is shown', { inputs: { x: words('a', 'b') },
    mechanism: { type: 'fm-ntm', hidden: 8, cells: 130000, width: 5 } }),
  hostile('attention over attention draws nothing that is no number', { inputs: { key1: { matrix: [[1, 2], [0, 1]] },
    key2: { matrix: [[1, 0], [2, 1], [0, 1]] }, value1: { matrix: [[1, 2], [3, 4]] },
    value2: { matrix: [[1, 2], [3, 4], [5, 6]] } }, mechanism: { type: 'attention-over-attention' } },
  async (page) => equal(await page.count('circle[r="NaN"]'), 0, 'circles')),
];
