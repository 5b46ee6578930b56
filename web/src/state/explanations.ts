// SPDX-License-Identifier: Apache-2.0
import { batch, effect, untracked } from '@preact/signals-core';
import { cell } from './cells.ts';
import { followed } from '../engine/followed-cells.ts';
import type { Explanation, Feed, Target } from '../engine/types.ts';
import type { Documents } from './documents.ts';
import { answering, working } from '../performance-marks.ts';
import type { Selection } from './selection.ts';
import type { Sessions } from './sessions.ts';

export interface Explained {
  target: Target;
  answer: Explanation;
}

export const sameCell = (a: Target | undefined, b: Target | undefined): boolean => a === b || (a !== undefined
  && a.tensor === b?.tensor && a.group === b.group && a.index.join() === b.index.join());

// Milliseconds between explanations while a slider is dragged, and until it is taken to rest.
const PAUSE = 150;
const REST = 200;

/** Has the cell that is pointed at or locked explained, and keeps pace with a slider. */
export class Explanations {
  /** What was told last: about the cell that is looked at, or the one before while its answer is on the way. */
  @cell explained: Explained | undefined;
  /** The cells to light up in the picture: what the told one was computed from. */
  @cell lit: readonly Feed[] = [];
  /** Grows when a cell is to be told about at length: it is locked, or its numbers have come to rest. */
  @cell depth = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private at = -Infinity;
  private asking = 0;
  private given: Target | undefined;
  private turn = 0;

  constructor(
    documents: Documents,
    private readonly sessions: Sessions,
    private readonly selection: Selection,
  ) {
    let [result, lock] = [sessions.result, selection.lock];
    effect(() => {
      const now = { result: sessions.result, lock: selection.lock, active: selection.active };
      const fresh = now.result !== result;
      const other = now.lock !== lock;
      [result, lock] = [now.result, now.lock];
      untracked(() => {
        if (this.given && now.active === this.given && !fresh) return;
        this.given = undefined;
        if (fresh && now.result) this.soon(documents.dragging);
        else if (other) this.rest();
        else this.pointed();
      });
    });
  }

  /** Something is still to be asked about what is shown, or to be written of it. */
  get waiting(): boolean {
    return this.resting !== undefined || this.asking > 0 || this.sessions.reading.pending !== undefined;
  }

  /** Takes an explanation that came with the page: it need not be asked for until there are other numbers. */
  present(explained: Explained | undefined): void {
    this.given = explained?.target;
    this.tell(explained);
  }

  private tell(explained: Explained | undefined, lit: readonly Feed[] = explained?.answer.feeds ?? []): void {
    working(() => batch(() => {
      this.explained = explained;
      this.lit = lit;
    }));
  }

  // While a slider is dragged, its cell is explained now and then; what leads on from it when the slider rests.
  private soon(dragged: boolean): void {
    clearTimeout(this.resting);
    clearTimeout(this.pausing);
    this.pausing = undefined;
    if (!dragged) return this.rest();
    this.resting = setTimeout(() => this.rest(), REST);
    const wait = this.at + PAUSE - performance.now();
    if (wait <= 0) this.ask();
    else this.pausing = setTimeout(() => this.ask(), wait);
  }

  private pointed(): void {
    this.sessions.reading.changed();
    this.ask();
  }

  private rest(): void {
    clearTimeout(this.resting);
    clearTimeout(this.pausing);
    this.resting = this.pausing = undefined;
    this.ask();
    this.depth++;
  }

  private ask(): void {
    this.at = performance.now();
    this.asking++;
    const answered = answering();
    void this.explain().finally(() => {
      this.asking--;
      answered();
    });
  }

  private async explain(): Promise<void> {
    const turn = ++this.turn;
    const target = this.selection.active;
    const { result } = this.sessions;
    if (!target || !result) return this.tell(undefined);
    // Of what waits the client keeps the newest: what an earlier turn still wants to follow would push this one aside.
    const ask = async (tensor: string, index: number[]): Promise<Explanation | undefined> => {
      if (turn !== this.turn) return undefined;
      return this.sessions.explain(result, tensor, index);
    };
    const current = () => sameCell(target, this.selection.active);
    const answer = await ask(target.group === 'inputs' ? `inputs.${target.tensor}` : target.tensor, target.index);
    if (!current() || (!answer && turn !== this.turn)) return;
    // What is given is fed by nothing but itself.
    if (answer) answer.feeds = answer.feeds.filter((feed) =>
      feed.tensor !== target.tensor || feed.group !== target.group);
    this.tell(answer && { target, answer });
    if (!answer?.feeds.some((feed) => feed.group === 'steps')) return;
    const lit = await followed(answer.feeds, ask, target === this.selection.lock);
    if (current() && turn === this.turn && untracked(() => this.explained)?.answer === answer) this.lit = lit;
  }
}
