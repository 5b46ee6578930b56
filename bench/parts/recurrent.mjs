// SPDX-License-Identifier: Apache-2.0
// Natively, one thread: every recurrent core that has chunks, beside the kernel that is nearest to it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';

const run = promisify(execFile);
const program = join(root, 'build/release/bench/attend_bench_recurrent');
const attend = join(root, 'build/bin/attend');

/** What a core is held to: twice the time of its kernel, and so many megabytes beyond inputs and output. */
export const held = { times: 2, megabytes: 8 };

// What is looked up and taken off has a strength; beside a ridge (lambda) it is that of what is written.
const erases = (names) => ['beta', 'a', 'b'].some((name) => names.includes(name)) && !names.includes('lambda');

/** The cores that compute rows in chunks, and whether they take something off their memory. */
export function chunked(mechanisms) {
  return mechanisms
    .filter((one) => one.kind === 'core' && one.always_causal && one.knobs.some(({ name }) => name === 'chunk'))
    .map(({ id, parameters }) => ({ id, erases: erases(parameters.map(({ name }) => name)) }));
}

/** The program's lines as rows. */
export function rowsOf(text, cores) {
  return text.trim().split('\n').map((line, i) => {
    const [chunks, steps, linear, delta, megabytes, byStep] = line.split(' ').slice(1).map(Number);
    const kernel = cores[i].erases ? delta : linear;
    return { ...cores[i], chunks, steps, kernel, times: chunks / kernel, megabytes, byStep };
  });
}

export async function recurrent(_browser, { rounds, note, tokens = 16384, width = 64 }) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const { stdout: catalogue } = await run(attend, ['catalogue'], { maxBuffer: 1 << 28 });
  const cores = chunked(JSON.parse(catalogue).mechanisms);
  note(`recurrent: ${cores.length} cores, ${tokens} tokens`);
  const { stdout } = await run(program, [tokens, width, rounds, ...cores.map(({ id }) => id)].map(String));
  return { tokens, width, rows: rowsOf(stdout, cores) };
}
