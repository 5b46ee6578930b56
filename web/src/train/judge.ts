// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from '@preact/signals-core';
import type { Ended, Line, OpenLine } from '../engine/line.ts';
import type { Judged, News, Order, Picture, Problem } from './messages.ts';

export interface Finding {
  id: string;
  found?: Judged;
  problem?: Problem;
}

/** What is measured: weights, with the document that they belong to; without a step they were finished before. */
export interface Subject {
  document: string;
  weights: Uint8Array;
  step: number | undefined;
}

/** Measures of a model, found in a worker of their own: training goes on beside it, and giving up ends it at once. */
export class Judge {
  private readonly list = signal<readonly Finding[]>([]);
  private readonly on = signal(false);
  private readonly seen = signal<Picture | undefined>(undefined);
  private readonly refused = signal<Problem | undefined>(undefined);
  private readonly of = signal<Subject | undefined>(undefined);
  private readonly lost = signal<Ended | undefined>(undefined);
  private line: Line<Order> | undefined;
  /** How many are to come, as far as is known. */
  count = 0;

  constructor(
    private readonly open: OpenLine<Order, News>,
    private readonly wasmUrl: () => string,
  ) {}

  get findings(): readonly Finding[] {
    return this.list.value;
  }

  get busy(): boolean {
    return this.on.value;
  }

  /** The pinned example with the weights that were measured. */
  get picture(): Picture | undefined {
    return this.seen.value;
  }

  get problem(): Problem | undefined {
    return this.refused.value;
  }

  /** How its worker ended before it was through. */
  get ended(): Ended | undefined {
    return this.lost.value;
  }

  get subject(): Subject | undefined {
    return this.of.value;
  }

  /** Asks for these measures; without ids, for all that held-out examples give. */
  begin(subject: Subject, ids: readonly string[] | undefined, examples = 1): void {
    this.stop();
    batch(() => {
      this.list.value = [];
      this.seen.value = this.refused.value = this.lost.value = undefined;
      this.of.value = subject;
      this.on.value = true;
    });
    this.count = 0;
    this.line = this.open((news) => {
      if (news.kind === 'judging') {
        this.count = news.count;
        this.seen.value = news.picture;
        if (news.count === 0) this.end();
      } else if (news.kind === 'judged') {
        this.list.value = [...this.list.value, news];
        if (news.last) this.end();
      } else if (news.kind === 'refused') this.end(news.problem);
    }, (how) => {
      this.lost.value = how;
      this.stop();
    });
    const { document, weights } = subject;
    this.line.send({ kind: 'judge', document, wasmUrl: this.wasmUrl(), weights, examples,
      ...(ids ? { ids } : {}) });
  }

  private end(problem?: Problem): void {
    this.refused.value = problem;
    this.stop();
  }

  /** What was found is of another model. */
  clear(): void {
    this.stop();
    this.list.value = [];
    this.seen.value = this.refused.value = this.lost.value = this.of.value = undefined;
  }

  /** Gives up; what was found stays. */
  stop(): void {
    this.line?.close();
    this.line = undefined;
    this.on.value = false;
  }
}
