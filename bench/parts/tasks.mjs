// SPDX-License-Identifier: Apache-2.0
// The longest tasks of the page's own thread while a reader does what draws much: what tests/web/measure_tasks.mjs
// prints.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

export async function tasks(_browser, { rounds, note }) {
  note('tasks');
  const { stdout } = await promisify(execFile)(process.execPath,
    [join(root, 'tests/web/measure_tasks.mjs'), '--json', '--rounds', String(Math.min(rounds, 3))]);
  return { rows: JSON.parse(stdout) };
}
