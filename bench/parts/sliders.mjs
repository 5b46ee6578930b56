// SPDX-License-Identifier: Apache-2.0
// From a slider's move to its picture, by the page's own marks: what tests/web/measure.mjs prints.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

const line = /^(\d+) tokens, (\d+) heads: median ([\d.]+) ms, 95 % ([\d.]+) ms; (\d+) tasks over 50 ms, longest (\d+) ms/;

export function readLines(text) {
  return text.split('\n').map((one) => line.exec(one)?.slice(1).map(Number)).filter(Boolean)
    .map(([tokens, heads, middle, late, blocked, longest]) => ({ tokens, heads, middle, late, blocked, longest }));
}

export async function sliders(_browser, { rounds, note }) {
  note('sliders');
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tests/web/measure.mjs'), String(Math.max(10, 2 * rounds))]);
  const rows = readLines(stdout);
  if (rows.length === 0) throw new Error(`tests/web/measure.mjs says nothing that is understood:\n${stdout}`);
  return { rows };
}
