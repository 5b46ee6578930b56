// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import { cell, computedOnce } from '../state/cells.ts';
import { History } from './history.ts';
import type { Measured, Picture } from './messages.ts';

/**
 * What a training showed, and which moment of it is looked at. Each getter wakes its readers only when what it gives is
 * another: steps come by the hundred a second, pictures and measurements more seldom.
 */
export class Moments {
  history = new History();
  protected now = 0;
  private readonly seen = signal<number | undefined>(undefined);
  /** Grows at most once a frame while steps are taken; whoever draws each of them reads it. */
  @cell news = 0;
  /** Grows when something was measured, and when it began, stopped or failed. */
  @cell turns = 0;
  private due = false;

  /** `soon`: when steps are shown; with the next frame, however many messages come before it. */
  constructor(
    private readonly soon: (work: () => void) => void = (work) => void requestAnimationFrame(work),
  ) {}

  /** The newest step. */
  get step(): number {
    void this.news;
    return this.now;
  }

  /** No step was taken yet. */
  @computedOnce get untaken(): boolean {
    return this.step === 0;
  }

  /** The true alignment of the pinned example is known. */
  @computedOnce get links(): boolean {
    void this.turns;
    return (this.history.pictures.at(-1)?.links.length ?? 0) > 0;
  }

  /** The step that is looked at. */
  get looksAt(): number {
    return this.seen.value ?? this.step;
  }

  get looksBack(): boolean {
    return this.seen.value !== undefined;
  }

  /** The pinned example at the step that is looked at. */
  @computedOnce get picture(): Picture | undefined {
    void this.news;
    return History.at(this.history.pictures, this.looksAt);
  }

  /** What was measured at the step that is looked at. */
  @computedOnce get measured(): Measured | undefined {
    void this.news;
    return History.at(this.history.measured, this.looksAt);
  }

  /** What was measured last. */
  @computedOnce get lastMeasured(): Measured | undefined {
    void this.news;
    return this.history.measured.at(-1);
  }

  @computedOnce get isMeasured(): boolean {
    return this.lastMeasured !== undefined;
  }

  /** Looks at an earlier step; undefined is now. */
  look(step: number | undefined): void {
    this.seen.value = step === undefined || step >= this.now ? undefined : Math.max(0, Math.round(step));
  }

  protected changed(): void {
    this.news++;
    this.turns++;
  }

  /** Steps were taken: many of them make one frame. */
  protected showSoon(): void {
    if (this.due) return;
    this.due = true;
    this.soon(() => {
      this.due = false;
      this.news++;
    });
  }
}
