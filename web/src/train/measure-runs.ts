// SPDX-License-Identifier: Apache-2.0
import { batch, untracked } from '@preact/signals-core';
import type { Ended, Line, OpenLine } from '../engine/line.ts';
import { cell } from '../state/cells.ts';
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
  @cell findings: readonly Finding[] = [];
  @cell busy = false;
  /** The pinned example with the weights that were measured. */
  @cell picture: Picture | undefined;
  @cell problem: Problem | undefined;
  /** How its worker ended before it was through. */
  @cell ended: Ended | undefined;
  @cell subject: Subject | undefined;
  private line: Line<Order> | undefined;
  /** How many are to come, as far as is known. */
  count = 0;

  constructor(
    private readonly open: OpenLine<Order, News>,
    private readonly wasmUrl: () => string,
  ) {}

  /** Asks for these measures; without ids, for all that held-out examples give. */
  begin(subject: Subject, ids: readonly string[] | undefined, examples = 1): void {
    batch(() => {
      this.clear();
      this.subject = subject;
      this.busy = true;
    });
    this.count = 0;
    this.line = this.open((news) => {
      if (news.kind === 'judging') {
        this.count = news.count;
        this.picture = news.picture;
        if (news.count === 0) this.end();
      } else if (news.kind === 'judged') {
        this.findings = [...untracked(() => this.findings), news];
        if (news.last) this.end();
      } else if (news.kind === 'refused') this.end(news.problem);
    }, (how) => {
      this.ended = how;
      this.stop();
    });
    const { document, weights } = subject;
    this.line.send({ kind: 'judge', document, wasmUrl: this.wasmUrl(), weights, examples,
      ...(ids ? { ids } : {}) });
  }

  private end(problem?: Problem): void {
    this.problem = problem;
    this.stop();
  }

  /** What was found is of another model. */
  clear(): void {
    batch(() => {
      this.stop();
      this.findings = [];
      this.picture = this.problem = this.ended = this.subject = undefined;
    });
  }

  /** Gives up; what was found stays. */
  stop(): void {
    this.line?.close();
    this.line = undefined;
    this.busy = false;
  }
}
