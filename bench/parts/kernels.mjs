// SPDX-License-Identifier: Apache-2.0
// The kernels by themselves, natively and as WebAssembly in Node and in Chromium, beside the peak of the same build.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inPage, native, webAssembly } from '../lib/calls.mjs';
import { measure } from '../lib/rates.mjs';
import { root } from '../lib/browser.mjs';

const file = (preset, name) => join(root, 'build', preset, 'bench', name);

// Before 22, Node has relaxed SIMD only on demand.
const runsRelaxed = () => process.execArgv.includes('--experimental-wasm-relaxed-simd')
  || Number(process.versions.node.split('.')[0]) >= 22;

export async function kernels(browser, { rounds, note }) {
  const builds = [
    { title: 'native', open: () => native(file('release', 'attend_bench')), needs: file('release', 'attend_bench') },
    { title: 'Node, plain', open: () => webAssembly(file('wasm', 'attend_bench.mjs')) },
    ...(runsRelaxed() ? [{ title: 'Node, relaxed', open: () => webAssembly(file('wasm-relaxed', 'attend_bench.mjs')) }]
    : []),
    { title: 'Chromium, plain', open: () => inPage(browser, '/build/wasm/bench/attend_bench.mjs') },
    { title: 'Chromium, relaxed', open: () => inPage(browser, '/build/wasm-relaxed/bench/attend_bench.mjs') },
  ];
  const columns = [];
  for (const { title, open, needs } of builds) {
    if (needs && !existsSync(needs)) continue;
    note(`kernels: ${title}`);
    const engine = await open();
    columns.push({ title, ...(await measure(engine, rounds)) });
    await engine.close();
  }
  return { columns };
}
