#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// How much faster two workers train than one, in Chromium: the built page's own workers, in an isolated page that draws
// nothing. Milliseconds of a step by the clock, the best stretch of each way: the whole batch by one worker, two shares
// by one worker, and two shares by two workers, whose losses must be equal bit for bit. What the workers do besides
// (pictures, measures) is part of it.
// bench/training/spread.mjs [part of a model's name]; docs/adr/0076 says what follows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, root } from '../lib/browser.mjs';
import { isolated, policy, serve } from '../../tools/serve.mjs';

/** Seconds of one training: with a second worker, both ways are tried first. */
const ALONE = 4, BOTH = 9;
const part = process.argv[2] ?? '';
const cases = [
  ...[8, 16, 64].map((batch) => ['examples/trained/translate.json', batch]),
  ['examples/trained/transformer.json', 32], ['examples/trained/transformer.json', 64],
  ['bench/training/transformer.json', 32], ['bench/training/rnnsearch.json', 32],
].filter(([path, batch]) => `${path} ${batch}`.includes(part));

const assets = readdirSync(join(root, 'build/web/assets'));
const asset = (start, end) => `/assets/${assets.find((name) => name.startsWith(start) && name.endsWith(end))}`;
const browser = await chromium();
const server = await serve(join(root, 'build/web'), 0, '127.0.0.1', policy, isolated);
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/icon.svg`);

/** A training by the page's worker, with a second one or without: its best stretch, and all its losses. */
const trained = (document, helper) => page.evaluate(async ([text, worker, helper, wasm, seconds]) => {
  const absolute = (path) => new URL(path, location).href;
  const port = new Worker(absolute(worker), { type: 'module' });
  const heard = [], losses = [];
  let stopped;
  port.onmessage = ({ data }) => {
    if (data.ended || data.kind === 'refused') throw new Error(JSON.stringify(data));
    if (data.kind === 'progress') {
      heard.push([performance.now(), data.at, data.workers]);
      losses.push(...data.steps.map(({ loss }) => loss));
    }
    if (data.kind === 'begun') port.weights = data.begun.weights;
    if (data.kind === 'stopped') stopped();
  };
  port.postMessage({ kind: 'begin', document: text, wasmUrl: absolute(wasm), helper: helper && absolute(helper) });
  await new Promise((done) => {
    stopped = done;
    port.postMessage({ kind: 'play', pace: 0 });
    setTimeout(() => port.postMessage({ kind: 'pause' }), 1000 * seconds);
  });
  port.terminate();
  // Stretches of at least a tenth of a second that one or two workers took from their start to their end.
  const wanted = helper ? 2 : 1;
  let best = Infinity;
  for (let from = 0; from < heard.length; from++) {
    let to = from;
    while (to + 1 < heard.length && heard[to + 1][2] === wanted && heard[to][0] - heard[from][0] < 100) to++;
    const [[began, first], [ended, last]] = [heard[from], heard[to]];
    if (ended - began >= 100) best = Math.min(best, (ended - began) / (last - first));
  }
  const late = heard.filter(([time]) => time > heard.at(-1)[0] - 1000);
  return { best, weights: port.weights, losses,
    together: late.filter(([, , workers]) => workers === 2).length / late.length };
}, [JSON.stringify(document), asset('trainer-', '.js'), helper, asset('training-relaxed-', '.wasm'),
  helper ? BOTH : ALONE]);

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
row('model', 'batch', 'weights', 'whole batch, one worker, ms', 'two shares, one worker, ms', 'two workers, ms',
  'times as fast', 'two at the end');
row(...Array(8).fill('---'));
for (const [path, batch] of cases) {
  const document = JSON.parse(readFileSync(join(root, path), 'utf8'));
  Object.assign(document.training, { batch, steps: 100_000 });
  const divided = { ...document, training: { ...document.training, shares: 2 } };
  const whole = await trained(document);
  const alone = await trained(divided);
  const both = await trained(divided, asset('share-worker-', '.js'));
  const apart = alone.losses.findIndex((loss, k) => k < both.losses.length && loss !== both.losses[k]);
  if (apart >= 0) throw new Error(`${path}: at step ${apart + 1} two workers have another loss than one`);
  row(path.split('/').at(-1), batch, whole.weights, whole.best.toFixed(2), alone.best.toFixed(2), both.best.toFixed(2),
    (whole.best / both.best).toFixed(2), `${Math.round(100 * both.together)} %`);
}
await browser.close();
server.closeAllConnections();
server.close();
