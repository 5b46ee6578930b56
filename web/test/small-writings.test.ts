// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { namesOf, partsOf } from '../src/card/fraction.ts';
import type { Term } from '../src/engine/types.ts';
import { choiceCalled } from '../src/strings/quote.ts';

const term = (label: string, value: number, chosen = false): Term => ({ label, value, chosen });
const names = (terms: Term[]) => namesOf(partsOf(terms).parts).map(({ term: { label } }) => label);

it('names of parts that would touch give way to the chosen one', () => {
  expect(names([term('Katze', 0.03, true), term('sieht', 0.01), term('den', 0.25), term('Hund', 0.71)]))
    .toEqual(['Katze', 'Hund']);
  expect(names([term('a', 0.5), term('b', 0.5, true)]).toSorted()).toEqual(['a', 'b']);
});

it('a choice has its name in words, and one that is a name already stays', () => {
  expect(['after-matrix', 'relu-squared', 'greedy', 'tanh'].map((id) => choiceCalled(id)))
    .toEqual(['after the matrix', 'ReLU, squared', 'its own words', 'tanh']);
  expect([choiceCalled('a', 'mask-multiply-zero'), choiceCalled('a', 'other'), choiceCalled('post', 'other')])
    .toEqual(['before the softmax (a)', 'a', 'after']);
});
