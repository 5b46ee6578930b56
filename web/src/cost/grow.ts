// SPDX-License-Identifier: Apache-2.0
import { minimum } from '../lists.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Book } from '../state/catalogue.ts';
import { isModel, membersOf } from '../state/model.ts';
import { refit, rolesOf, serve } from '../state/roles.ts';

export const SMALLEST = 8;
export const LARGEST = 4096;
export const sizes = (): number[] =>
  Array.from({ length: Math.log2(LARGEST / SMALLEST) + 1 }, (_, k) => SMALLEST * 2 ** k);

// A table of positions that names no length has this many rows, as in the catalogue's record of fm-combine.
const POSITIONS = 64;

/** The number of rows of a parameter that was computed with or loaded from a file. */
export type RowsOf = (name: string) => number | undefined;

/** That of a result; large tables are only listed. */
export const rowsIn = (result: Result | undefined): RowsOf => (name) => (result?.find(name, 'parameters')
  ?? result?.left.find((one) => one.name === name && one.group === 'parameters'))?.shape.at(-2);

/** How many positions a model with a learned row for each of them reads at most; other models read `most`. */
export const positionsOf = (document: Doc, rowsOf: RowsOf, most = LARGEST): number => minimum((isModel(document)
  ? membersOf(document).flatMap(({ name, value }) => (value['type'] === 'fm-combine' && value['position'] === true
    ? [rowsOf(`${name}.P`) ?? (typeof value['N'] === 'number' ? value['N'] : POSITIONS)] : [])) : []), most);

/** The sizes with room for every word of a model, because one that lost words is another model. */
export function sizesFor(document: Doc, rowsOf: RowsOf = () => undefined): number[] {
  const own = isModel(document) ? Object.values(document.inputs).map(({ tokens }) =>
    (Array.isArray(tokens) ? new Set(tokens).size : 0)) : [];
  const most = positionsOf(document, rowsOf);
  const fitting = sizes().filter((n) => n <= most && own.every((count) => n >= count));
  // A model of few positions whose words fill them is measured at that one size.
  if (fitting.length === 0 && most < LARGEST) return [most];
  return fitting.length > 0 ? fitting : [LARGEST];
}

const words = (n: number): string[] => Array.from({ length: n }, (_, k) => `w${k}`);

function width(input: JsonObject): number {
  const features = isObject(input['features']) ? input['features'] : {};
  const rows = (Array.isArray(features['matrix']) ? features['matrix'] : input['matrix']) as unknown[][] | undefined;
  const { shape } = input;
  const given = Array.isArray(shape) && shape.length === 2 ? Number(shape[1]) : undefined;
  return rows?.[0]?.length ?? given ?? (typeof features['dim'] === 'number' ? features['dim'] : 16);
}

// A model's words come again: it knows so many, and more would be another model.
const again = (tokens: unknown, n: number): string[] =>
  (Array.isArray(tokens) && tokens.length > 0 ? Array.from({ length: n }, (_, k) => String(tokens[k % tokens.length]))
    : words(n));

/** Pieces by their numbers, which a model looks up: they come again, as words do. */
export function piecesAgain({ shape, data, labels }: JsonObject, n: number): JsonObject | undefined {
  const column = Array.isArray(shape) && shape.length === 2 && shape[1] === 1;
  if (!column || !Array.isArray(data) || !Array.isArray(labels) || data.length === 0) return undefined;
  const repeated = (list: Json[]): Json[] => Array.from({ length: n }, (_, k) => list[k % list.length]!);
  return { shape: [n, 1], data: repeated(data), labels: repeated(labels) };
}

const wires = (member: JsonObject): string[] =>
  (isObject(member['inputs']) ? Object.values(member['inputs']) : []).map((wire) => String(wire));

/**
 * A model without its losses and the answers that only these read: how many rows an answer has does not follow from how
 * many words the model reads.
 */
function withoutLosses(book: Book, draft: Doc): void {
  if (!isModel(draft)) return;
  const members = membersOf(draft);
  const read = new Set(members.flatMap(({ value }) => wires(value)));
  const losses = members.filter(({ name, value }) => book.member(value)?.family === 'losses' && !read.has(name)
    && ![...read].some((wire) => wire.startsWith(`${name}.`)));
  if (losses.length === 0 || losses.length === members.length) return;
  const kept = members.filter((one) => !losses.includes(one));
  draft['model'] = kept.map(({ value }) => value);
  const still = new Set(kept.flatMap(({ value }) => wires(value)));
  for (const name of losses.flatMap(({ value }) => wires(value))) if (!still.has(name)) delete draft.inputs[name];
}

/** The same mechanism over n words: random features of the same width; what was given for other sizes is drawn. */
export function grown(book: Book, document: Doc, n: number, seed: number): Doc {
  const draft = structuredClone(document);
  for (const name of ['title', 'parameters', 'gradient', 'outputs']) delete draft[name];
  draft['seed'] = seed;
  // What is looked up needs its table, which is as large for any number of words.
  const looksUp = draft['model'] !== undefined && Object.values(draft.inputs).some((input) => piecesAgain(input, n));
  if (looksUp && document['parameters'] !== undefined) draft['parameters'] = document['parameters'];
  withoutLosses(book, draft);
  const mapped = new Set(rolesOf(book, draft).filter(({ shape }) => shape.trim() === 'm n').map(({ name }) => name));
  for (const [name, input] of Object.entries(draft.inputs)) {
    // A matrix over pairs is no list of words: it is fitted to them below.
    const pairs = Array.isArray(input['matrix']) && input['tokens'] === undefined
      && Object.keys(draft.inputs).length > 1 && (mapped.has(name) || input['labels'] === undefined);
    const pieces = draft['model'] === undefined ? undefined : piecesAgain(input, n);
    if (pairs) delete draft.inputs[name];
    else if (pieces) draft.inputs[name] = pieces;
    else draft.inputs[name] = { tokens: draft['model'] === undefined ? words(n) : again(input['tokens'], n),
      features: { type: 'embedding', dim: width(input) } };
  }
  serve(book, draft, {}, words(n));
  refit(book, draft);
  return draft;
}
