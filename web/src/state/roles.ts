// SPDX-License-Identifier: Apache-2.0
import type { Result, Tensor } from '../engine/result.ts';
import type { Doc, Json, JsonObject, Knob, Role } from '../engine/types.ts';
import type { Book } from './catalogue.ts';
import { isModel } from './model.ts';
import { get, isObject, join, set, split } from '../engine/pointer.ts';
import { NATURAL } from './tokens.ts';

const QUERY = '/mechanism/query';

/** The inputs that the chosen mechanisms read, in order. */
export function rolesOf(book: Book, document: Doc): Role[] {
  // Modules of a model are wired by name: their inputs are what the wires say.
  if (isModel(document)) return [];
  const module = book.module(document);
  let roles = [...(module?.roles ?? [])];
  // A module inside this one is fed by it, and so is that module's query model.
  const choices = book.choices(document).filter(({ slot }) => slot.kind !== module?.kind);
  for (const { path, mechanism } of choices) {
    // A query model says what the whole module reads; everything else can only add to that.
    if (path === QUERY && mechanism && mechanism.roles.length > 0) roles = [...mechanism.roles];
  }
  for (const { slot, mechanism } of choices) {
    // What replaces the weights reads the queries, keys and values that its module makes.
    if (slot.kind === 'query' || (slot.kind === 'core' && roles.length > 0)) continue;
    for (const role of mechanism?.roles ?? []) {
      if (!roles.some((r) => r.name === role.name)) roles.push(role);
    }
  }
  return roles;
}

const served = (document: Doc, role: string): string | undefined => {
  const map = document.mechanism?.['inputs'];
  const named = isObject(map) ? map[role] : undefined;
  const name = typeof named === 'string' ? named : role;
  return Object.hasOwn(document.inputs, name) ? name : undefined;
};

/** A role that can be left out here, and so is only offered. */
export function offered(book: Book, document: Doc): Role[] {
  return rolesOf(book, document).filter((role) => !served(document, role.name));
}

const isMatrix = (role: Role): boolean => /^(m|n|\d+) (m|n)$/.test(role.shape.trim());

export interface Shelf {
  [name: string]: JsonObject;
}

/**
 * Gives every role that must be there an input, and takes away inputs that nothing reads.
 * What is taken away goes on the shelf, and comes back from it when it is wanted again.
 */
export function serve(book: Book, document: Doc, shelf: Shelf, sample: readonly string[]): void {
  const roles = rolesOf(book, document);
  if (roles.length === 0) return;
  const wanted = new Set(roles.map((role) => served(document, role.name) ?? role.name));
  const spare: JsonObject[] = [];
  for (const [name, input] of Object.entries(document.inputs)) {
    if (wanted.has(name)) continue;
    shelf[name] = input;
    if (Array.isArray(input['tokens'])) spare.push(input);
    delete document.inputs[name];
  }
  const missing = roles.filter((role) => role.required && !served(document, role.name));
  // The sentence that was here goes to whoever takes one of any length.
  for (const role of missing) addInput(book, document, role, shelf,
    rowsOf(book, document, role) === undefined ? spare.shift() : undefined, sample);
  // Where each can stand in for the others, one of them still has to be given.
  const first = roles[0];
  if (first && !roles.some((role) => !isMatrix(role) && served(document, role.name))) {
    addInput(book, document, first, shelf, spare.shift(), sample);
  }
  // A wire to an input that went leads nowhere.
  const wires = document.mechanism['inputs'];
  if (isObject(wires)) for (const [role, name] of Object.entries(wires))
    if (typeof name === 'string' && !Object.hasOwn(document.inputs, name)) delete wires[role];
}

