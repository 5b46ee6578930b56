// SPDX-License-Identifier: Apache-2.0
// From a slider's move to its picture, and a movement of the pointer, by the page's own marks: what
// tests/web/measure.mjs prints.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

/** What it prints, as this part's rows. */
export function readRows(text) {
  return JSON.parse(text).map(({ tokens, heads, median: middle, late, blocked, longest, hover, hoverLate, hoverLeast,
    formula }) => ({ tokens, heads, middle, late, blocked, longest, hover, hoverLate, hoverLeast, formula }));
}

export async function sliders(_browser, { rounds, note }) {
  note('sliders');
  const { stdout } = await promisify(execFile)(process.execPath,
    [join(root, 'tests/web/measure.mjs'), '--json', String(Math.max(10, 2 * rounds))]);
  const rows = readRows(stdout);
  if (rows.length === 0 || rows.some(({ middle }) => !Number.isFinite(middle)))
    throw new Error(`tests/web/measure.mjs says nothing that is understood:\n${stdout}`);
  return { rows };
}
