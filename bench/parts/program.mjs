// SPDX-License-Identifier: Apache-2.0
// A compiled program of a thousand small nodes: what evaluating a node costs, natively and as WebAssembly in Node; and
// what it takes natively to make a program of the documents that a reader meets first.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { native, webAssembly } from '../lib/calls.mjs';
import { root } from '../lib/browser.mjs';

const file = (preset, name) => join(root, 'build', preset, 'bench', name);
const nodes = 1000;
const documents = { "the page's first document": 'web/src/state/example.json',
  "README's document": 'examples/see-that-girl-run.json' };

async function compiled(rounds, milliseconds) {
  const measure = file('release', 'attend_bench_compile');
  if (!existsSync(measure)) return [];
  const files = Object.values(documents).map((name) => join(root, name));
  const best = files.map(() => [Infinity, Infinity]);
  let sizes = [];
  for (let round = 0; round < rounds; ++round) {
    const { stdout } = await promisify(execFile)(measure, [String(milliseconds), ...files]);
    const lines = stdout.trim().split('\n').map((line) => line.split(' ').map(Number));
    lines.forEach(([read, compile], at) => {
      best[at] = [Math.min(best[at][0], read), Math.min(best[at][1], compile)];
    });
    sizes = lines.map(([, , count]) => count);
  }
  return Object.keys(documents).map((title, at) =>
    ({ title, nodes: sizes[at], read: best[at][0], compile: best[at][1] }));
}

export async function program(_browser, { rounds, milliseconds, note }) {
  const builds = [
    { title: 'native', path: file('release', 'attend_bench'), open: native },
    { title: 'Node, plain', path: file('wasm', 'attend_bench.mjs'), open: webAssembly },
  ];
  const rows = [];
  for (const { title, path, open } of builds) {
    if (!existsSync(path)) continue;
    note(`program: ${title}`);
    const engine = await open(path);
    await engine.call('bench_compile', nodes);
    let best = Infinity;
    for (let round = 0; round < rounds; ++round) {
      for (let spent = 0; spent < milliseconds;) {
        const { milliseconds: taken, result } = await engine.call('bench_evaluate', 20);
        best = Math.min(best, (1000 * taken) / result);
        spent += taken;
      }
    }
    rows.push({ title, nodes, microseconds: best });
    await engine.close();
  }
  note('program: documents');
  return { rows, documents: await compiled(rounds, milliseconds) };
}
