// SPDX-License-Identifier: Apache-2.0
// What of a document can stay where a chosen mechanism brings weights of its own, or cannot stand here at all: the
// words, the model and everything that was learned; what is new is drawn from the seed.
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { keepWeights } from '../engine/kept.ts';
import { comesWithPage, weightsNamed } from '../engine/weight-files.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, Json, JsonObject, Mechanism } from '../engine/types.ts';
import { fitted, hasLargeInt8, readHeader, readWeights, type Stored, UNTRAINED } from '../files/weights.ts';
import { sized } from './sized.ts';
import { isTrained } from './writer.ts';

/** A place of the document, and what can be chosen there. */
export interface Place {
  path: string;
  choices: readonly Mechanism[];
  /** `more`: what else is to be said of the entry. */
  put(draft: Doc, id: string, more?: JsonObject): void;
}

/** What is used where the chosen entry cannot be: around it, or in its place. */
export interface Instead {
  title: string;
  /** Of what is put around it: the widths of a query and of a key that its matrix brings together. */
  widths: [number, number] | undefined;
}

export interface Kept {
  document: Doc;
  instead: Instead | undefined;
  /** The parameters that were drawn from the seed though the others were learned. */
  drawn: string[];
}

interface Alternative {
  title: string;
  put(draft: Doc): void;
  /** What maps one width to the other, where that is what it is for. */
  maps?: Mechanism;
}

// Of those that could take its place, so many are tried.
const MOST = 3;
// The kinds of which one of a family does much what another does.
const KIN: ReadonlySet<string> = new Set(['score', 'alignment']);
// A weight between a query's width and a key's, as the catalogue writes its shape.
const MAPS: ReadonlySet<string> = new Set(['dq dk', 'dk dq']);

const mapOf = ({ parameters }: Mechanism) => parameters.find(({ shape }) => MAPS.has(shape.trim()));
// The last word of its name in the survey's taxonomy says what it is; those before it say which kind of that.
const familyOf = ({ coordinate }: Mechanism): string | undefined => coordinate?.split(' ').at(-1);

/**
 * What can be used where an entry does not fit: what takes the entry as its base and maps one width to the other; then
 * others of its family in the survey's taxonomy, the simplest first.
 */
export function alternatives({ choices, put }: Place, id: string): Alternative[] {
  const chosen = choices.find((one) => one.id === id);
  if (!chosen) return [];
  const around = choices.flatMap((one): Alternative[] => {
    const base = mapOf(one) && one.slots.find(({ kind, among }) => kind === one.kind && among?.includes(id));
    return base ? [{ title: one.title, maps: one, put: (draft) => put(draft, one.id, { [base.name]: { type: id } }) }]
      : [];
  });
  const size = ({ parameters, knobs }: Mechanism) => parameters.length + knobs.length;
  const family = familyOf(chosen);
  const alike = family === undefined || !KIN.has(chosen.kind) ? [] : choices.filter((one) =>
    one !== chosen && familyOf(one) === family && one.slots.length === 0
    && !one.roles.some(({ required }) => required));
  return [...around, ...alike.toSorted((one, other) => size(one) - size(other)).slice(0, MOST)
    .map((one): Alternative => ({ title: one.title, put: (draft) => put(draft, one.id) }))];
}

const run = async (client: Client, document: Doc): Promise<Result | undefined> =>
  (await compute(client, document))?.result;

const bare = (document: Doc): Doc => {
  const { parameters: _given, ...rest } = document;
  return rest as Doc;
};

