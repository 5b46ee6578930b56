// SPDX-License-Identifier: Apache-2.0
// What a change of each system of the literature costs in the page: what tests/web/measure_systems.mjs prints.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

/** What it prints, as this part's rows, the slowest first. */
export function readSystems(text) {
  return JSON.parse(text).map(({ id, worker, page, picture }) => ({ id, worker, page, both: worker + page, picture }))
    .toSorted((a, b) => b.both - a.both);
}

export async function systems(_browser, { rounds, works, note }) {
  note('systems');
  const { stdout } = await promisify(execFile)(process.execPath,
    [join(root, 'tests/web/measure_systems.mjs'), '--json', String(Math.min(5, Math.max(2, rounds))),
    ...(works.length > 0 ? ['--works', works.map((part) => `${part}*`).join(',')] : [])], { maxBuffer: 2 ** 24 });
  const rows = readSystems(stdout);
  // A system that the page refuses has no figures.
  if (rows.length === 0 || rows.some(({ both }) => !Number.isFinite(both)))
    throw new Error(`tests/web/measure_systems.mjs says nothing that is understood:\n${stdout}`);
  return { rows };
}
