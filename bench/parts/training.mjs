// SPDX-License-Identifier: Apache-2.0
// Steps of training on one thread: natively, in Chromium, by the other engines of browsers that train, and by PyTorch's
// eager mode where the system has it. All in turn in every round. Natively also what a step costs beside its
// forward pass alone.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

const run = promisify(execFile);
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

// What a step costs, in forward passes: of each round the middle times.
async function shares(model, rounds, milliseconds) {
  const { stdout } = await run(pair, [join(root, address(model)), String(rounds), String(milliseconds)]);
  return stdout.trim().split('\n').map((line) => {
    const [, forward, , step] = line.split(' ').map(Number);
    return { forward, step, ratio: step / forward };
  });
}

async function torch(model, milliseconds) {
  const { stdout } = await run('/usr/bin/python3', [script, model, '1', String(milliseconds)],
    { env: { ...process.env, OMP_NUM_THREADS: '1' } });
  return Number(stdout.trim().split(' ')[1]);
}

async function opened(browser, build, note) {
  const page = await browser.page(note);
  await page.evaluate(async (file) => {
    const { default: create } = await import(file);
    globalThis.training = await create();
  }, `/build/wasm/bin/${build}.mjs`);
  return async (model, milliseconds) => page.evaluate(async ([file, time]) => {
    const text = await (await fetch(file)).text();
    const { session } = JSON.parse(globalThis.training.trainOpen(text, ''));
    globalThis.training.trainStep(session, 10, 1e9);
    const start = performance.now();
    const { taken } = JSON.parse(globalThis.training.trainStep(session, 1e6, time).directory);
    const spent = (performance.now() - start) / taken;
    globalThis.training.trainClose(session);
    return spent;
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

export async function training(browser, { rounds, milliseconds, note }) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const long = 10 * milliseconds; // a step is of milliseconds
  const engines = { native };
  const versions = { native: 'attend train' };
  for (const [name, build] of [['Chromium, relaxed', 'training-relaxed'], ['Chromium, plain', 'training']]) {
    if (!existsSync(join(root, `build/wasm/bin/${build}.mjs`))) continue;
    const step = await opened(browser, build, note);
    engines[name] = (model) => step(model, long);
    versions[name] = browser.version;
  }
  for (const file of ['tfjs', 'jax']) {
    try {
      const { version, step } = await peer(browser, file, note);
      engines[version] = step;
      versions[version] = browser.version;
    } catch (error) {
      note(`training: ${file} is left out: ${error.message}`);
    }
  }
  try {
    versions.PyTorch = (await run('/usr/bin/python3', [script, '--version'])).stdout.trim();
    engines.PyTorch = (model) => torch(model, long);
  } catch {
    // Not installed: left out.
  }
  const rows = models.map((id) => ({
    id, title: JSON.parse(readFileSync(join(root, address(id)), 'utf8')).title, alone: alone.includes(id), times: {},
  }));
  for (const row of rows) {
    note(`training: a step of ${row.id} beside its forward pass`);
    const found = existsSync(pair) ? await shares(row.id, rounds, long) : [];
    if (found.length > 0) row.share = Object.fromEntries(['forward', 'step', 'ratio'].map((name) =>
      [name, middle(found.map((one) => one[name]))]));
  }
  for (let round = 0; round < rounds; round++) {
    note(`training: round ${round + 1} of ${rounds}`);
    for (const row of rows) {
      for (const [name, step] of Object.entries(engines)) {
        if (row.alone && !name.startsWith('Chromium') && name !== 'native') continue;
        (row.times[name] ??= []).push(await step(row.id));
      }
    }
  }
  return {
    versions,
    rows: rows.map(({ id, title, times, share }) => ({
      id, title, ...(share ? { share } : {}), engines: Object.fromEntries(Object.entries(times)
        .map(([name, list]) => [name, { best: Math.min(...list), middle: middle(list) }])),
    })),
  };
}
