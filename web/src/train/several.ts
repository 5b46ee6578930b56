// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals-core';
import type { Option } from './axes.ts';
import type { TrainingDocument } from './messages.ts';
import { openTraining } from './open.ts';
import type { Training } from './training.ts';

export interface Cell {
  row: Option;
  column: Option;
  document: TrainingDocument;
  training: Training;
}

/** Between two looks at all cells, a share of the whole training. */
const ROUNDS = 40;

const settled = (work: () => boolean): Promise<void> => new Promise((done) => {
  const stop = effect(() => {
    if (work()) queueMicrotask(() => (stop(), done()));
  });
});

/** Models that differ in one or two choices and learn from the same start, in turns, so that none is ahead. */
export class Several {
  private readonly list = signal<readonly Cell[]>([]);
  private readonly on = signal(false);
  private readonly wanted = signal<Cell | undefined>(undefined);
  private round = 0;

  /** `finished` hears of all models when the last of them is. */
  constructor(private readonly done: (cells: readonly Cell[]) => void) {}

  steps = 0;

  get cells(): readonly Cell[] {
    return this.list.value;
  }

  get playing(): boolean {
    return this.on.value;
  }

  get chosen(): Cell | undefined {
    return this.wanted.value;
  }

  set chosen(cell: Cell | undefined) {
    this.wanted.value = cell;
  }

  get finished(): boolean {
    return this.cells.length > 0 && this.cells.every(({ training }) =>
      training.phase === 'finished' || training.phase === 'refused' || training.failure !== undefined
      || training.reached !== undefined);
  }

  /** Begins anew: a model for each pair of options. */
  begin(document: TrainingDocument, rows: Option[], columns: Option[], steps: number): void {
    this.close();
    this.steps = steps;
    this.list.value = rows.flatMap((row) => columns.map((column): Cell => {
      const own = structuredClone(document);
      own.training.steps = steps;
      row.apply(own);
      column.apply(own);
      const training = openTraining(false);
      training.pace = 0;
      training.begin(own);
      return { row, column, document: own, training };
    }));
    void this.play();
  }

  async play(): Promise<void> {
    if (this.on.value) return;
    this.on.value = true;
    const { cells } = this;
    const lanes = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
    while (this.on.value && cells === this.list.value && !this.finished) {
      const until = (this.round += Math.max(1, Math.ceil(this.steps / ROUNDS)));
      const waiting = [...cells];
      const lane = async () => {
        for (let cell = waiting.shift(); cell && this.on.value; cell = waiting.shift()) await this.turn(cell, until);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    }
    if (cells !== this.list.value) return;
    this.on.value = false;
    if (this.finished) this.done(cells);
  }

  private async turn({ training }: Cell, until: number): Promise<void> {
    await settled(() => training.phase !== 'beginning');
    if (training.step >= until || training.reached !== undefined) return;
    training.play(until);
    await settled(() => training.phase !== 'playing');
  }

  pause(): void {
    this.on.value = false;
    for (const { training } of this.cells) training.pause();
  }

  close(): void {
    this.on.value = false;
    this.round = 0;
    for (const { training } of this.cells) training.close();
    this.list.value = [];
    this.wanted.value = undefined;
  }
}
