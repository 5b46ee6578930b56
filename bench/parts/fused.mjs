// SPDX-License-Identifier: Apache-2.0
// Natively, one thread: an attention of a document as the graph computes it, and with the fused node in its place.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

const run = promisify(execFile);
const program = join(root, 'build/release/bench/attend_bench_fuse');
const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

export const kinds = { all: 'every key', causal: 'causal', window: 'a window of 64 on either side',
  blocks: 'blocks of 64', mask: 'blocks of 64, as a given mask' };
const sizes = [[128, 1], [512, 1], [2048, 1], [128, 8]];

export async function fused(_browser, { rounds, milliseconds, note }) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const rows = [];
  for (const [kind, title] of Object.entries(kinds)) {
    for (const [n, heads] of sizes) {
      note(`fused: ${kind}, ${n} tokens, ${heads} heads`);
      const { stdout } = await run(program, [n, heads, kind, rounds, milliseconds].map(String));
      const lines = stdout.trim().split('\n').map((line) => line.split(' ').map(Number));
      const [difference] = lines.pop();
      if (!(difference < 1e-4)) throw new Error(`${kind}, ${n}: differs by ${difference}`);
      const best = (column) => Math.min(...lines.map((line) => line[column]));
      rows.push({ kind, title, n, heads, graph: best(0), fused: best(1), ratio: best(0) / best(1),
        median: middle(lines.map(([a, b]) => a / b)), difference });
    }
  }
  return { rows };
}
