// SPDX-License-Identifier: Apache-2.0
// Whether one worker trains faster or two: where something else needs the second core, two may be slower. Both give the
// same numbers, so a training may change from one to the other at any step.
export type Way = 'alone' | 'together';

/** So many measurements of a way decide, or as many as there are after so many milliseconds. */
const ENOUGH = 24;
const LIMIT = 3000;
/** So long the faster way is kept before the other is tried again, in milliseconds. */
const KEPT = 10_000;

const other = (way: Way): Way => (way === 'alone' ? 'together' : 'alone');
// A step of a shape that was not met before takes longer, as does one while something else runs.
const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Infinity;

export class FasterWay {
  private way: Way = 'alone';
  private since: number | undefined;
  private tries = true;
  private readonly times: Record<Way, number[]> = { alone: [], together: [] };

  constructor(private readonly now: () => number) {}

  /** Milliseconds of a step. */
  took(way: Way, time: number): void {
    const { [way]: times } = this.times;
    times.push(time);
    if (times.length > ENOUGH) times.shift();
  }

  /** How the next steps are to be taken. */
  next(): Way {
    const now = this.now();
    const spent = now - (this.since ??= now);
    const own = this.times[this.way];
    if (this.tries ? own.length < ENOUGH && (spent < LIMIT || own.length === 0) : spent < KEPT) return this.way;
    this.since = now;
    if (this.tries && this.times[other(this.way)].length > 0) {
      this.tries = false;
      return (this.way = middle(this.times.together) < middle(this.times.alone) ? 'together' : 'alone');
    }
    this.tries = true;
    this.way = other(this.way);
    this.times[this.way] = [];
    return this.way;
  }
}
