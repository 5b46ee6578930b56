// SPDX-License-Identifier: Apache-2.0
// What of a document can stay where a chosen mechanism brings weights of its own, or cannot stand here at all: the
// words, the model and everything that was learned; what is new is drawn from the seed.
import type { Client } from '../engine/client.ts';
import { keepWeights } from '../engine/kept.ts';
import { weightsNamed } from '../engine/load.ts';
import { Result } from '../engine/result.ts';
import type { Directory, Doc, Json, JsonObject, Mechanism } from '../engine/types.ts';
import { fitted, numbersIn, readWeights, type Stored } from '../files/weights.ts';
import { isTrained } from './writer.ts';

/** A place of the document, and what can be chosen there. */
export interface Place {
  path: string;
  choices: readonly Mechanism[];
  put(draft: Doc, id: string): void;
}

export interface Kept {
  document: Doc;
  /** What stands where the chosen one could not, and the two widths that it brings together. */
  instead: { title: string; widths: [number, number] } | undefined;
  /** The parameters that were drawn anew though the others were learned. */
  drawn: string[];
}

// Of those that could stand in, so many are tried.
const MOST = 3;
// A weight between a query's width and a key's, as the catalogue writes its shape.
const MAPS: ReadonlySet<string> = new Set(['dq dk', 'dk dq']);

const mapOf = ({ parameters }: Mechanism) => parameters.find(({ shape }) => MAPS.has(shape.trim()));

/**
 * What compares like an entry that has no weights, and maps one width to the other by a weight of its own; the
 * simplest first.
 */
export function nearest(choices: readonly Mechanism[], id: string): Mechanism[] {
  const chosen = choices.find((one) => one.id === id);
  if (!chosen || chosen.parameters.length > 0) return [];
  const size = ({ parameters, knobs }: Mechanism) => parameters.length + knobs.length;
  return choices.filter((one) => mapOf(one) && one.slots.length === 0 && one.roles.length === 0)
    .toSorted((one, other) => size(one) - size(other)).slice(0, MOST);
}

async function run(client: Client, document: Doc): Promise<Result | undefined> {
  const answer = await client.send({ kind: 'other', document: JSON.stringify(document) });
  if (!answer) return undefined;
  const directory = JSON.parse(answer.text) as Directory | { ok: false };
  return directory.ok && answer.data ? new Result(directory, answer.data) : undefined;
}

const bare = (document: Doc): Doc => {
  const { parameters: _given, ...rest } = document;
  return rest as Doc;
};

// The file's numbers where names and shapes are the same, and the drawn ones elsewhere.
async function mixed(document: Doc, drawn: Result): Promise<{ parameters: Json; drawn: string[] } | undefined> {
  const { from, ...given } = document['parameters'] as JsonObject & { from: string };
  // What is too large to be handed over cannot be put into a file.
  if (drawn.left.some(({ group }) => group === 'parameters')) return undefined;
  const bytes = await weightsNamed(from);
  if (!bytes) return undefined;
  const own = new Map(drawn.all('parameters').map(({ name, shape, data }): [string, Stored] =>
    [name, { dtype: 'F32', shape, bytes: new Uint8Array(data.slice().buffer) }]));
  const found = fitted({ metadata: {}, tensors: own }, readWeights(bytes));
  const still = Object.fromEntries(Object.entries(given).filter(([name]) => own.has(name)));
  const name = `own-${Date.now().toString(36)}.safetensors`;
  if (await keepWeights(name, found.file)) return { parameters: { ...still, from: name }, drawn: found.drawn };
  // Where the browser keeps nothing, the numbers stand in the document.
  const numbers = [...readWeights(found.file).tensors].map(([key, stored]) =>
    [key, { shape: stored.shape, data: numbersIn(stored) }]);
  return { parameters: { ...Object.fromEntries(numbers), ...still }, drawn: found.drawn };
}

interface Made extends Pick<Kept, 'document' | 'drawn'> {
  result: Result;
}

async function withWeights(client: Client, document: Doc): Promise<Made | undefined> {
  const plain = await run(client, bare(document));
  if (!plain || !isTrained(document)) return plain && { document, drawn: [], result: plain };
  const found = await mixed(document, plain);
  const made = found && { ...document, parameters: found.parameters } as Doc;
  const result = made && await run(client, made);
  return result && { document: made, drawn: found!.drawn, result };
}

// The widths of a query and of a key, as the weight between them has them.
function widthsOf(result: Result, { path }: Place, other: Mechanism): [number, number] {
  const { name, shape } = mapOf(other)!;
  const [, , ...inside] = path.split('/').filter((part) => !/^\d+$/.test(part));
  const end = `.${[...inside, name].join('.')}`;
  const [one = 0, two = 0] = result.all('parameters').find((tensor) => `.${tensor.name}`.endsWith(end))?.shape ?? [];
  return shape.trim().startsWith('dq') ? [one, two] : [two, one];
}

/**
 * The refused document as it can stand: with weights of which some are new, or with the nearest entry that fits in the
 * place of the chosen one. Undefined where nothing of the kind does.
 */
export async function keep(client: Client, document: Doc, id: string | undefined,
  place: Place | undefined): Promise<Kept | undefined> {
  const asItIs = isTrained(document) ? await withWeights(client, document) : undefined;
  if (asItIs) return { document: asItIs.document, drawn: asItIs.drawn, instead: undefined };
  if (!place || id === undefined) return undefined;
  for (const other of nearest(place.choices, id)) {
    const copy = structuredClone(document);
    place.put(copy, other.id);
    const found = await withWeights(client, copy);
    if (!found) continue;
    const widths = widthsOf(found.result, place, other);
    // Where both are as wide, it was something else that did not fit.
    if (widths[0] === widths[1]) return undefined;
    return { document: found.document, drawn: found.drawn, instead: { title: other.title, widths } };
  }
  return undefined;
}