// The file's numbers where names and shapes are the same, and the drawn ones elsewhere.
// `before`: the parameters that the document had. Those of them that no file has, such as biases of 0, are nothing new.
async function mixed(document: Doc, drawn: Result,
  before: ReadonlySet<string>): Promise<{ parameters: Json; drawn: string[] } | undefined> {
  const { from, ...given } = document['parameters'] as JsonObject & { from: string };
  // What is too large to be handed over cannot be put into a file.
  if (drawn.left.some(({ group }) => group === 'parameters')) return undefined;
  const bytes = await weightsNamed(from);
  if (!bytes) return undefined;
  const trained = readWeights(bytes);
  const own = new Map(drawn.all('parameters').filter(({ name }) => trained.tensors.has(name) || !before.has(name))
    .map(({ name, shape, data }): [string, Stored] =>
      [name, { dtype: 'F32', shape, bytes: new Uint8Array(data.slice().buffer) }]));
  // A link needs only what differs from a file that comes with the page.
  const { base = from } = trained.metadata;
  // What a model of another program writes, and its tokenizer, are beside its weights.
  const { [UNTRAINED]: _untrained, document: _document, ...beside } = trained.metadata;
  const more = beside['writes'] === undefined ? comesWithPage(base) ? { base } : {} : beside;
  const found = fitted({ metadata: {}, tensors: own }, trained, {}, more);
  const still = Object.fromEntries(Object.entries(given).filter(([name]) => own.has(name)));
  if (given['activations'] !== undefined && hasLargeInt8(await readHeader(found.file)))
    still['activations'] = given['activations'];
  const name = `own-${Date.now().toString(36)}.safetensors`;
  await keepWeights(name, found.file);
  return { parameters: { ...still, from: name }, drawn: found.drawn };
}

/** The document before a change, the same with the sizes that the engine found, and the names of its parameters. */
export interface Sizes {
  before: Doc;
  found: Doc;
  parameters: readonly string[];
}

interface Made extends Pick<Kept, 'document' | 'drawn'> {
  result: Result;
}

// Without its weights a document has no sizes but those that it gives, so it gets those that it had.
async function withWeights(client: Client, document: Doc, sizes: Sizes | undefined): Promise<Made | undefined> {
  const plain = (isTrained(document) && sizes
    ? await run(client, bare(sized(document, sizes.before, sizes.found))) : undefined)
    ?? await run(client, bare(document));
  if (!plain || !isTrained(document)) return plain && { document, drawn: [], result: plain };
  const found = await mixed(document, plain, new Set(sizes?.parameters));
  const made = found && { ...document, parameters: found.parameters } as Doc;
  const result = made && await run(client, made);
  return result && { document: made, drawn: found!.drawn, result };
}

// The widths of a query and of a key, as the weight between them has them.
function widthsOf(result: Result, { path }: Place, other: Mechanism): [number, number] {
  const { name, shape } = mapOf(other)!;
  const [, , ...inside] = path.split('/').filter((part) => !/^\d+$/.test(part));
  const end = `.${[...inside, name].join('.')}`;
  const [one = 0, two = 0] = (result.all('parameters').find((tensor) => `.${tensor.name}`.endsWith(end))?.shape ?? [])
    .slice(-2);
  return shape.trim().startsWith('dq') ? [one, two] : [two, one];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The documents with what can be used where an entry does not fit; what was there already is nothing new. */
export function otherwise(before: Doc, document: Doc, id: string | undefined,
  place: Place | undefined): (Alternative & { document: Doc })[] {
  if (!place || id === undefined) return [];
  return alternatives(place, id).map((one) => {
    const copy = structuredClone(document);
    one.put(copy);
    return { ...one, document: copy };
  }).filter((one) => !same(one.document['model'] ?? one.document.mechanism, before['model'] ?? before.mechanism));
}

/**
 * The refused document as it can be used: with weights of which some are new, or with what fits nearest in the one
 * place where somebody chose. Undefined where there is nothing of the kind. `last`: the result of the document
 * before, which has the sizes that the engine found.
 */
export async function keep(client: Client, before: Doc, document: Doc, id: string | undefined,
  place: Place | undefined, last?: Result): Promise<Kept | undefined> {
  const sizes = last && { before, found: last.directory.document,
    parameters: last.all('parameters').map(({ name }) => name) };
  const asItIs = isTrained(document) ? await withWeights(client, document, sizes) : undefined;
  if (asItIs) return { document: asItIs.document, drawn: asItIs.drawn, instead: undefined };
  for (const { title, maps, document: other } of otherwise(before, document, id, place)) {
    const made = await withWeights(client, other, sizes);
    if (!made) continue;
    const widths = maps && widthsOf(made.result, place!, maps);
    // Where both are as wide, it was something else that did not fit.
    if (widths && widths[0] === widths[1]) continue;
    return { document: made.document, drawn: made.drawn, instead: { title, widths } };
  }
  return undefined;
}
