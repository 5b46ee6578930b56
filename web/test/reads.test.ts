// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Directory } from '../src/engine/types.ts';
import { editable } from '../src/flow/write.ts';
import { output } from './directory.ts';

// An output computed from the numbers of `x`; `words` is only looked up.
const of = (from?: number[]): Result => new Result({
  ok: true, labels: {}, warnings: [], measures: {}, document: { inputs: { words: {}, x: {} } },
  tensors: [{ ...output('out', [1, 2], ['m', 'd']), offset: 0, ...(from ? { from } : {}) },
    { ...output('words', [1, 2], ['m', 'd']), group: 'inputs', offset: 2 },
    { ...output('x', [1, 2], ['m', 'd']), group: 'inputs', offset: 4 }],
} as unknown as Directory, new Float32Array(6));
const inputs = (result: Result) => result.all('inputs').map((tensor) => editable(tensor, result));

test('an input of which only the words are read has no numbers to be edited', () => {
  expect(inputs(of([2]))).toEqual([false, true]);
  // An answer that does not say where anything came from forbids nothing.
  expect(inputs(of())).toEqual([true, true]);
});

test('what stands behind the list was left out, and reads too', () => {
  const result = of([2]);
  result.directory.left = [{ ...result.directory.tensors[0]!, name: 'large', from: [1] }];
  expect(inputs(result)).toEqual([true, true]);
});
