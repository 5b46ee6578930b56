// SPDX-License-Identifier: Apache-2.0
// Which parameters are drawn from the seed: some of those that nobody gave start at the same numbers with every seed.
import type { Tensor } from '../engine/result.ts';
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book } from './catalogue.ts';
import { membersOf } from './model.ts';

/** Parameters that start like this have no seed. */
export const CONSTANT: ReadonlySet<string> = new Set(['zero', 'one', 'half', 'identity', 'distances', 'stated']);

type Numbers = Pick<Tensor, 'name' | 'data'>;

const startsOf = (mechanisms: readonly Mechanism[], name: string): boolean[] =>
  mechanisms.flatMap(({ parameters }) => parameters.filter((one) => one.name === name))
    .map(({ distribution }) => CONSTANT.has(distribution));

/** Whether parameters were drawn, by the records of the document's mechanisms. */
export function drawnIn(book: Book, document: Doc): (tensor: Numbers) => boolean {
  const own = membersOf(document).map(({ value }) => book.member(value));
  const chosen = book.choices(document).map(({ mechanism }) => mechanism);
  const mechanisms = [...own, ...chosen].filter((one) => one !== undefined);
  return ({ name, data }) => {
    const constant = startsOf(mechanisms, name.slice(name.lastIndexOf('.') + 1));
    // Where records of one document differ about a name, the numbers tell which of them made this one.
    return constant.length === 0 || !(constant.every(Boolean)
      || (constant.some(Boolean) && data.every((value) => value === data[0])));
  };
}

export const numbersIn = (tensors: readonly Numbers[]): number =>
  tensors.reduce((sum, { data }) => sum + data.length, 0);

/** Where the numbers of parameters that were not trained come from. */
export function originOf({ book, pictured }: { book: Book; pictured: Doc },
  parameters: readonly Numbers[]): 'drawn' | 'fixed' | 'both' {
  const drawn = parameters.filter(drawnIn(book, pictured)).length;
  return drawn === parameters.length ? 'drawn' : drawn === 0 ? 'fixed' : 'both';
}
