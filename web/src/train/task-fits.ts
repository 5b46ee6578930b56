// SPDX-License-Identifier: Apache-2.0
// Which other tasks the model can learn, found by beginning each of them in a worker of its own.
import { signal } from '@preact/signals-core';
import type { Line, OpenLine } from '../engine/line.ts';
import type { News, Order, Problem, TaskRecord, TrainingDocument } from './messages.ts';
import { onTask } from './other-task.ts';
import { words } from './words.ts';

// The engine says the shape of an answer's rows that it needs, and that of what the task gives.
const ROWS = /expected shape \[m dt\] = \[(\d+) \d+\], found \[(\d+) \d+\]/;

/** Why a task does not fit, in the page's words where it has any. */
export function misfitSaid({ message }: Problem): string {
  const [, written, wanted] = ROWS.exec(message) ?? [];
  return written === undefined ? words().misfit(message) : words().misfitRows(Number(written), Number(wanted));
}

/** What is known about other tasks for a model. */
export class TaskFits {
  private readonly known = signal<Readonly<Record<string, Problem>>>({});
  private of: string | undefined;
  private line: Line<Order> | undefined;
  private answer: Promise<void> | undefined;
  private done: (() => void) | undefined;

  constructor(private readonly open: OpenLine<Order, News>, private readonly wasmUrl: () => string) {}

  /** Why a task cannot be learned; undefined also as long as that is not known. */
  problem(id: string): Problem | undefined {
    return this.known.value[id];
  }

  /** Asks about these tasks for the model of a document, once; resolved when they are known, or cannot be. */
  async ask(document: TrainingDocument, tasks: readonly TaskRecord[]): Promise<void> {
    const trials = tasks.map((task): [string, string] =>
      [task.id, JSON.stringify(onTask(document, task, task.title))]);
    const of = JSON.stringify(trials);
    if (of === this.of) return this.answer;
    this.close();
    this.of = of;
    this.known.value = {};
    this.answer = new Promise((resolve) => (this.done = resolve));
    this.line = this.open((news) => {
      if (news.kind !== 'fits') return;
      this.known.value = news.problems;
      this.close();
    }, () => this.close());
    this.line.send({ kind: 'fits', trials, wasmUrl: this.wasmUrl() });
    return this.answer;
  }

  close(): void {
    this.line?.close();
    this.line = undefined;
    this.done?.();
  }
}
