// SPDX-License-Identifier: Apache-2.0
// Attention in Chromium: every engine on the same numbers, forward and with gradients, beside the multiply-add peak.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/browser.mjs';
import { quiet } from '../lib/quiet.mjs';
import { describe, works } from '../lib/work.mjs';
import { onnx } from '../models/onnx.mjs';
import { tflite } from '../models/tflite.mjs';

export const engines = [
  { id: 'relaxed', module: 'direct', options: { build: 'relaxed' } },
  { id: 'plain', module: 'direct', options: { build: 'plain' } },
  { id: 'relaxed, array given', module: 'direct', options: { build: 'relaxed', given: true } },
  { id: 'plain, array given', module: 'direct', options: { build: 'plain', given: true } },
  { id: 'LiteRT.js', module: 'litert' },
  { id: 'onnxruntime-web', module: 'onnxruntime' },
  { id: 'tfjs', module: 'tfjs' },
  { id: 'jax-js', module: 'jax' },
];

const peakModule = '/build/wasm-relaxed/bench/attend_bench.mjs';
const patience = 120_000; // milliseconds: an engine may take this long to make one piece of work ready

function writeModels(chosen) {
  const folder = join(root, 'build/bench/models');
  mkdirSync(folder, { recursive: true });
  for (const id of chosen) {
    writeFileSync(join(folder, `${id}.onnx`), onnx(id));
    if (!describe(id).gradient) writeFileSync(join(folder, `${id}.tflite`), tflite(id));
  }
}

const within = (promise, what) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${patience / 1000} s`)), patience); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

async function open(browser, { id, module, options }, note) {
  const page = await browser.page((text) => note(`  ${id}: ${text.slice(0, 200)}`));
  const version = await within(page.evaluate(([name, given]) => globalThis.bench.start(name, given), [module, options]),
    id);
  await page.evaluate((address) => globalThis.bench.loadPeak(address), peakModule);
  return { id, page, version };
}

const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

// The best round and the middle of the rounds, of the quiet ones where there were a few; shares are of the peak
// of the same round, the best that any page saw.
function summary(id, all, peaks) {
  const { operations } = describe(id);
  const calm = all.filter((round) => round.quiet);
  const rounds = calm.length >= 3 ? calm : all;
  const rate = (milliseconds) => operations / milliseconds / 1e6;
  const best = all.reduce((a, b) => (b.best < a.best ? b : a));
  const shares = rounds.map(({ best: taken, index }) => rate(taken) / peaks[index]);
  return {
    milliseconds: best.best,
    rate: rate(best.best),
    quiet: calm.length,
    median: rate(middle(rounds.map((one) => one.middle))),
    share: rate(best.best) / Math.max(...peaks),
    medianShare: middle(shares),
  };
}

// The page that is in front: Chromium gives the processes of the others a lower priority.
async function inFront({ page }, method, ...given) {
  await page.bringToFront();
  return page.evaluate(([name, all]) => globalThis.bench[name](...all), [method, given]);
}

async function measureOne(id, opened, { rounds, milliseconds, patience, note }) {
  const ready = [];
  const found = {};
  for (const one of opened) {
    try {
      const prepared = await within(inFront(one, 'prepare', id), `${one.id} ${id}`);
      if (!prepared) continue;
      await inFront(one, 'warm', id, Math.max(250, 2 * milliseconds));
      ready.push({ ...one, difference: prepared.difference, rounds: [] });
    } catch (problem) {
      note(`  ${one.id} ${id}: ${String(problem).split('\n')[0].slice(0, 200)}`);
      found[one.id] = { failed: String(problem).split('\n')[0].slice(0, 200) };
    }
  }
  const peaks = [];
  for (let index = 0; index < rounds; index++) {
    peaks[index] = 0;
    for (const one of ready) {
      const calm = await quiet(patience);
      const result = await inFront(one, 'round', id, milliseconds);
      one.rounds.push({ ...result, index, quiet: calm });
      peaks[index] = Math.max(peaks[index], result.peak);
    }
  }
  for (const one of ready) {
    found[one.id] = { difference: one.difference, ...summary(id, one.rounds, peaks) };
    await one.page.evaluate((name) => globalThis.bench.free(name), id);
  }
  return { id, title: describe(id).title, peak: Math.max(0, ...peaks), engines: found };
}

/** Measures the works on the engines that `engine` and `work` let through; without a name of either, on all. */
export async function attention(browser, settings) {
  const { note, works: asked, engines: wanted } = settings;
  const chosen = works.filter((id) => asked.length === 0 || asked.some((part) => id.includes(part)));
  writeModels(chosen);
  const opened = [];
  for (const engine of engines.filter(({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part)))) {
    try {
      opened.push(await open(browser, engine, note));
    } catch (problem) {
      note(`  ${engine.id} did not start: ${String(problem).split('\n')[0]}`);
    }
  }
  const results = [];
  for (const id of chosen) {
    note(`attention: ${id}`);
    results.push(await measureOne(id, opened, settings));
  }
  for (const { page } of opened) await page.close();
  return { versions: Object.fromEntries(opened.map(({ id, version }) => [id, version])), results };
}
