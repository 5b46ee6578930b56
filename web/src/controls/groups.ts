// SPDX-License-Identifier: Apache-2.0
import type { Mechanism } from '../engine/types.ts';

interface Entry {
  mechanism: Mechanism | undefined;
}

export interface Grouped<T> {
  /** Empty: no heading. */
  group: string;
  items: T[];
}

/** As many entries can be seen at a glance. */
export const FEW = 12;

// Masks stand in the order of their ids, so that the one which most models have would come after rare ones.
const USUAL = ['mask-causal', 'mask-padding', 'mask-sliding', 'mask-window', 'mask-prefix', 'mask-diagonal'];
const usual = ({ mechanism }: Entry): number => {
  const at = USUAL.indexOf(mechanism?.id ?? '');
  return at < 0 ? USUAL.length : at;
};

/** A long menu in groups: by family where there are several, else those of the survey before the others. */
export function grouped<T extends Entry>(items: readonly T[]): Grouped<T>[] {
  const families = new Set(items.map(({ mechanism }) => mechanism?.family).filter((family) => family !== undefined));
  if (items.length <= FEW) return [{ group: '', items: [...items] }];
  const groupOf = ({ mechanism }: T): string =>
    mechanism === undefined ? '' : families.size > 1 ? (mechanism.family ?? '')
      : mechanism.coordinate ? 'survey' : 'beyond';
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groupOf(item);
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  const order = ['', 'survey', 'beyond', 'structures'];
  const rank = (group: string): number => (order.includes(group) ? order.indexOf(group) : order.length);
  return [...groups].toSorted(([a], [b]) => rank(a) - rank(b)).map(([group, list]) => ({ group,
    items: list.toSorted((a, b) => usual(a) - usual(b)) }));
}
