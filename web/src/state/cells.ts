// SPDX-License-Identifier: Apache-2.0
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';

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
