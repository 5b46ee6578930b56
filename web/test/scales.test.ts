// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import type { Tensor } from '../src/engine/result.ts';
import { Documents } from '../src/state/documents.ts';
import { Scales } from '../src/state/scales.ts';

const document = { schema: 's', inputs: {}, mechanism: { type: 'x' } };
const scores = (...data: number[]) =>
  ({ group: 'outputs', name: 'scores', shape: [data.length], axes: [], places: [],
  data: Float32Array.from(data) }) as unknown as Tensor;

it('a scale follows its numbers, but not while a slider is dragged', () => {
  const documents = new Documents(document, document);
  const scales = new Scales(documents);
  expect(scales.of(scores(4, -2), 'signed')).toEqual([-4, 4]);
  documents.set('/seed', 1, 'drag');
  expect(scales.of(scores(2, -1), 'signed')).toEqual([-4, 4]);
  // Of another shape it is another matrix.
  expect(scales.of(scores(2, -1, 0), 'signed')).toEqual([-2, 2]);
  documents.endGesture();
  expect(scales.of(scores(2, -1), 'signed')).toEqual([-2, 2]);
});

it('a scale that is pinned stays, until it is let go', () => {
  const scales = new Scales(new Documents(document, document));
  scales.toggle(scores(4, -2), 'signed');
  expect(scales.of(scores(8, -2), 'signed')).toEqual([-4, 4]);
  expect(scales.pinned(scores(8, -2), 'signed')).toBe(true);
  scales.toggle(scores(8, -2), 'signed');
  expect(scales.of(scores(8, -2), 'signed')).toEqual([-8, 8]);
});
