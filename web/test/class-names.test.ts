// SPDX-License-Identifier: Apache-2.0
// What the columns of a classifier are called.
import { expect, it } from 'vitest';
import type { Result } from '../src/engine/result.ts';
import type { Doc } from '../src/engine/types.ts';
import { speak } from '../src/strings/language.ts';
import { runs, systemFiles } from './runs.ts';

const named = (result: Result, tensor: string, axis: number) =>
  result.labels(result.find(tensor, 'outputs')!.places[axis]!);
const system = (id: string) => systemFiles.find((one) => one.id === id)!.document as Doc;
// Five classes, and five words that they could be mistaken for.
const first = ['<start>', '<end>', '<unknown>'];
const words = { tokens: ['so', 'bad', 'so', 'bad', 'bad'] };
const loss = { name: 'loss', type: 'cross-entropy', inputs: { logits: 'class.logits', target: 'right' } };
const classifier = (...last: object[]): Doc => ({ schema: 'attention-playground/1', seed: 1,
  inputs: { text: words, ...(last.length > 0 ? { right: { tokens: ['good'] } } : {}) },
  model: [{ name: 'word', type: 'fm-embedding', inputs: { x: 'text' }, dim: 4, vocabulary: [...first, 'so', 'bad'] },
    { name: 'all', type: 'fm-pool', inputs: { x: 'word' } },
    { name: 'class', type: 'om-softmax', inputs: { x: 'all' }, classes: 5 }, ...last] } as unknown as Doc);

it('classes are called by the list of what reads them, otherwise by numbers, never by words of an input', async () => {
  const [han, emoji, las, own, numbered] = runs([system('han'), system('labelwise-emoji'), system('las'),
    classifier({ ...loss, vocabulary: [...first, 'good', 'awful'] }), classifier()]) as [Result, Result, Result,
      Result, Result];
  const five = ['class 1', 'class 2', 'class 3', 'class 4', 'class 5'];
  expect(named(han, 'class.probabilities', 1)).toEqual(five);
  expect(named(han, 'class.logits', 1)).toEqual(five);
  expect(named(emoji, 'labels.weights', 0)).toEqual(['class 1', 'class 2', 'class 3']);
  expect(named(own, 'class.probabilities', 1)).toEqual([...first, 'good', 'awful']);
  expect(named(numbered, 'class.probabilities', 1)).toEqual(five);
  // Flattened rows are no classes.
  expect(named(las, 'halved.output', 1)).toBeUndefined();
  await speak('de');
  expect(named(han, 'class.probabilities', 1)?.[4]).toBe('Klasse 5');
  await speak('en');
});
