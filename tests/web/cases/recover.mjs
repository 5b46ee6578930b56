// SPDX-License-Identifier: Apache-2.0
// Work that takes too long, documents that make very many pictures, and what comes after them.
import { equal, ok } from '../check.mjs';

const tokens = (count) => Array.from({ length: count }, () => 'a');
// Within what the engine allows, and longer than anybody waits. Maps of this size are not kept, so that the result
// stays small.
const long = {
  schema: 'attention-playground/1', seed: 1,
  inputs: { x: { tokens: tokens(2100), features: { type: 'embedding', dim: 4 } } },
  mechanism: { type: 'attention', query: 'self-attention', score: 'dot',
    alignment: { type: 'sinkhorn', iterations: 180 } }, outputs: ['context'],
};
// Long enough to be interrupted.
const work = (seed) => ({ ...long, seed,
  inputs: { x: { ...long.inputs.x, tokens: tokens(1000) } },
  mechanism: { ...long.mechanism, alignment: { type: 'sinkhorn', iterations: 8 } } });
// The worker of the engine as it dies for want of memory in the midst of this document, so many times: it works no
// more, and the browser says so. All within the page: it might be through before another request of this test comes.
const killAt = (page, document, times) => page.run(`
  const { documents, sessions } = document.querySelector('attention-playground').store;
  documents.open(values[0]);
  const busy = [];
  for (let time = 0; time < values[1]; time++) {
    while (!sessions.client.line?.worker?.loaded) await new Promise((done) => setTimeout(done));
    const worker = sessions.client.line.worker.port;
    busy.push(sessions.busy);
    worker.terminate();
    worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory', cancelable: true }));
  }
  return busy;`, document, times);
const hops = { schema: 'attention-playground/1', seed: 1,
  inputs: { query: { tokens: ['a', 'b'], features: { type: 'embedding', dim: 4 } } },
  mechanism: { type: 'multi-hop', hops: 60 } };
// Words that nobody reads: one of a million letters, and two hundred inputs that no module asks for.
const book = 'x'.repeat(1e6);
const crowd = Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`spare${k}`, { tokens: ['a', 'b'],
  features: { type: 'embedding', dim: 4 } }]));
const crowded = { schema: 'attention-playground/1', seed: 1,
  inputs: { x: { tokens: [book, 'b'], features: { type: 'embedding', dim: 4 } } },
  mechanism: { type: 'attention', query: 'self-attention', score: 'dot', alignment: 'softmax' } };
const open = (page, document) =>
  page.run(`document.querySelector('attention-playground').store.documents.open(values[0])`, document);

