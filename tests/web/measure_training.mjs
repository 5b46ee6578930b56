#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What it takes to train a document of examples/trained/ in the page, in Chromium, from its first weights to its end:
// node tests/web/measure_training.mjs [name] [--pace 120] [--until STEPS] [--json]. A pace of 0 is as fast as it goes.
// Clock times are those of this machine with all that runs beside it; `processor` is what the training's own thread
// took, which that does not change. Learning is seen when the loss of ten steps is three quarters of that of the first
// ten, and a cell of the map has moved by a tenth. Nothing is asserted.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';

const { values: asked, positionals: [name = 'translate'] } = parseArgs({ allowPositionals: true,
  options: { pace: { type: 'string' }, until: { type: 'string' }, json: { type: 'boolean' } } });
const document = JSON.parse(readFileSync(new URL(`../../examples/trained/${name}.json`, import.meta.url), 'utf8'));
const training = `find(['ap-train-bar']).desk.training`;

// Watches from inside: what the page itself has heard, by its own clock.
const watch = (page, until) => page.run(`
  const training = ${training};
  const begun = performance.now();
  const first = training.picture.weights;
  const seen = { steps: [] };
  const mean = (list) => list.reduce((sum, { loss }) => sum + loss, 0) / list.length;
  const look = () => {
    const { steps, pictures } = training.history;
    const moved = Math.max(0, ...(pictures.at(-1)?.weights ?? []).map((x, k) => Math.abs(x - first[k])));
    const now = (performance.now() - begun) / 1000;
    seen.step ??= steps.length > 0 ? now : undefined;
    if (steps.length > 20 && mean(steps.slice(-10)) < 0.75 * mean(steps.slice(0, 10)) && moved > 0.1)
      seen.learns ??= { seconds: now, step: steps.length };
    if (now >= 30) seen.thirty ??= { step: training.step, ...training.lastMeasured };
  };
  const timer = setInterval(look, 20);
  training.play(values[0] ?? undefined);
  while (training.phase === 'playing') await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(timer);
  look();
  return { ...seen, steps: training.step, seconds: (performance.now() - begun) / 1000, last: training.lastMeasured,
    rows: Array.from(training.picture.weights), wrote: training.picture.written };`, until);

const server = await serve(fileURLToPath(new URL('../../build/web', import.meta.url)));
const browser = await browsers.chromium();
const driver = await browser.open({ width: 1440, height: 900 });
const origin = `http://127.0.0.1:${server.address().port}`;
const page = new Page(driver, origin);
await page.go(`${origin}/`);
await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, document);
await page.settled();
await page.click('ap-header', '[data-place="train"]');
await page.until(`return find(['ap-train-bar'])?.desk.training.phase === 'ready' && !!${training}.picture`);
if (asked.pace !== undefined) await page.run(`${training}.pace = values[0]`, Number(asked.pace));
let found;
const spent = await driver.spentDuring(async () => {
  found = await watch(page, asked.until === undefined ? null : Number(asked.until));
});
await page.close();
await browser.close();
server.close();

const processor = Object.fromEntries(Object.entries(spent).filter(([, ms]) => ms > 100)
  .map(([thread, ms]) => [thread, Math.round(ms) / 1000]));
if (asked.json) console.log(JSON.stringify({ ...found, processor }, null, 2));
else {
  const { seconds, steps, step, learns, thirty, last, wrote, rows } = found;
  const shares = ({ accuracy, alignment, agrees, heldOut }) =>
    `words ${accuracy.toFixed(3)}, looks ${alignment?.toFixed(3)}, or agrees ${agrees?.toFixed(3)} of ${heldOut}`;
  console.log(`first step heard of after ${step.toFixed(2)} s, learning seen after ${learns?.seconds.toFixed(2)} s `
    + `(step ${learns?.step})`);
  console.log(`${steps} steps in ${seconds.toFixed(1)} s; processor seconds by thread: ${JSON.stringify(processor)}`);
  if (thirty) console.log(`after 30 s at step ${thirty.step}: ${shares(thirty)}`);
  console.log(`at the end: ${shares(last)}`);
  console.log(`${wrote.join(' ')}: ${rows.map((x) => x.toFixed(2)).join(' ')}`);
}
