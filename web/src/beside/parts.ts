// SPDX-License-Identifier: Apache-2.0
// Two documents part by part: what is the same in both, and what differs. Nothing here knows a mechanism; parts are the
// modules of the documents and what stands in their slots, by the catalogue.
import { append } from '../lists.ts';
import type { Doc, Json, JsonObject, Knob, Mechanism } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { type Book, type Choice, typeOf } from '../state/catalogue.ts';
import { type Stack, stacksOf } from '../state/layers.ts';
import { type Member, membersOf } from '../state/model.ts';

/** A part as one side has it. */
export interface Side {
  title: string;
  /** Settings in which it differs from the other side's part, with their values. */
  details: { knob: Knob; value: Json }[];
  mechanisms: Mechanism[];
  value: Json;
}

export interface Row {
  /** The slot's path inside its module, or the module itself. */
  path: string;
  /** The slot's own name; none for a module, which is called by its mechanism. */
  name?: string;
  a?: Side;
  b?: Side;
  same: boolean;
  /** The modules in which it is so, on each side, as paths. */
  where: { a?: string; b?: string }[];
  /** In how many of the repeated modules; only where these are not all. */
  of?: number;
}

/** A module of both documents, or of one of them, with its parts; repeated ones are one group. */
export interface Group {
  /** Its module type, by the catalogue. */
  module: Mechanism | undefined;
  counts: { a: number; b: number };
  rows: Row[];
}

/** The longest list of stacks that both documents have in the same order; those that repeat alike count double. */
function aligned(a: Stack[], b: Stack[]): [number, number][] {
  const worth = (one: Stack, other: Stack) => (one.type !== other.type ? 0 : one.repeated === other.repeated ? 2 : 1);
  const best = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) {
    const both = worth(a[i]!, b[j]!);
    best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, both > 0 ? both + best[i + 1]![j + 1]! : 0);
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const both = worth(a[i]!, b[j]!);
    if (both > 0 && best[i]![j] === both + best[i + 1]![j + 1]!) pairs.push([i++, j++]);
    else if (best[i + 1]![j]! >= best[i]![j + 1]!) i++;
    else j++;
  }
  return pairs;
}

const settings = (value: Json): JsonObject => (isObject(value) ? value : {});
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

// One slot of a module: several choices where it is a list.
type Slots = Map<string, Choice[]>;

function slotsOf(choices: readonly Choice[], { path }: Member): Slots {
  const found: Slots = new Map();
  for (const choice of choices) {
    if (!choice.path.startsWith(`${path}/`)) continue;
    const own = choice.path.slice(path.length);
    const key = choice.slot.list ? own.replace(/\/\d+$/, '') : own;
    found.set(key, [...(found.get(key) ?? []), choice]);
  }
  return found;
}

// What a knob is set to; undefined where it follows from the sizes of what comes in, and null where nothing is given.
function settingOf({ knobs }: Mechanism, own: JsonObject, { name, symbol, default: usual }: Knob): Json | undefined {
  const now = own[name] ?? usual ?? null;
  if (own[name] !== undefined || symbol === undefined || typeof usual !== 'string') return now;
  const other = knobs.find((one) => one.symbol === usual);
  return other && (own[other.name] ?? other.default ?? null);
}

// The knobs whose values the other side has otherwise, or not at all. Lists of words are data.
function details(mechanism: Mechanism | undefined, value: Json, other: Json, alike: boolean): Side['details'] {
  const [own, its] = [settings(value), settings(other)];
  return (mechanism?.knobs ?? []).filter(({ type }) => type !== 'words').flatMap((knob) => {
    const now = settingOf(mechanism!, own, knob);
    if (now === undefined || now === null) return [];
    if (!alike) return own[knob.name] !== undefined ? [{ knob, value: now }] : [];
    const there = settingOf(mechanism!, its, knob);
    return there !== undefined && !same(now, there) ? [{ knob, value: now }] : [];
  });
}

function sideOf(choices: Choice[] | undefined, others: Choice[] | undefined): Side | undefined {
  const chosen = (choices ?? []).filter(({ mechanism }) => mechanism);
  if (chosen.length === 0) return undefined;
  const twin = (choice: Choice) => others?.find(({ mechanism }) => mechanism?.id === choice.mechanism!.id);
  return {
    title: chosen.map(({ mechanism }) => mechanism!.title).join(' + '),
    details: chosen.flatMap((choice) => details(choice.mechanism, choice.value, twin(choice)?.value ?? null,
      twin(choice) !== undefined)),
    mechanisms: chosen.map(({ mechanism }) => mechanism!),
    value: chosen[0]!.slot.list ? chosen.map(({ value }) => value) : chosen[0]!.value,
  };
}

const told = (side: Side | undefined): string =>
  JSON.stringify([side?.mechanisms.map(({ id }) => id), side?.details.map(({ knob, value }) => [knob.name, value])]);
const isSame = (a: Side | undefined, b: Side | undefined): boolean => told(a) === told(b);

function moduleSide(book: Book, member: Member | undefined, other: Member | undefined): Side | undefined {
  if (!member) return undefined;
  const mechanism = book.member(member.value);
  const alike = other !== undefined && book.member(other.value) === mechanism;
  const own = details(mechanism, member.value, other?.value ?? null, alike);
  return { title: mechanism?.title ?? typeOf(member.value) ?? '', details: alike ? own : [],
    mechanisms: mechanism ? [mechanism] : [], value: member.value };
}

