// SPDX-License-Identifier: Apache-2.0
import { append } from '../lists.ts';
import type { Checkpoint, Held, Measured, Picture, Progress, Scene, Step } from './messages.ts';

/** So many checkpoints to go on from; the first and the newest stay. */
const MOST = 20;

/**
 * What a training showed so far, by step: curves, pictures of the pinned example, checkpoints to go on from. A list
 * only grows at its end, or another takes its place.
 */
export class History {
  steps: Step[] = [];
  measured: Measured[] = [];
  pictures: Picture[] = [];
  checkpoints: Checkpoint[] = [];
  /** What of the held-out examples is shown, as long as the training is the same. */
  held: Held[] = [];
  private scene: Scene | undefined;

  add({ steps, measured, scene, held, shots, checkpoints }: Partial<Progress>): void {
    this.held = held ?? this.held;
    append(this.steps, steps ?? []);
    append(this.measured, measured ?? []);
    this.scene = scene ?? this.scene;
    for (const shot of shots ?? []) this.pictures.push({ ...this.scene!, ...shot });
    for (const checkpoint of checkpoints ?? []) this.keep(checkpoint);
  }

  // A pause makes one besides the regular ones: of one step there is one.
  private keep(checkpoint: Checkpoint): void {
    if (this.checkpoints.at(-1)?.step === checkpoint.step) this.checkpoints.pop();
    this.checkpoints.push(checkpoint);
    if (this.checkpoints.length > MOST) this.checkpoints.splice(1, 1);
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

  /**
   * Forgets what came after a step: the training goes on from there. The lists are new ones, so that what was drawn
   * from the old is not added to.
   */
  cut(step: number): void {
    const until = <T extends { step: number }>(list: readonly T[]) => list.filter((one) => one.step <= step);
    this.steps = until(this.steps);
    this.measured = until(this.measured);
    this.pictures = until(this.pictures);
    this.checkpoints = until(this.checkpoints);
  }
}
