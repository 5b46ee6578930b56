// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, it, vi } from 'vitest';
import { choosePace, paceChosen } from '../src/train/pace.ts';

afterEach(() => vi.unstubAllGlobals());

it('a window trains at the pace that its reader chose, also after a reload', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value) });
  expect(paceChosen()).toBe(120);
  for (const pace of [0, 10]) {
    choosePace(pace);
    expect(paceChosen()).toBe(pace);
  }
  choosePace(7);
  expect(paceChosen()).toBe(120);
});

it('is the usual one where nothing can be kept', () => {
  vi.stubGlobal('sessionStorage', undefined);
  choosePace(0);
  expect(paceChosen()).toBe(120);
});