export function addInput(
  book: Book,
  document: Doc,
  role: Role,
  shelf: Shelf,
  spare: JsonObject | undefined,
  sample: readonly string[],
): void {
  if (isMatrix(role)) {
    document.inputs[role.name] = { matrix: plainMatrix(book, document, role) };
    return;
  }
  const rows = rowsOf(book, document, role);
  const fits = (input: JsonObject | undefined) =>
    input && (rows === undefined || length(input) === rows) ? input : undefined;
  // Of given numbers a new input begins as what it stands beside: the sample's words have no numbers.
  const input = structuredClone(fits(shelf[role.name]) ?? fits(spare) ?? fits(givenBefore(book, document, role))
    ?? fresh(document, sample));
  if (rows !== undefined && length(input) !== rows) input['tokens'] = wordsFor(book, document, role, rows, sample);
  document.inputs[role.name] = input;
}

const symbol = (role: Role): string => role.shape.trim().split(' ')[0] ?? '';

/** The role, before this one and served, whose rows it has to match. */
function twin(book: Book, document: Doc, role: Role): Role | undefined {
  const roles = rolesOf(book, document);
  const before = roles.slice(0, Math.max(0, roles.findIndex((r) => r.name === role.name)))
    .filter((r) => !isMatrix(r) && served(document, r.name));
  const of = (axis: string) => before.find((r) => symbol(r) === axis);
  // Where nobody else speaks of queries, what is attended to asks as well.
  return of(symbol(role)) ?? (symbol(role) === 'm' ? of('n') : undefined);
}

/** How many rows an input has to have in this role; undefined: as many as it likes. */
function rowsOf(book: Book, document: Doc, role: Role): number | undefined {
  const fixed = Number(symbol(role));
  if (fixed > 0) return fixed;
  const other = twin(book, document, role);
  return other && length(document.inputs[served(document, other.name) ?? '']);
}

/** The input with numbers of the reader's that this role reads as long as it has none of its own. */
function givenBefore(book: Book, document: Doc, role: Role): JsonObject | undefined {
  const other = rolesOf(book, document).find(({ name }) => name === role.falls_back_to);
  const input = other && document.inputs[served(document, other.name) ?? ''];
  if (other && !input) return givenBefore(book, document, other);
  const features = input?.['features'];
  return isObject(features) && Array.isArray(features['matrix']) ? input : undefined;
}

function wordsFor(book: Book, document: Doc, role: Role, rows: number, sample: readonly string[]): string[] {
  const other = twin(book, document, role);
  const tokens = other && document.inputs[served(document, other.name) ?? '']?.['tokens'];
  const words = Array.isArray(tokens) ? tokens.map(String) : sample;
  return Array.from({ length: rows }, (_, k) => words[k % words.length] ?? '');
}

function fresh(document: Doc, sample: readonly string[]): JsonObject {
  const other = Object.values(document.inputs).find((input) => isObject(input['features']));
  const features = other?.['features'] ?? NATURAL;
  return { tokens: [...sample], features: structuredClone(features) };
}

const length = (input: JsonObject | undefined): number | undefined => {
  const rows = input?.['tokens'] ?? input?.['matrix'];
  return Array.isArray(rows) ? rows.length : undefined;
};