export const recovery = [
  {
    name: 'recover: what takes too long says so and how far it is, can be stopped, and the page works on',
    async run(page) {
      const before = await page.document();
      await open(page, long);
      await page.until(`return find(['ap-waiting', '[data-part="stop"]']) !== undefined`);
      ok(/Computing\s*(<?\d+%)?\s*\d+ s/.test(await page.text('ap-waiting', 'div')), 'it says for how long');
      const share = () => page.run(`return find(['ap-waiting', 'progress'])?.value`);
      await page.until(`return find(['ap-waiting', 'progress'])?.value > 0`);
      const first = await share();
      await page.until(`return find(['ap-waiting', 'progress']).value > ${first}`);
      const said = await page.text('ap-waiting', '[data-part="share"]');
      ok((await share()) <= 1 && /\d+%/.test(said), `and how far it is: ${said}`);
      await page.run(`find(['ap-waiting', '[data-part="stop"]']).click()`);
      await page.settled();
      equal(await page.document(), before, 'what was there before the link');
      ok((await page.text('.notice'))?.includes('stopped'), 'the page says that it was stopped');
      equal(await page.count('ap-waiting', 'div'), 0, 'nothing runs any more');
      await page.run(`document.querySelector('attention-playground').store.documents.set('/seed', 12)`);
      await page.settled();
      equal(
        await page.run(
        `return document.querySelector('attention-playground').store.sessions.result.directory.document.seed`), 12,
        'the next document');
    },
  },
  {
    name: 'recover: the other side of a comparison that takes too long says so, and can be stopped alone',
    async run(page) {
      const mechanism = { ...long.mechanism, alignment: 'softmax' };
      await page.run(`document.querySelector('attention-playground').store.documents.open(values[0], values[1])`,
        { ...long, mechanism }, { editing: 'A', mechanism: long.mechanism });
      await page.until(`return find(['ap-waiting', 'progress'])?.value > 0`);
      equal(await page.run(`return document.querySelector('attention-playground').store.sessions.busy`), false,
        'this side is there');
      await page.run(`find(['ap-waiting', '[data-part="stop"]']).click()`);
      await page.until(`return document.querySelector('attention-playground').store.comparison.error !== undefined`);
      equal(await page.count('ap-waiting', 'div'), 0, 'nothing runs any more');
      ok((await page.text('ap-compare', '.error'))?.includes('stopped'), 'it says so beside the maps');
      await page.run(`document.querySelector('attention-playground').store.comparison.edit('B')`);
      await page.run(`document.querySelector('attention-playground').store.documents.set('/mechanism/alignment',
        'softmax')`);
      await page.settled();
      equal(await page.count('ap-compare', '.error'), 0, 'and goes on');
    },
  },
  {
    name: 'recover: a cell that takes long to explain says so, and can be stopped',
    async run(page) {
      const mechanism = { ...long.mechanism, alignment: { type: 'sinkhorn', iterations: 100 } };
      await open(page, { ...long, mechanism });
      await page.settled();
      equal(await page.count('ap-waiting', 'div'), 0, 'it was computed');
      await page.run(`document.querySelector('attention-playground').store.selection.hold(
        { group: 'outputs', tensor: 'context', index: [3, 1] })`);
      await page.until(`return find(['ap-waiting', '[data-part="stop"]']) !== undefined`);
      await page.run(`find(['ap-waiting', '[data-part="stop"]']).click()`);
      await page.until(`return find(['ap-waiting', '[data-part="stop"]']) === undefined`);
      equal(await page.run(`return document.querySelector('attention-playground').store.wait.slow`), false,
        'nothing runs');
      ok((await page.count('ap-flow', 'ap-matrix')) > 0, 'the result stays');
      await open(page, { ...hops, seed: 7, mechanism: { type: 'multi-hop', hops: 2 } });
      await page.settled();
      equal(await page.run(`return document.querySelector('attention-playground').store.sessions.result.directory`
        + `.document.seed`), 7, 'the next document');
    },
  },
  {
    name: 'recover: a worker that dies at its work is started again, and the document is computed',
    async run(page) {
      const seed = () => page.run(`return document.querySelector('attention-playground').store.sessions.result`
        + `.directory.document.seed`);
      equal(await killAt(page, work(5), 1), [true], 'it is at its work');
      await page.settled();
      equal(await seed(), 5, 'computed');
      equal(await page.count('ap-flow', '.notice'), 0, 'nothing to tell');
      // Who kills two is told so, and what was shown stays; the next one is computed.
      equal(await killAt(page, work(6), 2), [true, true], 'at its work, and again');
      await page.settled();
      equal(await seed(), 5, 'what was there');
      ok((await page.text('.notice'))?.includes('out of memory'), `told: ${await page.text('.notice')}`);
      await open(page, { ...hops, seed: 7, mechanism: { type: 'multi-hop', hops: 2 } });
      await page.settled();
      equal(await seed(), 7, 'the next');
    },
  },
  {
    name: 'recover: a link that makes thousands of pictures draws the first of them, and more on demand',
    async run(page) {
      await open(page, hops);
      await page.settled();
      const elements = () => page.run(`
        const all = (root) => [...root.querySelectorAll('*')].reduce((sum, one) =>
          sum + 1 + (one.shadowRoot ? all(one.shadowRoot) : 0), 0);
        return all(find(['ap-flow']).shadowRoot);`);
      const few = await elements();
      ok(few < 8000, `${few} elements`);
      await page.run(`find(['ap-flow', '[data-part="more"]']).click()`);
      await page.settled();
      ok((await elements()) > few, 'more of them');
    },
  },
  {
    name: 'recover: a word as long as a book is drawn in short, is never changed by a look at it, and of a crowd of '
      + 'inputs the first are drawn',
    async run(page) {
      await open(page, crowded);
      await page.settled();
      const longest = () => page.run(`
        const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [
          ...(one.localName === 'style' ? [] : [...one.childNodes].filter(({ nodeType }) => nodeType === 3)
            .map(({ data }) => data.length)),
          ...[...one.attributes].map(({ value }) => value.length), ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
        return Math.max(...all(document));`);
      ok((await longest()) < 20_000, `no text of ${await longest()} letters`);
      const [chips] = await page.run(`return [find(['ap-inputs', 'ap-tokens']).shadowRoot
        .querySelectorAll('.chip:not(.dashed)').length]`);
      equal(chips, 2, 'a chip for each word');
      await page.run(`const chip = find(['ap-inputs', 'ap-tokens', '.chip']);
        chip.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, composed: true }));`);
      await page.until(`return find(['ap-inputs', 'ap-tokens', 'input']) !== undefined`);
      await page.run(`find(['ap-inputs', 'ap-tokens', 'input']).dispatchEvent(new FocusEvent('blur'))`);
      await page.settled();
      equal((await page.document()).inputs.x.tokens[0].length, book.length, 'the word is as it was');
      await open(page, { ...crowded, inputs: { ...crowd, x: { ...crowded.inputs.x, tokens: ['a', 'b'] } } });
      await page.until(`return find(['ap-inputs', '[data-part="more"]']) !== undefined`);
      const drawn = () => page.run(
        `return find(['ap-inputs']).shadowRoot.querySelectorAll('[data-input]').length`);
      const few = await drawn();
      ok(few < 30, `${few} of 201 inputs`);
      const widths = await page.count('ap-data', 'ap-knob');
      ok(widths > 2 && widths < 30, `${widths} widths of them`);
      await page.run(`find(['ap-inputs', '[data-part="more"]']).click()`);
      await page.settled();
      ok((await drawn()) > few, 'more of them');
    },
  },
];
