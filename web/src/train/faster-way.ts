// SPDX-License-Identifier: Apache-2.0
// Whether one worker trains faster or two: where something else needs the second core, two may be slower. Both give the
// same numbers, so a training may change from one to the other at any step.
export type Way = 'alone' | 'together';

/** So many measurements of a way decide, or as many as there are after so many milliseconds. */
const ENOUGH = 24;
/** Before the first of them, as many times more are taken: each worker records a program for every shape of a batch. */
const WARM = 3;
const LIMIT = 3000;
/** So long the faster way is kept before the other is tried again, in milliseconds: twice as long each time. */
const KEPT = 2500;
const KEPT_AT_MOST = 20_000;

const other = (way: Way): Way => (way === 'alone' ? 'together' : 'alone');
// A step of a shape that was not met before takes longer, as does one while something else runs.
const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Infinity;

export class FasterWay {
  private way: Way = 'alone';
  private since: number | undefined;
  private tries = true;
  /** Measurements of the way that is being tried, and whether the other one was never tried. */
  private taken = 0;
  private first = true;
  private kept = KEPT;
  private readonly times: Record<Way, number[]> = { alone: [], together: [] };

  constructor(private readonly now: () => number) {}

  /** Milliseconds of a step. */
  took(way: Way, time: number): void {
    const { [way]: times } = this.times;
    times.push(time);
    this.taken++;
    if (times.length > ENOUGH) times.shift();
  }

  /** How the next steps are to be taken. */
  next(): Way {
    const now = this.now();
    const spent = now - (this.since ??= now);
    const enough = this.first ? WARM * ENOUGH : ENOUGH;
    if (this.tries ? this.taken < enough && (spent < LIMIT || this.taken === 0) : spent < this.kept) return this.way;
    this.since = now;
    this.taken = 0;
    if (this.tries && this.times[other(this.way)].length > 0) {
      const way = middle(this.times.together) < middle(this.times.alone) ? 'together' : 'alone';
      // What was tried last turned out to be faster: the machine has changed, or the first trial was disturbed.
      this.kept = this.first || way === this.way ? KEPT : Math.min(KEPT_AT_MOST, 2 * this.kept);
      this.tries = this.first = false;
      return (this.way = way);
    }
    this.tries = true;
    this.way = other(this.way);
    this.times[this.way] = [];
    return this.way;
  }
}
