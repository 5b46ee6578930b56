// SPDX-License-Identifier: Apache-2.0
import { batch, computed, effect, untracked } from '@preact/signals-core';
import { cell, computedOnce } from './cells.ts';
import { chosenFor, type Headed, indexFor, MAP } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import type { Result } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import { pointed } from '../performance-marks.ts';

/** A place on the axes that carry these labels. */
export interface Word {
  labels: string[];
  at: number;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is pointed at, what is locked, and which slice of a tensor is shown. */
export class Selection {
  @cell hover: Target | undefined;
  @cell lock: Target | undefined;
  /** The role (query, key, ...) that is pointed at in a formula. */
  @cell role: string | undefined;
  /** The word that is pointed at. */
  @cell word: Word | undefined;
  /** The index that is shown of each axis that pictures hold still. */
  @cell chosen: Readonly<Record<string, number>> = {};
  // A text, so that whoever reads it wakes only when it says something else.
  private readonly tokens = computed(() => JSON.stringify(this.find()));

  constructor(private readonly result: () => Result | undefined) {
    let known = this.result();
    effect(() => {
      const now = this.result();
      if (now !== known && now) untracked(() => this.keepUp(now));
      known = now;
    });
  }

  /** What the card explains. */
  @computedOnce get active(): Target | undefined {
    return this.lock ?? this.hover;
  }

  /** Where the chosen cell lies on each labelled axis: which query, which key. */
  get places(): Readonly<Record<string, number>> {
    return JSON.parse(this.tokens.value) as Record<string, number>;
  }

  point(target: Target | undefined): void {
    if (same(target, untracked(() => this.hover))) return;
    pointed(() => (this.hover = target));
  }

  pointRole(role: string | undefined): void {
    this.role = role;
  }

  pointWord(word: Word | undefined): void {
    if (!same(word, untracked(() => this.word))) this.word = word;
  }

  /** Locks a cell; one of another head brings that head into the large picture. */
  hold(target: Target | undefined): void {
    batch(() => {
      this.lock = target;
      if (target) this.bringIntoView(target);
    });
  }

  /** Shows another index of an axis that pictures hold still; what is locked goes along. */
  choose(axis: string, at: number): void {
    batch(() => {
      if (untracked(() => this.chosen)[axis] !== at) this.chosen = { ...untracked(() => this.chosen), [axis]: at };
      const lock = untracked(() => this.lock);
      const tensor = lock && this.result()?.find(lock.tensor, lock.group);
      const k = tensor?.places.indexOf(axis === MAP ? HEAD : axis) ?? -1;
      if (tensor && k >= 0)
        this.lock = { ...lock, index: lock.index.with(k, indexFor(tensor, k, untracked(() => this.chosen))) };
    });
  }

  /** The same for an index of a tensor's own axis: several of them may belong to one head. */
  turn(tensor: Headed, axis: number, index: number): void {
    batch(() => {
      for (const [place, at] of Object.entries(chosenFor(tensor, axis, index, untracked(() => this.chosen))))
        this.choose(place, at);
    });
  }

  /** Brings back what was shown of each axis, and what was locked. */
  restore(chosen: Readonly<Record<string, number>>, lock: Target | undefined): void {
    batch(() => {
      this.chosen = { ...chosen };
      this.hold(lock && this.result()?.has(lock) ? lock : undefined);
    });
  }

  /** Only remembers an index, such as the row of a map that is shown on its own. */
  turnTo(axis: string, at: number): void {
    if (untracked(() => this.chosen)[axis] !== at) this.chosen = { ...untracked(() => this.chosen), [axis]: at };
  }

  private bringIntoView(target: Target): void {
    const tensor = this.result()?.find(target.tensor, target.group);
    const chosen = { ...untracked(() => this.chosen) };
    tensor?.places.forEach((axis, k) => {
      if (axis && !this.result()?.labels(axis))
        Object.assign(chosen, chosenFor(tensor, k, target.index[k] ?? 0, chosen));
    });
    if (!same(chosen, untracked(() => this.chosen))) this.chosen = chosen;
  }

  private keepUp(result: Result): void {
    batch(() => {
      if (this.lock && !result.has(this.lock)) this.lock = undefined;
      this.hover = undefined;
    });
  }

  private find(): Record<string, number> {
    const [target, result] = [this.active, this.result()];
    const found: Record<string, number> = {};
    (target && result?.find(target.tensor, target.group))?.places.forEach((axis, k) => {
      if (result?.labels(axis)) found[axis] = target?.index[k] ?? 0;
    });
    return found;
  }
}
