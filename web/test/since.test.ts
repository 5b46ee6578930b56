// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { isSince, sinceYears } from '../src/controls/year-filter.ts';

describe('a list by the years of its sources', () => {
  it('offers each year that leaves something out, the newest first, with what is left', () => {
    expect(sinceYears([2017, 2024, 2017, 2021])).toEqual([[2024, 1], [2021, 2]]);
  });

  it('offers the oldest year too where an entry has no source', () => {
    expect(sinceYears([2017, undefined])).toEqual([[2017, 1]]);
  });

  it('offers nothing where all are of one year', () => {
    expect(sinceYears([2020, 2020])).toEqual([]);
    expect(sinceYears([])).toEqual([]);
  });

  it('keeps entries of that year or later, and drops those without a source', () => {
    expect([2016, 2017, undefined].map((year) => isSince(year, 2017))).toEqual([false, true, false]);
    expect([2016, undefined].map((year) => isSince(year, undefined))).toEqual([true, true]);
  });
});
