// SPDX-License-Identifier: Apache-2.0
import { followed } from '../engine/lit.ts';
import type { Explanation } from '../engine/types.ts';
import type { Store } from './store.ts';

// Milliseconds between explanations while a slider is dragged, and until it is taken to rest.
const PAUSE = 150;
const REST = 200;

/** Has the cell that is pointed at or locked explained, and keeps pace with a slider. */
export class Explainer {
  private resting: ReturnType<typeof setTimeout> | undefined;
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private at = -Infinity;

  constructor(private readonly store: Store) {}

  /** Something is still to be asked about what is shown. */
  get waiting(): boolean {
    return this.resting !== undefined;
  }

  /** While a slider is dragged, its cell is explained now and then; what leads on from it when the slider rests. */
  soon(dragged: boolean): void {
    clearTimeout(this.resting);
    clearTimeout(this.pausing);
    this.pausing = undefined;
    if (!dragged) return this.all();
    this.resting = setTimeout(() => this.all(), REST);
    const wait = this.at + PAUSE - performance.now();
    if (wait <= 0) void this.explain();
    else this.pausing = setTimeout(() => void this.explain(), wait);
  }

  /** The cell, what it feeds and its slopes. */
  all(): void {
    clearTimeout(this.pausing);
    this.resting = this.pausing = undefined;
    const { onward, slopes, lock, result } = this.store;
    void this.explain();
    void onward.about(lock, result);
    void slopes.about(lock, result);
  }

  async explain(): Promise<void> {
    const { store } = this;
    this.at = performance.now();
    const target = store.active;
    if (!target || !store.result) {
      store.explained = undefined;
      return;
    }
    const document = JSON.stringify(store.result.directory.document);
    const ask = async (tensor: string, index: number[]): Promise<Explanation | undefined> => {
      const reply = await store.client.send({ kind: 'explain', document, tensor, index: JSON.stringify(index) });
      const explanation = reply && JSON.parse(reply.text);
      return explanation?.feeds ? explanation : undefined;
    };
    const current = () => JSON.stringify(target) === JSON.stringify(store.active);
    const answer = await ask(target.group === 'inputs' ? `inputs.${target.tensor}` : target.tensor, target.index);
    if (!current()) return;
    // What is given is fed by nothing but itself.
    if (answer) answer.feeds = answer.feeds.filter((feed) => feed.tensor !== target.tensor || feed.group !== target.group);
    store.explained = answer && { target, answer, lit: answer.feeds };
    store.tell();
    if (!answer?.feeds.some((feed) => feed.group === 'steps')) return;
    const lit = await followed(answer.feeds, ask, target === store.lock);
    if (!current() || !store.explained) return;
    store.explained = { ...store.explained, lit };
    store.tell();
  }
}
