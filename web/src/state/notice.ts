// SPDX-License-Identifier: Apache-2.0
import { strings } from '../strings/en.ts';
import type { Doc } from '../engine/types.ts';
import { parametersCalled } from './path-names.ts';
import type { Book } from './catalogue.ts';
import { quote } from '../strings/quote.ts';

type Words = typeof strings;
type Says = { [K in keyof Words]: Words[K] extends string | ((...values: string[]) => string) ? K
  : never }[keyof Words];

/** A sentence of the page's, by its key: it is put into words when it is shown, in the language of that moment. */
export interface Notice {
  key: Says;
  /** What the sentence speaks of. */
  values?: string[];
  /** What it speaks of is done where one trains: what the way there is called. */
  train?: 'trainIt' | 'setByHand';
  /** The last value comes from the engine, in English. */
  quoted?: boolean;
  /** The values are names of parameters: they are called as the menus call them. */
  parameters?: boolean;
  /** The path of the control where somebody chose what it speaks of: it is said there. */
  at?: string | undefined;
  /** The mechanism whose own example can be opened instead. */
  example?: string | undefined;
}

/** Where it is shown: what the menus call the parts of the document. */
interface Page {
  book: Book;
  documents: { document: Doc };
}

/** The notice in the reader's words. */
export function inWords({ key, values = [], quoted = false, parameters = false }: Notice, page: Page): string {
  const text: string | ((...values: string[]) => string) = strings[key];
  if (typeof text === 'string') return text;
  if (parameters) return text(...parametersCalled(page.book, page.documents.document, values));
  return text(...values.map((value, k) => (quoted && k === values.length - 1 ? quote(value) : value)));
}
