// SPDX-License-Identifier: Apache-2.0
import type { Progress } from './messages.ts';

/** Between two messages about steps, in milliseconds: a page draws no more often. */
export const APART = 25;

/** Puts what came of several steps into one message, so that a fast training sends no more of them than a slow one. */
export class Gathered {
  private held: Progress | undefined;
  private sent = -Infinity;

  constructor(
    private readonly send: (progress: Progress) => void,
    private readonly now: () => number,
  ) {}

  add(news: Progress): void {
    // What came after the good step is told apart from what was good, and from what comes after it.
    const failed = news.failure !== undefined;
    if (failed) this.flush();
    const { held } = this;
    this.held = held === undefined ? news : {
      ...news,
      steps: [...held.steps, ...news.steps], measured: [...held.measured, ...news.measured],
      shots: [...held.shots, ...news.shots], checkpoints: [...held.checkpoints, ...news.checkpoints],
      ...(held.scene ? { scene: held.scene } : {}), ...(held.held ? { held: held.held } : {}),
      ...(held.reached ? { reached: true } : {}),
    };
    if (failed || this.now() - this.sent >= APART) this.flush();
  }

  /** Forgets what is held: the training goes back behind it. */
  drop(): void {
    this.held = undefined;
  }

  /** Sends what is held, before a training is left alone. */
  flush(): void {
    const { held } = this;
    this.held = undefined;
    if (held === undefined) return;
    this.sent = this.now();
    this.send(held);
  }
}
