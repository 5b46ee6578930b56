// SPDX-License-Identifier: Apache-2.0
import { titleOf } from '../state/model.ts';
import type { Choice, Book } from '../state/catalogue.ts';
import type { Side } from '../state/parse.ts';
import type { Store } from '../state/store.ts';
import { titleCalled } from '../state/document-title.ts';
import { strings } from '../strings/en.ts';
import { words } from './words.ts';
import { exactly } from '../colour/numbers.ts';
import { isObject } from '../engine/pointer.ts';
import type { Doc, Json } from '../engine/types.ts';

// What a side of a comparison is called: by the choices in which it differs from the other.
interface SideName {
  /** Choices of this side that the other side does not have. */
  own: Choice[];
  /** Titles of what only the other side has, where nothing of this side is in its place. */
  lacks: string[];
}

// Items of a list are the same choice wherever they are in it.
const placeOf = ({ path, slot }: Choice): string => (slot.list ? path.replace(/\/\d+$/, '') : path);
const same = (one: Choice, other: Choice): boolean => placeOf(one) === placeOf(other)
  && one.mechanism === other.mechanism && JSON.stringify(one.value) === JSON.stringify(other.value);
const within = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}/`);

export function sideName(book: Book, document: Doc, other: Doc): SideName {
  const mine = book.choices(document).filter(({ mechanism }) => mechanism);
  const theirs = book.choices(other).filter(({ mechanism }) => mechanism);
  const own = mine.filter((choice) => !theirs.some((twin) => same(choice, twin)));
  const gone = theirs.filter((choice) => !mine.some((twin) => same(choice, twin)));
  // What is inside a part that was replaced or removed is not named apart from it.
  const lacks = gone.filter((choice) => !own.some((one) => within(choice.path, placeOf(one)))
    && !gone.some((outer) => outer !== choice && within(choice.path, outer.path)));
  return { own, lacks: [...new Set(lacks.map(({ mechanism }) => mechanism!.title))] };
}

const knobOf = ({ value, mechanism }: Choice, name: string): Json | undefined =>
  (isObject(value) ? value[name] : undefined) ?? mechanism?.knobs.find((knob) => knob.name === name)?.default;

/** The title of a choice, with the knobs that differ where the other side has the same mechanism in its place. */
export function withNumbers(choice: Choice, theirs: readonly Choice[]): string {
  const { title, id, knobs } = choice.mechanism!;
  const twin = theirs.find((other) => placeOf(other) === placeOf(choice) && other.mechanism?.id === id);
  const unlike = twin === undefined ? []
    : knobs.filter(({ name }) => JSON.stringify(knobOf(choice, name)) !== JSON.stringify(knobOf(twin, name)));
  return unlike.length === 0 ? title
    : `${title} (${unlike.map((knob) => `${knob.title}: ${written(knobOf(choice, knob.name))}`).join(strings.comma)})`;
}

// A default may be an expression of sizes, such as 1/sqrt(dk).
const written = (value: Json | undefined): string =>
  (typeof value === 'number' ? exactly(value) : String(value).replace(/sqrt\((\w+)\)/g, '√$1'));

/** Whether every knob has its default, for which the formula of the mechanism is written. */
export const isDefault = (choice: Choice): boolean => (choice.mechanism?.knobs ?? []).every((knob) =>
  JSON.stringify(knobOf(choice, knob.name)) === JSON.stringify(knob.default));

/** A side of the comparison: its choices that the other side lacks, and its name, by these or by its title. */
export function sideCalled(store: Store, side: Side): { own: Choice[]; called: string } {
  const { comparison } = store;
  return called(store, comparison.documentOf(side), comparison.documentOf(side === 'A' ? 'B' : 'A'));
}

/** The same of a document beside another one. */
export function called({ book }: Pick<Store, 'book'>, document: Doc, other: Doc): { own: Choice[]; called: string } {
  const { own, lacks } = sideName(book, document, other);
  const theirs = book.choices(other);
  const names = [...own.map((choice) => withNumbers(choice, theirs)), ...lacks.map((name) => words().without(name))];
  const title = titleCalled(book, titleOf(document) ?? book.module(document)?.title ?? '');
  return { own, called: names.join(strings.comma) || title };
}
