// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from '@preact/signals-core';
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
  private readonly grown = signal(0);
  private readonly turned = signal(0);
  private due = false;
  private readonly pictureNow = computed(() => {
    void this.grown.value;
    return History.at(this.history.pictures, this.looksAt);
  });
  private readonly measuredNow = computed(() => {
    void this.grown.value;
    return History.at(this.history.measured, this.looksAt);
  });
  private readonly lastNow = computed(() => {
    void this.grown.value;
    return this.history.measured.at(-1);
  });
  private readonly linksNow = computed(() => {
    void this.turned.value;
    return (this.history.pictures.at(-1)?.links.length ?? 0) > 0;
  });
  private readonly isMeasuredNow = computed(() => this.lastNow.value !== undefined);
  private readonly isPicturedNow = computed(() => this.pictureNow.value !== undefined);
  private readonly untakenNow = computed(() => this.step === 0);

  /** `soon`: when steps are shown; with the next frame, however many messages come before it. */
  constructor(
    private readonly soon: (work: () => void) => void = (work) => void requestAnimationFrame(work),
  ) {}

  /** Grows at most once a frame while steps are taken; whoever draws each of them reads it. */
  get news(): number {
    return this.grown.value;
  }

  /** Grows when something was measured, and when it began, stopped or failed. */
  get turns(): number {
    return this.turned.value;
  }

  /** The newest step. */
  get step(): number {
    void this.grown.value;
    return this.now;
  }

  /** No step was taken yet. */
  get untaken(): boolean {
    return this.untakenNow.value;
  }

  /** The true alignment of the pinned example is known. */
  get links(): boolean {
    return this.linksNow.value;
  }

  /** The step that is looked at. */
  get looksAt(): number {
    return this.seen.value ?? this.step;
  }

  get looksBack(): boolean {
    return this.seen.value !== undefined;
  }

  /** The pinned example at the step that is looked at. */
  get picture(): Picture | undefined {
    return this.pictureNow.value;
  }

  /** There is one; whoever only asks that is not told of each. */
  get isPictured(): boolean {
    return this.isPicturedNow.value;
  }

  /** What was measured at the step that is looked at. */
  get measured(): Measured | undefined {
    return this.measuredNow.value;
  }

  /** What was measured last. */
  get lastMeasured(): Measured | undefined {
    return this.lastNow.value;
  }

  get isMeasured(): boolean {
    return this.isMeasuredNow.value;
  }

  /** Looks at an earlier step; undefined is now. */
  look(step: number | undefined): void {
    this.seen.value = step === undefined || step >= this.now ? undefined : Math.max(0, Math.round(step));
  }

  protected changed(): void {
    this.grown.value++;
    this.turned.value++;
  }

  /** Steps were taken: many of them make one frame. */
  protected showSoon(): void {
    if (this.due) return;
    this.due = true;
    this.soon(() => {
      this.due = false;
      this.grown.value++;
    });
  }
}