// The rows of one pair of modules, or of a module that only one side has.
function rowsOf(book: Book, a: Member | undefined, b: Member | undefined, of: { a: Choice[]; b: Choice[] }): Row[] {
  const [one, other] = [moduleSide(book, a, b), moduleSide(book, b, a)];
  const where = { ...(a ? { a: a.path } : {}), ...(b ? { b: b.path } : {}) };
  const row = (path: string, name: string | undefined, left: Side | undefined, right: Side | undefined): Row => ({ path,
    ...(name === undefined ? {} : { name }), ...(left ? { a: left } : {}), ...(right ? { b: right } : {}),
    same: isSame(left, right), where: [where] });
  const rows = [row('', undefined, one, other)];
  if (!a || !b) return rows;
  const [left, right] = [slotsOf(of.a, a), slotsOf(of.b, b)];
  const ids = (choices: Choice[] | undefined) => (choices ?? []).map(({ mechanism }) => mechanism?.id).join();
  // What stands inside different parts is a matter of these.
  const apart: string[] = [];
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    if (apart.some((outer) => path.startsWith(`${outer}/`))) continue;
    if (ids(left.get(path)) !== ids(right.get(path))) apart.push(path);
    const [mine, its] = [sideOf(left.get(path), right.get(path)), sideOf(right.get(path), left.get(path))];
    if (!mine && !its) continue;
    rows.push(row(path, (left.get(path) ?? right.get(path))![0]!.slot.title, mine, its));
  }
  return rows;
}

// Repeated modules give one row for what is so in several of them.
function merged(all: Row[][]): Row[] {
  const found = new Map<string, Row>();
  for (const rows of all) for (const row of rows) {
    const key = `${row.path} ${told(row.a)} ${told(row.b)}`;
    const before = found.get(key);
    if (before) append(before.where, row.where);
    else found.set(key, { ...row, where: [...row.where] });
  }
  const rows = [...found.values()];
  for (const row of rows) if (row.where.length < all.length) row.of = all.length;
  // The parts of one slot together, in the order of the first module.
  const order = [...new Set(rows.map(({ path }) => path))];
  return rows.toSorted((x, y) => order.indexOf(x.path) - order.indexOf(y.path));
}

function groupOf(book: Book, a: Stack | undefined, b: Stack | undefined, of: { a: Choice[]; b: Choice[] }): Group {
  const counts = { a: a?.members.length ?? 0, b: b?.members.length ?? 0 };
  // Of stacks of unequal height the lower one is gone through again and again, as alternating layers are.
  const height = Math.max(counts.a, counts.b);
  const at = (stack: Stack | undefined, k: number) => stack?.members[k % stack.members.length];
  const pairs = Array.from({ length: height }, (_, k) => rowsOf(book, at(a, k), at(b, k), of));
  const first = (a ?? b)!.members[0]!;
  return { module: book.member(first.value), counts, rows: merged(pairs) };
}

/**
 * What goes with modules that only one document has: modules of the same kind inside of modules that only the other one
 * has, such as the attention in its blocks.
 */
function inner(book: Book, stack: Stack, others: readonly Stack[], choices: readonly Choice[]): Stack | undefined {
  const id = book.member(stack.members[0]!.value)?.id;
  const around = others.flatMap(({ members }) => members);
  const members = choices.flatMap(({ path, mechanism, value }): Member[] => {
    const host = around.find((one) => path.startsWith(`${one.path}/`));
    return host && mechanism !== undefined && mechanism.id === id && mechanism === book.named(id)
      ? [{ name: host.name, path, value: isObject(value) ? value : { type: id } }] : [];
  });
  return members.length > 0 ? { type: stack.type, repeated: members.length > 1, members } : undefined;
}

/** The parts of two documents side by side, in the order of the first; what only the second has stands where it is. */
export function partsOf(book: Book, one: Doc, other: Doc): Group[] {
  const [a, b] = [stacksOf(membersOf(one)), stacksOf(membersOf(other))];
  const of = { a: book.choices(one), b: book.choices(other) };
  const groups: Group[] = [];
  const pairs = aligned(a, b);
  const [onlyA, onlyB] = [a.filter((_, k) => !pairs.some(([x]) => x === k)),
    b.filter((_, k) => !pairs.some(([, y]) => y === k))];
  let [i, j] = [0, 0];
  for (const [x, y] of [...pairs, [a.length, b.length] as [number, number]]) {
    for (; i < x; i++) groups.push(groupOf(book, a[i], inner(book, a[i]!, onlyB, of.b), of));
    for (; j < y; j++) groups.push(groupOf(book, inner(book, b[j]!, onlyA, of.a), b[j], of));
    if (x < a.length && y < b.length) groups.push(groupOf(book, a[i++], b[j++], of));
  }
  return groups;
}

/** In how many modules of a side it is as a row says. */
export const modulesWith = ({ where }: Row, side: 'a' | 'b'): number =>
  new Set(where.flatMap((paths) => paths[side] ?? [])).size;

export interface Counted {
  parts: number;
  differ: number;
}

/** How many parts there are, and how many of them differ. */
export function counted(groups: readonly Group[]): Counted {
  const rows = groups.flatMap((group) => group.rows);
  return { parts: rows.length, differ: rows.filter((row) => !row.same).length };
}

/** Whether the first document can be given the part of the second: both have the module that it belongs to. */
export const canGive = (row: Row): boolean =>
  !row.same && row.where.every(({ a, b }) => a !== undefined && b !== undefined)
    && (row.path !== '' || row.b !== undefined);
