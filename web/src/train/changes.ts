// SPDX-License-Identifier: Apache-2.0
// What differs between two trainings, said in the catalogue's words.
import type { Doc, Json } from '../engine/types.ts';
import { type Book, typeOf } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { get, isObject, join } from '../engine/pointer.ts';
import { strings } from '../strings/en.ts';
import { choiceCalled } from '../strings/quote.ts';
import type { TrainingDocument } from './messages.ts';
import { named as numbers, optimisers } from './settings.ts';
import { words } from './words.ts';

export interface Change {
  path: string;
  name: string;
  value: string;
}

const TYPE = /\/type$/;

// Every setting by its path; a bare id and an object with that type are the same choice, a list of plain values is one
// setting.
function settings(value: Json | undefined, path: string, found: Map<string, string>): Map<string, string> {
  if (isObject(value)) for (const [key, inner] of Object.entries(value)) settings(inner, path + join(key), found);
  else if (Array.isArray(value) && value.some(isObject))
    value.forEach((inner, k) => settings(inner, path + join(k), found));
  else if (value !== undefined) found.set(path.replace(TYPE, ''), JSON.stringify(value));
  return found;
}

const of = (document: Doc): Map<string, string> => {
  const { title: _title, inputs: _inputs, parameters: _parameters, ...rest } = document as Doc & Record<string, Json>;
  return settings(rest as Json, '', new Map());
};

/** The changes from one document to another; what belongs to a choice that changed is not told of besides. */
export function changes(book: Book, from: Doc, to: Doc): Change[] {
  const [a, b] = [of(from), of(to)];
  const differing = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  const choices = new Map([...book.choices(from), ...book.choices(to)].map((choice) => [choice.path, choice]));
  const chosen = differing.filter((path) => choices.has(path));
  return differing.filter((path) => !chosen.some((owner) => path.startsWith(`${owner}/`)))
    .map((path) => named(book, to, path, choices.get(path)?.slot.title));
}

// The entries of a slot that takes several, by their titles.
const titlesOf = (book: Book, list: Json[]): string =>
  list.map((one) => book.named(typeOf(one) ?? '')?.title ?? JSON.stringify(one)).join(strings.comma);

function named(book: Book, to: Doc, path: string, slot: string | undefined): Change {
  const value = get(to, path);
  if (slot !== undefined) {
    const choice = book.choices(to).find((one) => one.path === path);
    const several = Array.isArray(value) ? titlesOf(book, value) : undefined;
    return { path, name: slot, value: several || (choice?.mechanism?.title ?? typeOf(value) ?? words().nothing) };
  }
  const shown = typeof value === 'string' ? (optimisers[value] ?? choiceCalled(value))
    : typeof value === 'number' ? String(value) : value === undefined ? words().asUsual : JSON.stringify(value);
  return { path, name: nameOf(book, to, path),
    value: isObject(value) ? (optimisers[typeOf(value) ?? ''] ?? typeOf(value) ?? shown) : shown };
}

function nameOf(book: Book, to: Doc, path: string): string {
  const setting = numbers.find((one) => one.path === path);
  if (setting) return words()[setting.name] as string;
  if (path === '/seed') return words().seed;
  const [owner, last] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  const mechanism = book.choices(to).find((choice) => choice.path === owner)?.mechanism
    ?? book.member(membersOf(to).find((one) => one.path === owner)?.value ?? {});
  return mechanism?.knobs.find(({ name }) => name === last)?.title ?? last.replaceAll('-', ' ');
}

/** The same in one line. */
export const inLine = (book: Book, from: TrainingDocument, to: TrainingDocument): string =>
  changes(book, from, to).map(({ name, value }) => `${name}: ${value}`).join(strings.comma) || words().unchanged;
