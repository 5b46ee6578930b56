// SPDX-License-Identifier: Apache-2.0
import { untracked } from '@preact/signals-core';
import { cell } from './cells.ts';
import { type Domain, domainIn, type Kind } from '../colour/scale.ts';
import type { Tensor } from '../engine/result.ts';
import type { Documents } from './documents.ts';

/** The scales that are held, each by what it belongs to. */
export type Pins = Readonly<Record<string, Domain>>;
const keyOf = ({ group, name, shape }: Tensor, kind: Kind): string => `${group} ${name} ${shape.join()} ${kind}`;

/**
 * The ends of each matrix's scale. They follow its numbers, except where the reader has pinned them, and while a
 * slider is dragged: if they moved along, a change of all numbers alike would not be seen.
 */
export class Scales {
  /** All that the reader has pinned: it goes into the link. */
  @cell held: Pins = {};
  // What was shown when nothing was being dragged.
  private readonly rested = new Map<string, Domain>();

  constructor(private readonly documents: Documents) {}

  of(tensor: Tensor, kind: Kind): Domain {
    const key = keyOf(tensor, kind);
    const pinned = this.held[key];
    if (pinned) return pinned;
    const now = domainIn(tensor.data, kind);
    const before = this.documents.held ? this.rested.get(key) : undefined;
    if (before) return before;
    this.rested.set(key, now);
    return now;
  }

  restore(pins: Pins): void {
    this.held = pins;
  }

  pinned(tensor: Tensor, kind: Kind): boolean {
    return this.held[keyOf(tensor, kind)] !== undefined;
  }

  /** Holds the scale as it is now, or lets it follow the numbers again. */
  toggle(tensor: Tensor, kind: Kind): void {
    const key = keyOf(tensor, kind);
    const { [key]: was, ...others } = untracked(() => this.held);
    this.held = was ? others : { ...others, [key]: this.of(tensor, kind) };
  }
}
