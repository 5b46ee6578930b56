// SPDX-License-Identifier: Apache-2.0
// The chart of Cost: what its lines are called.
import { render } from 'lit';
import { expect, it } from 'vitest';
import { chart } from '../src/cost/chart.ts';

const namesIn = (values: number[]): [string, number, number][] => {
  const host = document.createElement('div');
  const points = values.map((value, k) => ({ n: 8 * 2 ** k, value }));
  render(chart('Memory', 'MB', [{ name: 'A', points }], 16_384), host);
  return [...host.querySelectorAll('[data-guide]')].map((one) =>
    [one.textContent, Number(one.getAttribute('x')), Number(one.getAttribute('y'))]);
};

it('the names of the two dashed lines leave each other room', () => {
  const flat = Array<number>(12).fill(1024);
  for (const values of [flat, [900, 1000, 1020, 1024], [1, 2, 4, 8, 16, 32], [1, 4, 16, 64, 256]]) {
    const [one, two] = namesIn(values) as [[string, number, number], [string, number, number]];
    expect([one[0], two[0]]).toEqual(['n', 'n²']);
    expect(Math.abs(one[1] - two[1]) >= 14 || Math.abs(one[2] - two[2]) >= 10, String(values)).toBe(true);
  }
});
