// SPDX-License-Identifier: Apache-2.0
import type { Ended, Line, OpenLine } from '../engine/line.ts';
import { cells } from '../state/cells.ts';
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

interface Judging {
  findings: readonly Finding[];
  busy: boolean;
  /** The pinned example with the weights that were measured. */
  picture: Picture | undefined;
  problem: Problem | undefined;
  /** How its worker ended before it was through. */
  ended: Ended | undefined;
  subject: Subject | undefined;
}

const NOTHING: Judging = { findings: [], busy: false, picture: undefined, problem: undefined, ended: undefined,
  subject: undefined };

/** Measures of a model, found in a worker of their own: training goes on beside it, and giving up ends it at once. */
export class Judge extends cells(NOTHING) {
  private line: Line<Order> | undefined;
  /** How many are to come, as far as is known. */
  count = 0;

  constructor(
    private readonly open: OpenLine<Order, News>,
    private readonly wasmUrl: () => string,
  ) {
    super();
  }

  /** Asks for these measures; without ids, for all that held-out examples give. */
  begin(subject: Subject, ids: readonly string[] | undefined, examples = 1): void {
    this.stop();
    this.change({ ...NOTHING, subject, busy: true });
    this.count = 0;
    this.line = this.open((news) => {
      if (news.kind === 'judging') {
        this.count = news.count;
        this.change({ picture: news.picture });
        if (news.count === 0) this.end();
      } else if (news.kind === 'judged') {
        this.change({ findings: [...this.findings, news] });
        if (news.last) this.end();
      } else if (news.kind === 'refused') this.end(news.problem);
    }, (how) => {
      this.change({ ended: how });
      this.stop();
    });
    const { document, weights } = subject;
    this.line.send({ kind: 'judge', document, wasmUrl: this.wasmUrl(), weights, examples,
      ...(ids ? { ids } : {}) });
  }

  private end(problem?: Problem): void {
    this.change({ problem });
    this.stop();
  }

  /** What was found is of another model. */
  clear(): void {
    this.stop();
    this.change(NOTHING);
  }

  /** Gives up; what was found stays. */
  stop(): void {
    this.line?.close();
    this.line = undefined;
    this.change({ busy: false });
  }
}
