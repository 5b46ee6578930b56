// SPDX-License-Identifier: Apache-2.0
import type { Engine, Located } from './types.ts';

export interface Timed {
  /** Milliseconds of one run: the average of the quickest round. */
  ms: number;
  /** The same of the slowest round; none where there is a single run. */
  slowest?: number;
  runs: number;
  /** How many numbers a run gives: inputs, parameters, steps, outputs. */
  numbers: number;
  /** Outputs that are too large to be given unasked, and so are not among them. */
  left?: string[];
}

// Clocks in browsers are coarse, so short runs are repeated for this long; of these rounds the quickest
// counts, since whatever else the device does can only make one slower.
const LEAST = 20;
const ROUNDS = 3;
// A first run of this length is no longer dominated by what only the first has to do.
const LONG = 100;
// A round of so many runs in which no time passed has a clock that stands still: even one that tells tenths of a second
// only goes on meanwhile.
const MOST = 10_000;

const still = { ok: false as const,
  error: { path: '', message: 'the clock that runs are timed by stands still' } };

/**
 * Runs documents in turn, so that none finds the numbers of the run before in its place. Answers with an error where
 * the engine refuses the first, and where the clock stands still.
 */
export function timed(engine: Pick<Engine, 'run'>, documents: string[],
  now = () => performance.now()): Timed | { ok: false; error: Located } {
  const one = (k: number) => engine.run(documents[k % documents.length]!);
  let began = now();
  const { directory, data } = one(0);
  const first = now() - began;
  const parsed = JSON.parse(directory) as
    { ok: true; left?: { name: string }[] } | { ok: false; error: Located };
  if (!parsed.ok) return parsed;
  const given = { numbers: data.length, ...(parsed.left?.length ? { left: parsed.left.map(({ name }) => name) } : {}) };
  if (first >= LONG) return { ms: first, runs: 1, ...given };
  let [best, slowest, runs] = [Infinity, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    began = now();
    const before = runs;
    do {
      one(++runs);
      if (runs - before >= MOST && now() <= began) return still;
    } while (now() - began < LEAST);
    const each = (now() - began) / (runs - before);
    [best, slowest] = [Math.min(best, each), Math.max(slowest, each)];
  }
  return { ms: best, slowest, runs, ...given };
}
