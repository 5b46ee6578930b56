// SPDX-License-Identifier: Apache-2.0
// A compiled program of a thousand small nodes: what evaluating a node costs, natively and as WebAssembly in Node.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { native, webAssembly } from '../lib/calls.mjs';
import { root } from '../lib/browser.mjs';

const file = (preset, name) => join(root, 'build', preset, 'bench', name);
const nodes = 1000;

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
  return { rows };
}
