// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { grouped } from '../src/controls/groups.ts';
import type { Mechanism } from '../src/engine/types.ts';

const item = (id: string, family: string, coordinate: string | null = null) =>
  ({ id, mechanism: { id, family, coordinate } as Mechanism });
const many = (family: string) =>
  Array.from({ length: 8 }, (_, k) => item(`${family}${k}`, family, k % 2 ? 'named' : null));

it('a menu that can be seen at a glance has no groups', () => {
  expect(grouped(many('a'))).toEqual([{ group: '', items: many('a') }]);
});

it('a long one is grouped by family, and nothing is lost', () => {
  const items = [{ id: undefined, mechanism: undefined }, ...many('losses'), ...many('structures')];
  const groups = grouped(items);
  expect(groups.map(({ group, items: list }) => [group, list.length]))
    .toEqual([['', 1], ['structures', 8], ['losses', 8]]);
});

it('of one family, what the survey names comes first', () => {
  const groups = grouped([...many('scores'), ...many('scores')]);
  expect(groups.map(({ group, items }) => [group, items.length])).toEqual([['survey', 8], ['beyond', 8]]);
});

it('the masks that most models have come before those with earlier names', () => {
  const ids = ['mask-bigbird', 'mask-block', 'mask-causal', 'mask-graph', 'mask-padding', 'mask-window',
    ...Array.from({ length: 9 }, (_, k) => `mask-x${k}`)];
  const items = ids.map((id) => ({ mechanism: { id, family: 'masks', coordinate: '' } as unknown as Mechanism }));
  const [group] = grouped(items);
  expect(group!.items.map(({ mechanism }) => mechanism.id)).toEqual(['mask-causal', 'mask-padding', 'mask-window',
    ...ids.filter((id) => !['mask-causal', 'mask-padding', 'mask-window'].includes(id))]);
});
