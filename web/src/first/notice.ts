// SPDX-License-Identifier: Apache-2.0
import { inCell } from '../colour/numbers.ts';
import { hasNegative } from '../colour/scale.ts';
import { sumOf } from '../files/checksum.ts';
import { HEAD, isKey, isQuery } from '../directory/places.ts';
import { LANGUAGE } from '../engine/language.ts';
import { type Plane, plane, type Result, type Tensor } from '../engine/result.ts';
import type { Doc, JsonObject } from '../engine/types.ts';
import { weightsOf } from '../directory/modules.ts';
import { headInside } from '../strings/heads.ts';
import { mixed } from '../strings/order.ts';
import { shownPiece } from '../strings/displayed-word.ts';

/**
 * What a preset is, and what to notice in it; the second may hold numbers of the result, as {weights 1 3} or {most
 * weights 1 3}.
 */
export interface Note {
  is: string;
  see: string;
}

/** A weight as sentences write it. */
export const weight = (value: number): string => inCell(value, true);

// Of a picture its shape: whoever paints on it reads on about the same model.
const unpainted = (inputs: Doc['inputs']) =>
  Object.entries(inputs).map(([name, given]) => [name, 'shape' in given ? { ...given, data: 0 } : given]);

/** Presets whose note depends on numbers of the mechanism, such as how many keys are kept or how wide a window is. */
export const WITH_NUMBERS: ReadonlySet<unknown> = new Set(['Luong 2015, local-m', 'Transformer, encoder to decoder',
  'Chorowski 2015, top-k', 'Transformer encoder', 'Transformer decoder', 'Shaw 2018, relative positions',
  'Voita 2019, heads taken out', 'Self-attention in hops', 'Sigmoid, each key alone', 'Sinkhorn 2020',
  'Lin 2017, structured', 'Chen 2018, generalized pooling', 'Memory network 2015', 'Several hops',
  'Transformer, 2 + 2 layers']);
const withoutNumbers = (mechanism: string): string => mechanism.replace(/-?\d+(\.\d+)?(e-?\d+)?/g, '0');

function shapeOf(document: Doc, withNumbers: boolean): string {
  const mechanism = JSON.stringify([document.mechanism, document['model']]);
  return JSON.stringify([unpainted(document.inputs), withNumbers ? mechanism : withoutNumbers(mechanism)]);
}

/** The same mechanism, but for numbers on which the note of the first does not depend: what it says still holds. */
export function kin(one: Doc, other: Doc): boolean {
  const withNumbers = WITH_NUMBERS.has(one['title']);
  return shapeOf(one, withNumbers) === shapeOf(other, withNumbers);
}

/** The same number for documents that are kin. */
export const shapeSum = (document: Doc): number =>
  sumOf(new TextEncoder().encode(shapeOf(document, WITH_NUMBERS.has(document['title']))));

const modelOf = ({ mechanism, model, parameters }: Doc): string => JSON.stringify([mechanism, model, parameters]);

/**
 * Whether what is said of a document holds of what a reader made of it. What the language model's heads do was measured
 * on passages of a book: it holds of that model alone, whatever text it reads.
 */
export const stillHolds = (base: Doc, document: Doc): boolean =>
  ((base['parameters'] as JsonObject | undefined)?.['from'] === LANGUAGE ? modelOf(base) === modelOf(document)
  : kin(base, document));

const cell = (tensor: Tensor, index: number[]): number | undefined => {
  if (index.length !== tensor.shape.length || index.some((at, k) => at >= tensor.shape[k]!)) return undefined;
  return tensor.data[index.reduce((offset, at, k) => offset * tensor.shape[k]! + at, 0)];
};

/**
 * The sentence with its numbers put in; nothing where one is not there, or is no longer the largest of its row though
 * the sentence says so.
 */
export function filled(sentence: string, result: Result): string | undefined {
  let holds = true;
  const text = sentence.replace(/\{(most )?(\S+)((?: \d+)+)\}/g,
    (_all, most: string | undefined, name: string, places: string) => {
    const index = places.trim().split(' ').map(Number);
    const tensor = result.find(name, 'outputs');
    const value = tensor && cell(tensor, index);
    if (!tensor || value === undefined) {
      holds = false;
      return '';
    }
    const row = Array.from({ length: tensor.shape.at(-1)! }, (__, k) => cell(tensor, [...index.slice(0, -1), k])!);
    if (most && row.some((other) => other > value)) holds = false;
    return weight(value);
  });
  return holds ? mixed(text) : undefined;
}

type Chosen = Readonly<Record<string, number>>;

/** The weights that stand for the whole, where words stand beside their rows and above their columns. */
function worded(result: Result, chosen: Chosen,
  tensor: Tensor | undefined): { shown: Plane; queries: string[]; keys: string[] } | undefined {
  const [down = '', across = ''] = tensor?.places.slice(-2) ?? [];
  const [queries, keys] = [down, across].map((axis) => result.labels(axis)?.map(shownPiece));
  // Where weights may be negative, the largest is not what matters most.
  return tensor && queries && keys && isQuery(down) && isKey(across) && !hasNegative(tensor.data)
    ? { shown: plane(tensor, chosen), queries, keys } : undefined;
}

/** Which of several heads the weights on show are of, within a sentence. */
export function headOnShow(result: Result, chosen: Chosen, tensor = weightsOf(result)): string | undefined {
  const axis = tensor?.places.indexOf(HEAD) ?? -1;
  return tensor && (tensor.shape[axis] ?? 1) > 1 ? headInside(tensor, plane(tensor, chosen).held[axis]!) : undefined;
}

// Less than this is not seen.
const SEEN = 0.1;

/**
 * The largest weight on show between two different words that leaves room for others; none where it would not be seen.
 */
export function strongest(result: Result, chosen: Chosen,
  tensor = weightsOf(result)): { query: string; key: string; value: number } | undefined {
  const map = worded(result, chosen, tensor);
  if (!map) return undefined;
  const { shown, queries, keys } = map;
  let found: { query: string; key: string; value: number } | undefined;
  for (const [i, query] of queries.entries()) {
    for (const [j, key] of keys.entries()) {
      const value = shown.at(i, j);
      if (value < 0.995 && value > (found?.value ?? 0) && query !== key) found = { query, key, value };
    }
  }
  return found && found.value >= SEEN ? found : undefined;
}

/** A row whose look goes to two places. */
export interface Divided {
  row: number;
  query: string;
  keys: [string, string];
  values: [number, number];
}

const entropy = (row: number[]): number => row.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);

/** Of the rows on show the two whose look is spread most, in their order; only those that have a second place. */
export function divided(result: Result, chosen: Chosen, tensor = weightsOf(result)): Divided[] {
  const map = worded(result, chosen, tensor);
  if (!map) return [];
  const { shown, queries, keys } = map;
  const rows = queries.map((query, i) => {
    const row = keys.map((_, j) => shown.at(i, j));
    const order = row.map((_, k) => k).toSorted((a, b) => row[b]! - row[a]!);
    const [first = 0, second = 0] = order;
    const told: Divided = { row: i, query, keys: [keys[first]!, keys[second]!], values: [row[first]!, row[second]!] };
    return { i, spread: entropy(row), told };
  });
  const seen = rows.filter(({ told }) => told.values[1] >= SEEN && told.keys[0] !== told.keys[1]);
  return seen.toSorted((a, b) => b.spread - a.spread).slice(0, 2).toSorted((a, b) => a.i - b.i).map(({ told }) => told);
}
