#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Would it pay to spread a step's examples over two workers? In Chromium: a step with half a batch beside one with a
// whole one (by the thread's processor time), and what it costs to hand gradients to another worker and to get weights
// back, as a page without shared memory has to. bench/training/spread.mjs [steps] [part of a model's name];
// docs/adr/0076 says what follows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, root } from '../lib/browser.mjs';

const STEPS = Number(process.argv[2] ?? 60), ROUNDS = 3, TRIPS = 400;
const cases = [
  ['examples/trained/translate.json', undefined], ['examples/trained/translate.json', 64],
  ['examples/trained/transformer.json', undefined], ['examples/trained/transformer.json', 64],
].filter(([path]) => path.includes(process.argv[3] ?? ''));

const browser = await chromium();
const page = await browser.page(console.error, browser.apart);
await page.evaluate(async () => {
  const { default: create } = await import('/build/wasm/bin/training-relaxed.mjs');
  globalThis.training = await create();
});
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const spent = async () => {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'ThreadTime').value;
};

/** Milliseconds of a step, the least of the rounds: the same data in each, its programs recorded before. */
async function step(path, batch) {
  const document = JSON.parse(readFileSync(join(root, path), 'utf8'));
  document.training.batch = batch ?? document.training.batch ?? 32;
  document.training.steps = 100_000;
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

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
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
