// SPDX-License-Identifier: Apache-2.0
// Runs in a page (and in Node's smoke test): holds one engine and the work that it has prepared, and times calls.
import { difference } from '../lib/reference.mjs';
import { work } from '../lib/work.mjs';

let engine;
let peakModule;
let shapes; // the two that suit this browser best
const prepared = new Map();

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Loads ../engines/NAME.mjs; returns the version that it names. */
export async function start(name, options) {
  const { create } = await import(`../engines/${name}.mjs`);
  engine = await create(options);
  return engine.version;
}

/** Loads the multiply-add loops, as the relaxed build of the benchmarks has them. */
export async function loadPeak(address) {
  const { default: load } = await import(address);
  peakModule = await load();
  const end = performance.now() + 150;
  while (performance.now() < end) peakOnce(variants());
  await wait(30); // the browser's best code is ready a little later
  const rates = variants().map((variant) => [Math.max(peakOnce([variant]), peakOnce([variant])), variant]);
  shapes = rates.toSorted(([a], [b]) => b - a).slice(0, 2).map(([, variant]) => variant);
}

const variants = () => Array.from({ length: peakModule._bench_peak_variants() }, (_, variant) => variant);

function peakOnce(chosen) {
  const steps = 400_000; // about a millisecond: long for the clock, short beside a time slice
  let best = 0;
  for (const variant of chosen) {
    const start = performance.now();
    peakModule._bench_peak(variant, steps);
    const taken = performance.now() - start;
    best = Math.max(best, peakModule._bench_peak_operations(variant, steps) / taken / 1e6);
  }
  return best;
}

/** GFLOP/s of multiplications and additions in registers, the best within some milliseconds. */
export function peak(milliseconds = 8) {
  if (!peakModule) return Number.NaN;
  const end = performance.now() + milliseconds;
  let best = 0;
  do best = Math.max(best, peakOnce(shapes));
  while (performance.now() < end);
  return best;
}

/** Milliseconds in which so many floats are read once, in one stream or in four: the best of several times. */
export function reading(count) {
  let best = Infinity;
  for (let round = 0; peakModule && round < 16; round++) {
    const start = performance.now();
    peakModule._bench_read(count, round % 2 === 0 ? 1 : 4);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Makes the work ready and checks its first result; null when the engine has no such work. */
export async function prepare(id) {
  const task = work(id);
  if (!engine.can(task)) return null;
  const start = performance.now();
  const ready = await engine.prepare(task);
  const preparing = performance.now() - start;
  await ready.run();
  prepared.set(id, { ready, calls: 1 });
  return { difference: difference(task, ready.output()), preparing };
}

/** The first result of an engine that has just been started. */
export async function first(id) {
  const ready = await engine.prepare(work(id));
  await ready.run();
  return ready.output().length;
}

async function timed(ready, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const result = ready.run();
    if (result?.then) await result;
  }
  return performance.now() - start;
}

/** Lets the engine's code settle, and finds how many calls last long enough for the clock. */
export async function warm(id, milliseconds, enough = 1) {
  const one = prepared.get(id);
  const end = performance.now() + milliseconds;
  do {
    const taken = await timed(one.ready, one.calls);
    if (taken < enough) one.calls = Math.ceil(one.calls * Math.min(8, Math.max(1.3, enough / Math.max(taken, 0.005))));
  } while (performance.now() < end);
  return one.calls;
}

/** One round: the best and the middle time of a call, in milliseconds, and the peak around it. */
export async function round(id, milliseconds) {
  const { ready, calls } = prepared.get(id);
  const before = peak();
  const times = [];
  const end = performance.now() + milliseconds;
  do times.push((await timed(ready, calls)) / calls);
  while (performance.now() < end || times.length < 2);
  times.sort((a, b) => a - b);
  return { best: times[0], middle: times[times.length >> 1], peak: Math.max(before, peak()) };
}

export function free(id) {
  prepared.get(id)?.ready.free();
  prepared.delete(id);
}
