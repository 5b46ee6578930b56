// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Cell } from '../elements/pointing.ts';
import { pointed } from '../marks.ts';

const same = (a: Cell | undefined, b: Cell | undefined): boolean => a?.[0] === b?.[0] && a?.[1] === b?.[1];

/** The cell that all maps of the place share: pointed at, or locked. */
export class Spot {
  private readonly over = signal<Cell | undefined>(undefined);
  private readonly held = signal<Cell | undefined>(undefined);

  get locked(): Cell | undefined {
    return this.held.value;
  }

  get pointed(): Cell | undefined {
    return this.over.value;
  }

  /** What the card speaks of. */
  get cell(): Cell | undefined {
    return this.held.value ?? this.over.value;
  }

  point(cell: Cell | undefined): void {
    if (!same(cell, this.over.peek())) pointed(() => (this.over.value = cell));
  }

  hold(cell: Cell | undefined): void {
    this.held.value = same(cell, this.held.peek()) ? undefined : cell;
  }
}
