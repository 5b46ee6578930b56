// SPDX-License-Identifier: Apache-2.0
// Several matrices at once, by the names of the inputs that they go into.
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { isModel } from '../state/model.ts';
import { putInto } from '../state/proposals.ts';
import { rolesOf, type Shelf } from '../state/roles.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';
import type { Found } from './input-data.ts';
import { words } from './words.ts';

export type Named = Extract<Found, { kind: 'inputs' }>;

const [QUERY, BASIC] = ['/mechanism/query', 'query-basic'];
const INPUTS = ['query', 'key', 'value'] as const;
type Input = (typeof INPUTS)[number];

const inputCalled = (name: string): Input | undefined => {
  const small = name.trim().toLowerCase();
  return INPUTS.find((one) => small === one || small === one[0] || small === `${one}s`)
    ?? (small === 'queries' ? 'query' : undefined);
};

/** Whether an object gives matrices by the names of inputs. */
export const givesInputs = (value: JsonObject): boolean =>
  Object.keys(value).some((name) => inputCalled(name) !== undefined);

/** The matrices of an object such as { "Q": [[1, 0]], "K": …, "V": … }; `read`: what a matrix alone is. */
export function inputsIn(value: JsonObject, read: (value: Json) => Found): Found {
  const given: Partial<Record<Input, number[][]>> = {};
  const wrong = (why: string): Found => ({ kind: 'wrong', why });
  for (const [name, numbers] of Object.entries(value)) {
    const input = inputCalled(name);
    if (!input) return wrong(words().otherName(quote(name)));
    if (given[input]) return wrong(words().twice(input));
    const found = read(numbers);
    if (found.kind === 'wrong' && Array.isArray(numbers) && numbers.length > 0) return found;
    if (found.kind !== 'matrix') return wrong(words().notMatrix(quote(name)));
    given[input] = found.rows;
  }
  const { key, value: values } = given;
  if (key && values && key.length !== values.length) return wrong(words().otherRows(key.length, values.length));
  return { kind: 'inputs', given: INPUTS.flatMap((name) => (given[name] ? [{ name, rows: given[name] }] : [])) };
}

/** What they are, in a line: the names with their sizes. */
export const namedSaid = ({ given }: Named): string => words().found(
  given.map(({ name, rows }) => `${name} ${rows.length} × ${rows[0]?.length ?? 0}`).join(strings.comma));

const strangerIn = (book: Book, document: Doc, { given }: Named): string | undefined => {
  const roles = rolesOf(book, document).map(({ name }) => name);
  return given.find(({ name }) => !roles.includes(name))?.name;
};

// The document with the query type that reads queries, keys and values as they are given.
function basic(book: Book, document: Doc): Doc {
  const draft = structuredClone(document);
  const slot = book.module(document)?.slots.find(({ kind }) => kind === 'query');
  if (slot) putInto(book, slot, QUERY, BASIC)(draft);
  return draft;
}

/** Whether the document reads these matrices only with another query type. */
export const turnsBasic = (book: Book, document: Doc, named: Named): boolean => !isModel(document)
  && strangerIn(book, document, named) !== undefined
  && strangerIn(book, basic(book, document), named) === undefined;

/** Gives them to a document, in place of all that it reads in these roles; why that cannot be done. */
export function putNamed(book: Book, document: Doc, named: Named, shelf: Shelf): string | undefined {
  const { given } = named;
  if (turnsBasic(book, document, named)) {
    // What the other query type read comes back with it.
    for (const [name, input] of Object.entries(document.inputs)) shelf[name] = input;
    Object.assign(document, basic(book, document), { inputs: {} });
  }
  const roles = rolesOf(book, document).map(({ name }) => name);
  const stranger = strangerIn(book, document, named);
  if (stranger) return words().notRead(stranger,
    (roles.length > 0 ? roles : Object.keys(document.inputs)).map(quote).join(strings.comma));
  const wires = document.mechanism?.['inputs'];
  for (const name of INPUTS) {
    const own = typeof wires === 'object' && wires !== null && !Array.isArray(wires) ? wires[name] : undefined;
    const into = typeof own === 'string' ? own : name;
    const found = given.find((one) => one.name === name);
    // A role that nothing was given for reads what stands in for it.
    if (document.inputs[into]) shelf[into] = document.inputs[into];
    if (!found) delete document.inputs[into];
    else document.inputs[into] = { tokens: found.rows.map((_, k) => `${name[0]}${k + 1}`),
      features: { type: 'matrix', matrix: found.rows } };
  }
  return undefined;
}
