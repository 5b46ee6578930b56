// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals-core';
import { cell } from '../state/cells.ts';
import type { Option } from './axes.ts';
import type { TrainingDocument } from './messages.ts';
import type { Pool } from './pool.ts';
import { taskOf } from './runs.ts';
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

const isDone = ({ phase, failure, reached }: Training): boolean =>
  phase === 'finished' || phase === 'refused' || failure !== undefined || reached !== undefined;

/**
 * Models that differ in one or two choices and learn from the same start, in turns, so that none is ahead. They share
 * the few workers of a pool, and give them back when they are done or when nobody plays.
 */
export class Several {
  @cell cells: readonly Cell[] = [];
  @cell playing = false;
  @cell chosen: Cell | undefined;
  private round = 0;

  /** `open`: a training in one of the pool's workers. `finished` hears of all models when the last of them is. */
  constructor(private readonly pool: Pool, private readonly open: (open: ReturnType<Pool['lane']>) => Training,
    private readonly done: (cells: readonly Cell[]) => void) {}

  steps = 0;
  /** What was chosen when they began, as a text: the choice may be another by now. */
  choice = '';
  private task = '';

  /** Whether they learn the task of a document: they outlive the document that they began with. */
  about(document: TrainingDocument): boolean {
    return this.cells.length > 0 && this.task === taskOf(document);
  }

  get finished(): boolean {
    return this.cells.length > 0 && this.cells.every(({ training }) => isDone(training));
  }

  /** Steps of all models together: those that were done, and how many there are; what failed has no more to come. */
  get progress(): { done: number; of: number; models: number; left?: number } {
    const { cells, steps } = this;
    const own = cells.map(({ training }) => {
      void training.news;
      return isDone(training) ? steps : Math.min(training.step, steps);
    });
    const done = own.reduce((sum, one) => sum + one, 0);
    const of = cells.length * steps;
    const spent = this.spent + (this.playing ? performance.now() - this.since : 0);
    const models = cells.filter(({ training }) => isDone(training)).length;
    // The first round also starts workers and draws the weights: nothing is estimated from it.
    return { done, of, models, ...(this.playing && done > of / ROUNDS && done < of
      ? { left: ((spent / done) * (of - done)) / 1000 } : {}) };
  }

  // Milliseconds of playing before the last pause, and when playing began.
  private spent = 0;
  private since = 0;

  /** Begins anew: a model for each pair of options. */
  begin(document: TrainingDocument, rows: Option[], columns: Option[], steps: number, choice = ''): void {
    this.close();
    this.steps = steps;
    this.choice = choice;
    this.task = taskOf(document);
    let k = 0;
    this.cells = rows.flatMap((row) => columns.map((column): Cell => {
      const own = structuredClone(document);
      own.training.steps = steps;
      row.apply(own);
      column.apply(own);
      const training = this.open(this.pool.lane(k++));
      training.pace = 0;
      training.begin(own);
      return { row, column, document: own, training };
    }));
    void this.play();
  }

  async play(): Promise<void> {
    if (this.playing) return;
    this.playing = true;
    this.since = performance.now();
    const { cells } = this;
    const { size } = this.pool;
    // Each worker takes those of its lane in turns.
    const lanes = Array.from({ length: size }, (_, lane) => cells.filter((_cell, k) => k % size === lane));
    while (this.playing && cells === this.cells && !this.finished) {
      const until = (this.round += Math.max(1, Math.ceil(this.steps / ROUNDS)));
      await Promise.all(lanes.map(async (lane) => {
        for (const cell of lane) if (this.playing) await this.turn(cell, until);
      }));
    }
    if (cells !== this.cells) return;
    this.halt();
    if (!this.finished) return;
    for (const { training } of cells) training.rest();
    this.done(cells);
  }

  private async turn({ training }: Cell, until: number): Promise<void> {
    await settled(() => training.phase !== 'beginning');
    if (!this.playing || training.step >= until || isDone(training)) return;
    training.play(until);
    await settled(() => training.phase !== 'playing');
    // Whoever is asked for later rounds goes on from its last checkpoint; a worker that ends each time does not.
    if (training.ended) this.pause();
  }

  private halt(): void {
    if (this.playing) this.spent += performance.now() - this.since;
    this.playing = false;
  }

  pause(): void {
    this.halt();
    for (const { training } of this.cells) training.pause();
  }

  /** The reader goes elsewhere: what was learned stays, and no worker does. */
  rest(): void {
    this.halt();
    for (const { training } of this.cells) training.rest();
  }

  close(): void {
    this.playing = false;
    this.round = this.spent = 0;
    for (const { training } of this.cells) training.close();
    this.cells = [];
    this.chosen = undefined;
  }
}
