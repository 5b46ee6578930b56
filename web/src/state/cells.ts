// SPDX-License-Identifier: Apache-2.0
import { batch, type Signal, signal } from '@preact/signals-core';

/** Members that are signals: whoever reads one is told when it changes. */
class Cells<T extends object> {
  private readonly signals: Record<string, Signal<unknown>> = {};

  constructor(begin: T) {
    for (const [name, value] of Object.entries(begin)) {
      const cell = (this.signals[name] = signal<unknown>(value));
      Object.defineProperty(this, name, { get: () => cell.value, set: (now: unknown) => (cell.value = now) });
    }
  }

  /** Changes some of them at once. */
  protected change(what: Partial<T>): void {
    batch(() => {
      for (const [name, value] of Object.entries(what)) this.signals[name]!.value = value;
    });
  }
}

/** A class to extend, whose members are signals that begin with these values; anyone may set them. */
export const openCells = <T extends object>(begin: T): new () => Cells<T> & T =>
  class extends Cells<T> {
    constructor() {
      super(begin);
    }
  } as unknown as new () => Cells<T> & T;

/** The same with members that only the object itself changes. */
export const cells: <T extends object>(begin: T) => new () => Cells<T> & Readonly<T> = openCells;
