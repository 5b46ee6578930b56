// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from 'vitest';
import { asked, coming, fetchFromNow, fetchLost, Later, partsLost } from '../src/lazy-fetch.ts';

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

test('a part that the reader needs and that does not come is said to be lost, until it is fetched again', async () => {
  fetchFromNow();
  await asked;
  const { later, count } = after(2);
  const host = { requestUpdate: vi.fn() };
  expect(later.use(host)).toBeUndefined();
  await vi.waitFor(() => expect(partsLost()).toBe(true));
  expect([count(), host.requestUpdate.mock.calls.length]).toEqual([2, 0]);
  // Who draws itself anew does not ask each time.
  later.use(host);
  expect(await later.wanted()).toBeUndefined();
  expect(count()).toBe(2);
  fetchLost();
  await vi.waitFor(() => expect(later.module).toBe('here'));
  await vi.waitFor(() => expect([partsLost(), host.requestUpdate.mock.calls.length]).toEqual([false, 1]));
});

test('a part that nobody wanted yet is no loss', async () => {
  fetchFromNow();
  const load = vi.fn(() => Promise.reject(new Error('lost')));
  const later = new Later(load);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  await new Promise((resolve) => setTimeout(resolve));
  expect([later.module, partsLost()]).toEqual([undefined, false]);
});
