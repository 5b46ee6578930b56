// SPDX-License-Identifier: Apache-2.0
// Steps of training on one thread: natively, in Chromium, by the other engines of browsers that train, and by PyTorch's
// eager mode where the system has it. All in turn in every round. Natively also what a step costs beside its
// forward pass alone. Beside each step in Chromium the multiply-add peak: the multiply-adds that the engine counts for
// a step give the share of it.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

const run = promisify(execFile);
const peakModule = '/build/wasm-relaxed/bench/attend_bench.mjs';
const program = join(root, 'build/bin/attend');
const pair = join(root, 'build/release/bench/attend_bench_step');
const script = join(root, 'bench/training.py');
const models = ['rnnsearch', 'transformer', 'tinygpt'];
// Of this shape only our own rate is told.
const alone = ['tinygpt'];
const address = (model) => `bench/training/${model}.json`;
const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

// Milliseconds of a step.
async function native(model) {
  const steps = alone.includes(model) ? '40' : '400';
  const words = ['train', join(root, address(model)), '--every', steps, '--steps', steps, '--to',
    join(tmpdir(), `bench-${model}.safetensors`)];
  const { stdout } = await run(program, words);
  return 1000 / JSON.parse(stdout.trim().split('\n').at(-1)).stepsPerSecond;
}

// What a step costs, in forward passes: of all rounds the middle ones. And the multiply-adds of both, as counted.
async function shares(model, rounds, milliseconds) {
  const { stdout } = await run(pair, [join(root, address(model)), String(rounds), String(milliseconds)]);
  const [counted, ...lines] = stdout.trim().split('\n').map((line) => line.split(' ').map(Number));
  const found = lines.map(([, forward, , step]) => ({ forward, step, ratio: step / forward }));
  return {
    share: Object.fromEntries(['forward', 'step', 'ratio']
      .map((name) => [name, middle(found.map((one) => one[name]))])),
    counted: { forward: counted[0], step: counted[1] },
  };
}

// The share of the peak: of the best step in the best peak, and the middle of the rounds' own.
function ofPeak(count, times, peaks) {
  const rate = (time) => (2 * count) / time / 1e6;
  const peak = Math.max(...peaks);
  return { peak, ofPeak: rate(Math.min(...times)) / peak,
    middleOfPeak: middle(times.map((time, k) => rate(time) / peaks[k])) };
}

async function torch(model, milliseconds) {
  const { stdout } = await run('/usr/bin/python3', [script, model, '1', String(milliseconds)],
    { env: { ...process.env, OMP_NUM_THREADS: '1' } });
  return Number(stdout.trim().split(' ')[1]);
}

// Milliseconds of a step, and the peak of the same moment in GFLOP/s; null where the peak's module is not built.
async function opened(browser, build, note) {
  const page = await browser.page(note);
  await page.evaluate((file) => globalThis.bench.loadPeak(file), peakModule).catch(() => {});
  await page.evaluate(async (file) => {
    const { default: create } = await import(file);
    globalThis.training = await create();
  }, `/build/wasm/bin/${build}.mjs`);
  return async (model, milliseconds) => page.evaluate(async ([file, time]) => {
    const text = await (await fetch(file)).text();
    const { session } = JSON.parse(globalThis.training.trainOpen(text, ''));
    globalThis.training.trainStep(session, 10, 1e9);
    const before = globalThis.bench.peak(40);
    const start = performance.now();
    const { taken } = JSON.parse(globalThis.training.trainStep(session, 1e6, time).directory);
    const spent = (performance.now() - start) / taken;
    globalThis.training.trainClose(session);
    const peak = Math.max(before, globalThis.bench.peak(40));
    return { spent, peak: Number.isNaN(peak) ? null : peak };
  }, [`/${address(model)}`, milliseconds]);
}

// tfjs and jax-js train the models of training/models.mjs, those of training.py.
async function peer(browser, file, note) {
  const page = await browser.page(note);
  const version = await page.evaluate(async (address) => {
    const { create } = await import(address);
    globalThis.peer = await create();
    return globalThis.peer.version;
  }, `/bench/training/${file}.mjs`);
  const step = async (model, milliseconds) => page.evaluate(([name, time]) => {
    // A model stays open from round to round: the first steps compile.
    const models = (globalThis.opened ??= {});
    if (!models[name]) {
      models[name] = globalThis.peer.open(name);
      for (let i = 0; i < 5; i++) models[name].step();
    }
    const start = performance.now();
    let steps = 0;
    do {
      models[name].step();
      ++steps;
    } while (performance.now() - start < time);
    return (performance.now() - start) / steps;
  }, [model, milliseconds]);
  return { version, step };
}

const among = (name, parts) => parts.length === 0 || parts.some((part) => name.includes(part));

export async function training(browser, { rounds, milliseconds, works, engines: wanted, note }) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const long = 10 * milliseconds; // a step is of milliseconds
  const engines = {}, versions = {};
  if (among('native', wanted)) {
    engines.native = native;
    versions.native = 'attend train';
  }
  for (const [name, build] of [['Chromium, relaxed', 'training-relaxed'], ['Chromium, plain', 'training']]) {
    if (!among(name, wanted) || !existsSync(join(root, `build/wasm/bin/${build}.mjs`))) continue;
    const step = await opened(browser, build, note);
    engines[name] = (model) => step(model, long);
    versions[name] = browser.version;
  }
  for (const file of ['tfjs', 'jax'].filter((name) => among(name, wanted))) {
    try {
      const { version, step } = await peer(browser, file, note);
      engines[version] = step;
      versions[version] = browser.version;
    } catch (error) {
      note(`training: ${file} is left out: ${error.message}`);
    }
  }
  if (among('PyTorch', wanted)) try {
    versions.PyTorch = (await run('/usr/bin/python3', [script, '--version'])).stdout.trim();
    engines.PyTorch = (model) => torch(model, long);
  } catch {
    // Not installed: left out.
  }
  const rows = models.filter((id) => among(id, works)).map((id) => ({
    id, title: JSON.parse(readFileSync(join(root, address(id)), 'utf8')).title, alone: alone.includes(id),
    times: {}, peaks: {},
  }));
  for (const row of rows) {
    note(`training: a step of ${row.id} beside its forward pass`);
    if (existsSync(pair)) Object.assign(row, await shares(row.id, rounds, long));
  }
  for (let round = 0; round < rounds; round++) {
    note(`training: round ${round + 1} of ${rounds}`);
    for (const row of rows) {
      for (const [name, step] of Object.entries(engines)) {
        if (row.alone && !name.startsWith('Chromium') && name !== 'native') continue;
        const taken = await step(row.id);
        (row.times[name] ??= []).push(taken.spent ?? taken);
        if (taken.peak) (row.peaks[name] ??= []).push(taken.peak);
      }
    }
  }
  return {
    versions,
    rows: rows.map(({ id, title, times, peaks, share, counted }) => ({
      id, title, ...(share ? { share, counted } : {}), engines: Object.fromEntries(Object.entries(times)
        .map(([name, list]) => [name, { best: Math.min(...list), middle: middle(list),
          ...(counted && peaks[name] ? ofPeak(counted.step, list, peaks[name]) : {}) }])),
    })),
  };
}
