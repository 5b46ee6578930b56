// SPDX-License-Identifier: Apache-2.0
import type { Engine, Located } from './types.ts';

export interface Timed {
  /** Milliseconds of one run, on average. */
  ms: number;
  runs: number;
  /** How many numbers a run gives: inputs, parameters, steps, outputs. */
  numbers: number;
}

// Clocks in browsers are coarse: short runs are repeated for this long.
const LEAST = 40;
// A first run of this length is no longer dominated by what only the first has to do.
const LONG = 100;

/** Runs documents in turn, so that none finds the numbers of the run before in its place. */
export function timed(engine: Pick<Engine, 'run'>, documents: string[], now = () => performance.now()): Timed | { ok: false; error: Located } {
  const one = (k: number) => engine.run(documents[k % documents.length]!);
  let began = now();
  const { directory, data } = one(0);
  const first = now() - began;
  const parsed = JSON.parse(directory) as { ok: true } | { ok: false; error: Located };
  if (!parsed.ok) return parsed;
  if (first >= LONG) return { ms: first, runs: 1, numbers: data.length };
  began = now();
  let runs = 0;
  do one(++runs);
  while (now() - began < LEAST);
  return { ms: (now() - began) / runs, runs, numbers: data.length };
}
