// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { cell } from '../state/cells.ts';
import { within } from '../engine/kept.ts';
import type { Trained } from '../state/trained.ts';
import { pinnedRight } from './maps.ts';
import type { Measured, Picture, TrainingDocument } from './messages.ts';
import type { Training } from './training.ts';

/** A training that was left, as far as it can be compared with others. */
export interface Run {
  id: number;
  document: TrainingDocument;
  begun: number;
  step: number;
  weights: number;
  measured: Measured[];
  picture?: Picture;
  /** Why it failed. */
  failure?: string;
}

/** What lessons ask of a run. */
export function cameTo({ document, begun, step, measured, picture }: Run): Trained[] {
  const last = measured.at(-1);
  if (!last) return [];
  const { accuracy, exact, heldOutLoss, alignment, agrees } = last;
  const pinned = picture && pinnedRight(picture);
  return [{ document, begun, step, accuracy, exact, heldOutLoss, ...(alignment === undefined ? {} : { alignment }),
    ...(agrees === undefined ? {} : { agrees }), ...(pinned === undefined ? {} : { pinned }) }];
}

/** What two runs have in common that can be compared: the task and, where it has one, the reader's own text. */
export function taskOf({ training: { task } }: TrainingDocument): string {
  const { type, text } = (typeof task === 'string' ? { type: task } : task ?? {}) as Record<string, unknown>;
  return JSON.stringify([type, text]);
}

const KEY = 'runs';
const MOST = 12;

/** What a training is now, as a run. */
export const runOf = (id: number, training: Training): Run => ({
  id, document: training.trained, begun: training.begunAt, step: training.step,
  weights: training.begun?.weights ?? 0,
  measured: training.history.measured.map(({ written: _written, ...one }) => one),
  picture: training.history.pictures.at(-1),
  failure: training.failure ?? training.problem?.message,
});

/** The last runs, kept by the browser where it can. */
export class Runs {
  @cell all: readonly Run[] = [];
  private next = 1;

  /** The number of the next. */
  get coming(): number {
    void this.all;
    return this.next;
  }

  async recall(): Promise<void> {
    const kept = await within<Run[] | undefined>('readonly',
      (store) => store.get(KEY) as IDBRequest<Run[] | undefined>);
    if (!Array.isArray(kept) || this.all.length > 0) return;
    this.all = kept;
    this.next = maximum(kept.map(({ id }) => id), 0) + 1;
  }

  add(run: Run): void {
    this.all = [...this.all, run].slice(-MOST);
    this.next = run.id + 1;
    this.keep();
  }

  /** The runs that can be compared with a training of this document. */
  like(document: TrainingDocument): readonly Run[] {
    const task = taskOf(document);
    return this.all.filter((run) => taskOf(run.document) === task);
  }

  /** Those of other tasks, which the reader does not see now, are kept. */
  forget(these: readonly Run[]): void {
    this.all = this.all.filter((run) => !these.includes(run));
    this.next = maximum(this.all.map(({ id }) => id), 0) + 1;
    this.keep();
  }

  private keep(): void {
    const list = [...this.all];
    void within('readwrite', (store) => store.put(list, KEY));
  }
}
