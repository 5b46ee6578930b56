// SPDX-License-Identifier: Apache-2.0
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keep, recalled } from '../src/state/recent-lists.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('what the browser keeps from visit to visit', () => {
  it('comes back', () => {
    expect(recalled('list')).toEqual([]);
    keep('list', new Set(['words', 'choice']));
    expect(recalled('list')).toEqual(['words', 'choice']);
    expect(recalled('other')).toEqual([]);
  });

  it.each(['{"a": 1}', 'null', 'not JSON', '7'])('is nothing where %s was written by others', (text) => {
    localStorage.setItem('list', text);
    expect(recalled('list')).toEqual([]);
  });

  it('has no member that is no word', () => {
    localStorage.setItem('list', '["words", 7, null, ["choice"]]');
    expect(recalled('list')).toEqual(['words']);
  });

  it('is nothing where there is no storage', () => {
    const refuse = () => {
      throw new Error('the frame has no origin');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
    expect(() => keep('list', ['words'])).not.toThrow();
    expect(recalled('list')).toEqual([]);
  });
});
