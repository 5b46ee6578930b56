// SPDX-License-Identifier: Apache-2.0
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';

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

type Owner = Record<symbol, ReadonlySignal<unknown> | undefined>;

/**
 * Decorates a member that is a signal: whoever reads it is told when it changes. Only its own object sets it, which
 * tools/lint checks.
 */
export function cell(owner: object, name: string): void {
  const key = Symbol(name);
  const of = (one: Owner) => (one[key] ??= signal<unknown>(undefined)) as Signal<unknown>;
  Object.defineProperty(owner, name, {
    get(this: Owner) {
      return of(this).value;
    },
    set(this: Owner, now: unknown) {
      of(this).value = now;
    },
  });
}

/** Decorates a getter: it is computed again only when a signal that it read has changed. */
export function computedOnce(_owner: object, name: string, property: PropertyDescriptor): void {
  const key = Symbol(name);
  const compute = property.get!;
  property.get = function get(this: Owner): unknown {
    return (this[key] ??= computed(() => compute.call(this) as unknown)).value;
  };
}
