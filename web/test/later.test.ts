// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { coming, Later } from '../src/later.ts';

// A part that comes at the nth time of asking.
const after = (failures: number) => {
  let asked = 0;
  const load = () => (asked++ < failures ? Promise.reject(new Error('lost')) : Promise.resolve('here'));
  return { later: new Later(load), count: () => asked };
};

test('a part is fetched once, however often it is wanted', async () => {
  const { later, count } = after(0);
  expect(await Promise.all([later.fetch(), later.fetch()])).toEqual(['here', 'here']);
  expect([count(), later.module, coming()]).toEqual([1, 'here', false]);
});

test('a part that got lost on the way is asked for once more at once', async () => {
  const { later, count } = after(1);
  expect(await later.fetch()).toBe('here');
  expect(count()).toBe(2);
});

test('where it does not come at all that is said, and whoever wants it later asks again', async () => {
  const { later } = after(2);
  await expect(later.fetch()).rejects.toThrow('lost');
  expect([later.module, coming()]).toEqual([undefined, false]);
  expect(await later.fetch()).toBe('here');
});
