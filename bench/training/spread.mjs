#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Would it pay to spread a step's examples over two workers? In Chromium: a step with half a batch beside one with a
// whole one (by the thread's processor time), and what it costs to hand gradients to another worker and to get weights
// back, as a page without shared memory has to. With `pair`: two workers of an isolated page, each with half a batch
// and the gradients of both in shared memory, beside one worker with the whole batch (by the clock).
// bench/training/spread.mjs [pair] [steps] [part of a model's name]; docs/adr/0076 says what follows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, root } from '../lib/browser.mjs';

const words = process.argv.slice(2), pairs = words[0] === 'pair';
if (pairs) words.shift();
const STEPS = Number(words[0] ?? 60), ROUNDS = 3, TRIPS = 400;
const cases = [
  ['examples/trained/translate.json', undefined], ['examples/trained/translate.json', 64],
  ['examples/trained/transformer.json', undefined], ['examples/trained/transformer.json', 64],
  ...(pairs ? [['bench/training/transformer.json', undefined], ['bench/training/rnnsearch.json', undefined]] : []),
].filter(([path]) => path.includes(words[1] ?? ''));

const browser = await chromium();
const page = await browser.page(console.error, pairs ? undefined : browser.apart);
if (!pairs) await page.evaluate(async () => {
  const { default: create } = await import('/build/wasm/bin/training-relaxed.mjs');
  globalThis.training = await create();
});
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const spent = async () => {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'ThreadTime').value;
};

const documentOf = (path, batch) => {
  const document = JSON.parse(readFileSync(join(root, path), 'utf8'));
  document.training.batch = batch ?? document.training.batch ?? 32;
  document.training.steps = 100_000;
  return document;
};

/** Milliseconds of a step, the least of the rounds: the same data in each, its programs recorded before. */
async function step(path, batch) {
  const document = documentOf(path, batch);
  const { opened, checkpoint } = await page.evaluate(async ([text, steps]) => {
    const opened = JSON.parse(globalThis.training.trainOpen(text, ''));
    const checkpoint = [...globalThis.training.trainSave(opened.session, 'checkpoint').data];
    globalThis.training.trainStep(opened.session, steps, 1e9);
    return { opened: { session: opened.session, weights: opened.weights }, checkpoint };
  }, [JSON.stringify(document), STEPS]);
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate(([id, bytes]) => void globalThis.training.trainRestore(id, Uint8Array.from(bytes)),
      [opened.session, checkpoint]);
    const before = await spent();
    await page.evaluate(([id, steps]) => void globalThis.training.trainStep(id, steps, 1e9), [opened.session, STEPS]);
    least = Math.min(least, (await spent() - before) / STEPS);
  }
  await page.evaluate((id) => globalThis.training.trainClose(id), opened.session);
  return { time: least, batch: document.training.batch, weights: opened.weights };
}

/**
 * Milliseconds from the gradients in one worker to new weights in it again: they are copied out of the module's memory,
 * sent, added in a fixed order by the other, which sends as many weights back. The least and the middle of all trips.
 */
const trip = (weights) => page.evaluate(async ([count, trips]) => {
  const code = `const own = new Float32Array(${count}).fill(1);
    onmessage = ({ data }) => {
      for (let k = 0; k < own.length; k++) data[k] += own[k];
      postMessage(data, [data.buffer]);
    }`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
  const memory = new Float32Array(count).fill(0.5);
  const times = [];
  for (let k = 0; k < trips; k++) {
    const start = performance.now();
    const sent = memory.slice();
    const back = await new Promise((done) => {
      worker.onmessage = ({ data }) => done(data);
      worker.postMessage(sent, [sent.buffer]);
    });
    memory.set(back);
    memory.fill(0.5);
    times.push(performance.now() - start);
  }
  worker.terminate();
  times.sort((a, b) => a - b);
  return { least: times[0], middle: times[times.length >> 1] };
}, [weights, TRIPS]);

/** Milliseconds of a step by one worker and by two in turn, the best of each; and of two, what meeting takes. */
const together = (whole) => page.evaluate(async ([whole, half, steps, rounds]) => {
  const workers = await Promise.all([0, 1, 2].map(() => new Promise((done) => {
    const worker = new Worker('/bench/training/share.mjs', { type: 'module' });
    worker.onmessage = () => done(worker);
  })));
  const ask = (worker, order) => new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.postMessage(order);
  });
  const [alone, ...two] = workers;
  const { weights } = await ask(alone, { document: whole, share: 0, shares: 1 });
  const gradients = [0, 1, 2, 3].map(() => new SharedArrayBuffer(4 * weights));
  const found = { weights, one: Infinity, two: Infinity, met: Infinity };
  for (let round = 0; round < rounds; round++) {
    found.one = Math.min(found.one, (await ask(alone, { steps })).spent);
    const turns = new SharedArrayBuffer(4);
    await Promise.all(two.map((worker, share) => ask(worker, { document: half, share, shares: 2, gradients, turns })));
    const both = await Promise.all(two.map((worker) => ask(worker, { steps })));
    const spent = Math.max(...both.map((one) => one.spent));
    if (spent < found.two) Object.assign(found, { two: spent, met: Math.min(...both.map((one) => one.met)) });
  }
  for (const worker of workers) worker.terminate();
  return found;
}, [whole, { ...whole, training: { ...whole.training, batch: whole.training.batch / 2 } }]
  .map((document) => JSON.stringify(document)).concat([STEPS, ROUNDS]));

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
if (pairs) {
  row('model', 'batch', 'weights', 'one worker, ms', 'two workers, ms', 'of it meeting, ms', 'times as fast');
  row(...Array(7).fill('---'));
  for (const [path, batch] of cases) {
    const whole = documentOf(path, batch);
    const { weights, one, two, met } = await together(whole);
    row(path.split('/').at(-1), whole.training.batch, weights, one.toFixed(2), two.toFixed(2),
      met.toFixed(2), (one / two).toFixed(2));
  }
  await browser.close();
  process.exit();
}
row('model', 'batch', 'weights', 'whole step, ms', 'half, ms', 'trip, ms: least, middle', 'at most times as fast');
row(...Array(7).fill('---'));
for (const [path, batch] of cases) {
  const whole = await step(path, batch);
  const half = await step(path, whole.batch / 2);
  const { least, middle } = await trip(whole.weights);
  const gain = (cost) => (whole.time / (half.time + cost)).toFixed(2);
  row(path.split('/').at(-1), whole.batch, whole.weights, whole.time.toFixed(2), half.time.toFixed(2),
    `${least.toFixed(2)}, ${middle.toFixed(2)}`, `${gain(least)}, ${gain(middle)}`);
}
await browser.close();
