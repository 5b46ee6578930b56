// SPDX-License-Identifier: Apache-2.0
import type { Measures, Picture, Progress, Step } from './messages.ts';

/** So many checkpoints to go on from; the first and the newest stay. */
const MOST = 20;

export type Measured = Measures & { step: number };

/** What a training showed so far, by step: curves, pictures of the pinned example, checkpoints to go on from. */
export class History {
  readonly steps: Step[] = [];
  readonly measured: Measured[] = [];
  readonly pictures: Picture[] = [];
  readonly checkpoints: { step: number; bytes: Uint8Array }[] = [];

  add(now: number, news: Pick<Progress, 'steps' | 'measures' | 'picture' | 'checkpoint'>): void {
    this.steps.push(...news.steps);
    if (news.measures) this.measured.push({ ...news.measures, step: now });
    if (news.picture) this.pictures.push(news.picture);
    // A pause makes one besides the regular ones: of one step there is one.
    if (news.checkpoint) {
      if (this.checkpoints.at(-1)?.step === now) this.checkpoints.pop();
      this.checkpoints.push({ step: now, bytes: news.checkpoint });
      if (this.checkpoints.length > MOST) this.checkpoints.splice(1, 1);
    }
  }

  /** The newest at or before a step. */
  static at<T extends { step: number }>(list: readonly T[], step: number): T | undefined {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]!.step <= step) low = middle + 1;
      else high = middle;
    }
    return list[low - 1] ?? list[0];
  }

  /** Forgets what came after a step: the training goes on from there. */
  cut(step: number): void {
    for (const list of [this.steps, this.measured, this.pictures, this.checkpoints] as { step: number }[][]) {
      const first = list.findIndex((one) => one.step > step);
      if (first >= 0) list.length = first;
    }
  }
}
