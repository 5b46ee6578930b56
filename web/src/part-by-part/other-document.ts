// SPDX-License-Identifier: Apache-2.0
// The document that a system is compared by: as the gallery opens it, and with the words of the page's own document.
import type { Result } from '../engine/result.ts';
import type { Doc, JsonObject } from '../engine/types.ts';
import { withWordsOf } from '../gallery/presets.ts';
import { isObject } from '../engine/pointer.ts';
import type { Book } from '../state/catalogue.ts';
import { drawnIn } from '../state/random-parameters.ts';
import { membersOf } from '../state/model.ts';
import { isTrained } from '../state/writer.ts';

export interface Other {
  document: Doc;
  sameWords: boolean;
}

/** In the place of a system: the document as it was opened. */
export const OPENED = 'opened';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether the reader has changed what the document computes, and not only its words. */
export const isChanged = (own: Doc, base: Doc): boolean =>
  !same({ ...own, inputs: undefined, seed: undefined }, { ...base, inputs: undefined, seed: undefined });

/** The document as it was opened, with the inputs that it has now where these are inputs of the same names. */
export function asOpened(own: Doc, base: Doc): Other {
  const alike = same(Object.keys(own.inputs), Object.keys(base.inputs));
  return { document: alike ? { ...base, inputs: own.inputs } : base, sameWords: alike };
}

/** B with the words of A, where both have inputs of the same names and B knows those words. */
export function withWords(other: Doc, own: Doc): Other {
  const mine = withWordsOf(other, own);
  const reads = Object.entries(mine.inputs).some(([name, { tokens }]) => tokens !== undefined
    && JSON.stringify(tokens) === JSON.stringify(own.inputs[name]?.['tokens']));
  return reads && knows(mine) ? { document: mine, sameWords: true } : { document: other, sameWords: false };
}

// Whether modules know the words of the inputs in which they look them up: a translator has a list for each language.
function knows(document: Doc): boolean {
  return membersOf(document).every(({ value }) => {
    const { vocabulary, inputs } = value;
    if (!Array.isArray(vocabulary) || !isObject(inputs)) return true;
    return Object.values(inputs).every((wire) => {
      const tokens = document.inputs[String(wire)]?.['tokens'];
      return !Array.isArray(tokens) || tokens.every((word) => vocabulary.includes(word));
    });
  });
}

/** Its numbers were drawn: its map shows how the mechanism works, not what a model has learned. */
export function isUntrained(book: Book, document: Doc, result: Result): boolean {
  if (isTrained(document)) return false;
  const given = new Set(Object.keys((document['parameters'] ?? {}) as JsonObject));
  return result.all('parameters').filter(({ name }) => !given.has(name)).some(drawnIn(book, document));
}
