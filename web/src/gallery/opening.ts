// SPDX-License-Identifier: Apache-2.0
// The document with which a mechanism opens: its example with words for rows, as many as its effect needs to be seen.
import { idleKnobs } from '../controls/idle.ts';
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { get, join, set } from '../engine/pointer.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, JsonObject, Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { rolesOf } from '../state/roles.ts';
import { own } from '../strings/engine.ts';

// The sentence of the first page, continued. Words that come again show whether a mechanism tells positions apart.
const SENTENCE = ['they', 'see', 'the', 'red', 'car', 'near', 'the', 'house', 'and', 'the', 'old', 'garden', 'by',
  'the', 'small', 'river'];
const LENGTHS = [8, 12, SENTENCE.length];

type Table = JsonObject & { shape: [rows: number, features: number] };
const isTable = ({ shape }: JsonObject): boolean =>
  Array.isArray(shape) && shape.length === 2 && shape.every((extent) => Number(extent) > 1);
// Rows of features, not a matrix over pairs of rows, and not what is always a single row.
const hasTokens = (shape: string): boolean => /^[a-z]\w* (?![mnt]\d?$)[a-z]\w*$/.test(shape.split('|')[0]!.trim());

/**
 * The example with words for the rows of its inputs: as many as it has rows, or so many. With `alone`, an input that
 * may be left out, as keys and values may, is: the same words are read for it.
 */
export function worded(book: Book, example: Doc, words?: number, alone = false): Doc {
  const made = structuredClone(example);
  for (const { name, shape, required, falls_back_to: other } of rolesOf(book, example)) {
    const input = made.inputs[name];
    if (!input || !isTable(input) || !hasTokens(shape)) continue;
    const [rows, dim] = (input as Table).shape;
    if ((words ?? rows) > SENTENCE.length) continue;
    if (alone && !required && other && example.inputs[other]) delete made.inputs[name];
    else made.inputs[name] = { tokens: SENTENCE.slice(0, words ?? rows), features: { type: 'embedding', dim } };
  }
  return made;
}

const computed = async (client: Client, document: Doc): Promise<Result | undefined> =>
  (await compute(client, document))?.result;
const run = async (client: Client, document: Doc): Promise<Float32Array | undefined> => {
  const answer = await client.ask({ kind: 'run', document: JSON.stringify(document) });
  return answer?.data && (JSON.parse(answer.text) as { ok: boolean }).ok ? answer.data : undefined;
};
const same = (one: Float32Array, other: Float32Array): boolean =>
  one.length === other.length && one.every((x, k) => Object.is(x, other[k]));

// The whole-number knobs of a mechanism, such as the width of a window, by their paths in its example.
function countsOf(book: Book, example: Doc, mechanism: Mechanism): [path: string, value: number][] {
  const path = book.module(example) === mechanism ? '/mechanism'
    : book.choices(example).find((choice) => choice.mechanism === mechanism)?.path;
  if (path === undefined) return [];
  const given = (name: string) => get(example, path + join(name));
  const idle = new Set(idleKnobs(mechanism, given));
  return mechanism.knobs.filter(({ type, name }) => type === 'integer' && !idle.has(name))
    .map(({ name, default: usual }): [string, unknown] => [path + join(name), given(name) ?? usual])
    .filter((one): one is [string, number] => typeof one[1] === 'number');
}

// How many of the knobs change nothing when they are one larger: at this length they do nothing yet.
async function unseen(client: Client, document: Doc, data: Float32Array, counts: [string, number][]): Promise<number> {
  let found = 0;
  for (const [path, value] of counts) {
    const more = structuredClone(document);
    set(more, path, value + 1);
    const other = await run(client, more);
    if (other && same(data, other)) found++;
  }
  return found;
}

// Of a position whose numbers differ from head to head one head shows little.
const HEADS = 4;
const WIDTH = 2 * HEADS;
const differsByHead = ({ kind, formula, parameters }: Mechanism): boolean => kind === 'position'
  && (/\/h\b/.test(formula) || parameters.some(({ shape }) => /\|.*\bh\b/.test(String(shape))));

// The same with so many heads, which project queries, keys and values.
function withHeads(document: Doc, count: number, width?: number): Doc {
  const made = structuredClone(document);
  for (const input of Object.values(made.inputs)) {
    const features = input['features'] as JsonObject | undefined;
    if (width !== undefined && features?.['type'] === 'embedding') features['dim'] = width;
  }
  (made['mechanism'] as JsonObject)['heads'] = { type: 'multi-head', count };
  return made;
}

// Beside the largest weight of a map such a weight is what rounding left.
const RESIDUE = 1e-4;

// Whether each row of the weights, a square map or several, gives all its weight to its own column.
function onlyItself({ tensors }: Result): boolean {
  const map = tensors.find(({ role, shape }) =>
    role === 'weights' && shape.length > 1 && shape.at(-2) === shape.at(-1));
  if (!map) return false;
  const columns = map.shape.at(-1)!;
  let [own, other] = [0, 0];
  for (const [k, x] of map.data.entries()) {
    if (Math.floor(k / columns) % columns === k % columns) own = Math.max(own, Math.abs(x));
    else other = Math.max(other, Math.abs(x));
  }
  return other <= RESIDUE * own;
}

// A delta rule erases what it holds under a key before it writes. Where the key is the query, too, each word then finds
// nothing but itself; projections tell the two apart.
async function toldApart(client: Client, document: Doc): Promise<Doc> {
  const result = document['mechanism'] && await computed(client, document);
  if (!result || !onlyItself(result)) return document;
  const projected = withHeads(document, 1);
  return await run(client, projected) ? projected : document;
}

/** The example over the fewest words at which most of the knobs that count something have an effect. */
export async function opening(client: Client, book: Book, example: Doc, mechanism: Mechanism): Promise<Doc> {
  const { title } = own(mechanism);
  if (differsByHead(mechanism) && example['mechanism']) {
    const document = withHeads(worded(book, example, LENGTHS[0], true), HEADS, WIDTH);
    if (await run(client, document)) return { ...document, title };
  }
  const counts = countsOf(book, example, mechanism);
  // Where parts of the example are made for other inputs or for its number of rows, it keeps these.
  for (const tries of [LENGTHS.map((words) => worded(book, example, words, true)),
    LENGTHS.map((words) => worded(book, example, words)), [worded(book, example)]]) {
    let best: { document: Doc; idle: number } | undefined;
    for (const document of tries) {
      const data = await run(client, document);
      if (!data) continue;
      const idle = await unseen(client, document, data, counts);
      if (!best || idle < best.idle) best = { document, idle };
      if (idle === 0) break;
    }
    if (best) return { ...await toldApart(client, best.document), title };
  }
  return { ...example, title };
}