/** How long an axis is: the rows of the first input whose role's shape begins with its symbol. */
export function sizeOf(book: Book, document: Doc, axis: string): number | undefined {
  const roles = rolesOf(book, document);
  const rows = (symbol: string): number | undefined => {
    for (const role of roles) {
      const name = served(document, role.name);
      if (isMatrix(role) || !name || role.shape.split(' ')[0] !== symbol) continue;
      const found = length(document.inputs[name]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  // Queries and keys may be the same tokens, and then only one of the symbols is spoken of.
  return rows(axis) ?? rows(axis === 'm' ? 'n' : 'm');
}

// A gentle diagonal: something to see at once, and every cell is there to be edited.
function plainMatrix(book: Book, document: Doc, role: Role): Json {
  const of = (axis: string | undefined) => sizeOf(book, document, axis ?? '') ?? (Number(axis) || 4);
  const [rows, cols] = role.shape.trim().split(' ');
  return Array.from({ length: of(rows) }, (_, i) =>
    Array.from({ length: of(cols) }, (_, j) => (i === j ? 2 : 0)),
  );
}

/** What a knob that is a matrix begins with: everything allowed, or of keys two documents that are equally long. */
function startOf(knob: Knob, rows: number, columns: number): Json[][] {
  if (knob.of_keys) return [Array.from({ length: columns }, (_, k): Json => (2 * k < columns ? 1 : 2))];
  return Array.from({ length: rows }, () => Array<Json>(columns).fill(1));
}

/** Keeps [m n] inputs and knobs as large as the sentences are, after a token came or went. */
export function refit(book: Book, document: Doc): void {
  for (const role of rolesOf(book, document)) {
    const name = served(document, role.name);
    const input = name ? document.inputs[name] : undefined;
    if (!input || !isMatrix(role) || !Array.isArray(input['matrix'])) continue;
    input['matrix'] = fitted(input['matrix'], plainMatrix(book, document, role) as Json[][]);
  }
  for (const input of Object.values(document.inputs)) {
    const features = input['features'];
    const [tokens, rows] = [input['tokens'], isObject(features) ? features['matrix'] : undefined];
    if (!isObject(features) || !Array.isArray(rows) || !Array.isArray(tokens)) continue;
    const width = Array.isArray(rows[0]) ? rows[0].length : 1;
    features['matrix'] = fitted(rows, tokens.map(() => Array.from({ length: width }, (): Json => 0)));
  }
  const [m, n] = [sizeOf(book, document, 'm'), sizeOf(book, document, 'n')];
  // The modules of a model read one another's rows: what is given to one of them stays as it is.
  if (m === undefined || n === undefined) return;
  for (const { mechanism, path } of book.choices(document)) {
    for (const knob of mechanism?.knobs ?? []) {
      const value = get(document, path + join(knob.name));
      // Mechanisms with a matrix of pairs need it from the start: everything allowed. One that may be left out, such as
      // the slopes of heads, is none of pairs.
      if (knob.type !== 'matrix' || knob.optional || (value !== undefined && !Array.isArray(value))) continue;
      const start = startOf(knob, value?.length === 1 ? 1 : m, n);
      set(document, path + join(knob.name), fitted(value ?? [], start));
    }
  }
}

/** The map of the module that has this path inside it. */
export function mapAt(document: Doc, path: string, result: Result): Tensor | undefined {
  const maps = result.all('outputs').filter(({ role, shape }) =>
    (role === 'weights' || role === 'scores') && shape.length >= 2);
  if (!isModel(document)) return maps[0];
  const [, at = '', ...inside] = split(path);
  const member = String(get(document, join('model', at, 'name')));
  const owner = [member, ...inside.slice(0, inside.findIndex((part) => /^\d+$/.test(part)) - 1)].join('.');
  return maps.find((one) => one.within === owner) ?? maps.find((one) => one.within === member)
    ?? maps.find((one) => one.within?.startsWith(`${member}.`));
}

/**
 * Gives mechanisms in a model that need a number for each pair a matrix of ones, as large as the map of their module:
 * everything allowed. `result`: of the model before they were chosen.
 */
export function fillPairs(book: Book, document: Doc, result: Result): void {
  if (!isModel(document)) return;
  for (const { path, mechanism } of book.choices(document)) {
    for (const knob of mechanism?.knobs ?? []) {
      const { name, type, optional } = knob;
      if (type !== 'matrix' || optional || get(document, path + join(name)) !== undefined) continue;
      const map = mapAt(document, path, result);
      const [rows = 0, columns = 0] = map?.shape.slice(-2) ?? [];
      if (map) set(document, path + join(name), startOf(knob, rows, columns));
    }
  }
}

function fitted(old: Json[], wanted: Json[][]): Json {
  return wanted.map((row, i) =>
    row.map((value, j) => {
      const before = old[i];
      return (Array.isArray(before) ? before[j] : undefined) ?? value;
    }),
  );
}
