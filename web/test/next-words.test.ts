// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What is said of the words that a model writes next, and of words that it does not know.
import './no-window.ts';
import { expect, it } from 'vitest';
import { withoutUnknown } from '../src/state/vocabulary.ts';
import { distance, heard } from '../src/models/likely-words.ts';
import type { Doc } from '../src/engine/types.ts';
import { book } from './choosing.ts';

const list = (...all: [number, number][]) => all.map(([id, probability]) => ({ id, probability, token: `t${id}` }));

it('the distance is the total variation, with all words that are not known on both sides as one', () => {
  expect(distance(list([1, 0.5], [2, 0.3]), list([1, 0.5], [2, 0.3]))).toBe(0);
  expect(distance(list([1, 1]), list([1, 0], [2, 1]))).toBeCloseTo(1, 12);
  expect(distance(list([1, 0.5], [2, 0.3]), list([1, 0.2], [2, 0.4]))).toBeCloseTo((0.3 + 0.1 + 0.2) / 2, 12);
  // A word with one probability is part of the rest.
  expect(distance(list([1, 0.5], [3, 0.4]), list([1, 0.2], [2, 0.4]))).toBeCloseTo(0.3, 12);
  expect(distance(list([1, 0.5], [1, 0.5]), list([1, 0.2]))).toBeCloseTo(0.3, 12);
});

it('one sentence says the likeliest word, of a masked text where it is', () => {
  expect(heard(list([7, 0.25], [8, 0.125]))).toBe('The most likely next word is now “t7”, 0.250.');
  expect(heard(list([7, 0.25]), 6)).toBe('At token 6, “t7” now fits best, 0.250.');
  expect(heard([])).toBe('');
});

it('the engine’s warning of unknown words is left out where the page names them itself', () => {
  const path = '/inputs/source';
  const lacks = { path, message: 'the vocabulary lacks "eat", "apple"; words outside it count as <unknown>' };
  const other = { path, message: 'a row has no words' };
  const model = (vocabulary?: string[]) => ({ inputs: { source: { tokens: ['eat'] } }, mechanism: {},
    model: [{ name: 'words', type: 'fm-embedding', inputs: { x: 'source' }, ...(vocabulary ? { vocabulary } : {}) }],
  }) as unknown as Doc;
  expect(withoutUnknown([lacks, other], book, model(['<start>', '<end>', '<unknown>', 'we']))).toEqual([other]);
  expect(withoutUnknown([lacks, other], book, model())).toEqual([lacks, other]);
  const module = { ...lacks, path: '/model/0' };
  expect(withoutUnknown([module], book, model(['<start>', '<end>', '<unknown>']))).toEqual([]);
  expect(withoutUnknown([module], book, model())).toEqual([module]);
  const later = { path: '/examples/1/source', message: `${lacks.message}; without a list "vocabulary" it has more` };
  expect(withoutUnknown([later], book, model(['<start>', '<end>', '<unknown>']))).toEqual([later]);
});
