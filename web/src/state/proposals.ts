// SPDX-License-Identifier: Apache-2.0
// The entries of the menus for a document, and the edit that choosing one makes.
import type { Doc, Json, JsonObject, Mechanism, Slot } from '../engine/types.ts';
import { type Book, type Choice, typeOf } from './catalogue.ts';
import type { Place } from './fitting-choice.ts';
import { get, isObject, join, set, split } from '../engine/pointer.ts';

export type Edit = (draft: Doc) => void;

export interface Item {
  /** Undefined: the slot is left empty. */
  id: string | undefined;
  mechanism: Mechanism | undefined;
  /** Why it cannot be chosen; undefined where it can. */
  refusal: string | undefined;
}

/** How the parameters of what is chosen at a path are called: the module, the slots on the way, then their own name. */
export function prefixAt(document: Doc, path: string): string {
  const [first, ...rest] = split(path);
  if (first !== 'model') return [...rest, ''].join('.');
  const [at = '', ...slots] = rest;
  return [String(get(document, join('model', at, 'name'))), ...slots, ''].join('.');
}

/** The entries of a slot's menu, with the reason where one cannot be chosen. */
export function itemsOf(book: Book, document: Doc, slot: Slot, owner: string): Item[] {
  const among = slot.among ?? [];
  const all = book.of(slot.kind).filter(({ id }) => among.length === 0 || among.includes(id)).map((mechanism): Item =>
    ({ id: mechanism.id, mechanism, refusal: book.refusal(document, slot, mechanism.id, owner) }));
  // Without an entry for it, an optional slot can still be left empty.
  if (slot.optional && !slot.list) all.unshift({ id: undefined, mechanism: undefined, refusal: undefined });
  return all;
}

// What rules out the choice beside it, because it has a list with one for each of its parts, begins with that choice
// for all of them.
function listsOf(book: Book, draft: Doc, { slots, knobs, excludes = [] }: Mechanism, path: string): JsonObject {
  const owner = path.slice(0, path.lastIndexOf('/'));
  const lists = slots.filter(({ list, kind }) => list
    && excludes.some((rule) => rule.only && rule.ids.length === 0 && rule.slot === kind));
  const parts = Number(knobs.find(({ type }) => type === 'integer')?.default ?? 1);
  return Object.fromEntries(lists.flatMap(({ name, kind }): [string, Json][] => {
    const now = book.choices(draft).find((one) => one.path === owner + join(kind));
    const one = now?.value ?? now?.mechanism?.id;
    return one === undefined ? [] : [[name, Array.from({ length: parts }, () => structuredClone(one))]];
  }));
}

/** Puts a value into a slot, and takes away what cannot be beside it or was meant for the one before. */
function place(book: Book, slot: Slot, path: string, value: Json | undefined, id: string | undefined): Edit {
  const mechanism = book.find(slot.kind, id);
  const rules = mechanism?.excludes ?? [];
  return (draft) => {
    const prefix = prefixAt(draft, path);
    const lists = mechanism ? listsOf(book, draft, mechanism, path) : {};
    set(draft, path, isObject(value) ? { ...value, ...lists } : value);
    const owner = path.slice(0, path.lastIndexOf('/'));
    for (const rule of rules)
      if (rule.only && rule.ids.length === 0 && get(draft, owner + join(rule.slot)) !== undefined)
        set(draft, owner + join(rule.slot), undefined);
    // Numbers given for the one that was here do not fit the one that comes.
    const given = draft['parameters'];
    if (isObject(given)) for (const name of Object.keys(given)) if (name.startsWith(prefix)) delete given[name];
  };
}

/** Chooses an entry of a slot. */
export const putInto = (book: Book, slot: Slot, path: string, id: string | undefined): Edit =>
  place(book, slot, path, id === undefined ? undefined : { type: id }, id);

/** The slot as a place where another entry can take over from one that does not fit. */
export const placeOf = (book: Book, slot: Slot, path: string): Place => ({
  path, choices: book.of(slot.kind),
  put: (draft, id, more) => place(book, slot, path, { type: id, ...more }, id)(draft),
});

/**
 * Adds an entry to a slot that holds a list, with what shows its effect where there is one head. A list that has it
 * stays as it is.
 */
export const added = (book: Book, kind: string, path: string, id: string): Edit => (draft) => {
  const old = get(draft, path);
  if ((Array.isArray(old) ? old : [old]).some((one) => typeOf(one) === id)) return;
  const isAlone = get(draft, path.replace(/\/[^/]*$/, '/heads')) === undefined;
  const alone: JsonObject = {};
  for (const { name, one_head } of book.find(kind, id)?.knobs ?? [])
    if (isAlone && one_head !== undefined) alone[name] = one_head;
  set(draft, path, [...(Array.isArray(old) ? old : old === undefined || old === null ? [] : [old]),
    Object.keys(alone).length > 0 ? { type: id, ...alone } : id]);
};

/** Another module in the place of a document's only one: what both have a slot for is kept. */
export const switched = (book: Book, id: string): Edit => (draft) => {
  const slots = book.named(id)?.slots ?? [];
  const kept = new Set([...slots.map(({ name }) => name), 'inputs']);
  const old = draft.mechanism;
  draft.mechanism = { type: id };
  for (const [key, value] of Object.entries(old)) if (kept.has(key)) draft.mechanism[key] = value;
  delete draft['parameters'];
  delete draft['outputs'];
};

/** The owner of a choice: what has the slot. */
export const ownerOf = ({ path, slot }: Choice): string => path.slice(0, path.lastIndexOf(join(slot.name)));
