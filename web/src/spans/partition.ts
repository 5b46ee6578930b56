// SPDX-License-Identifier: Apache-2.0
// Spans over a row of words: [start, end) each, without gap or overlap. A border is where one ends and the next begins.
import type { Doc, Json, Knob } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { isModel, membersOf } from '../state/model.ts';
import { isObject, join } from '../engine/pointer.ts';
import { rolesOf } from '../state/roles.ts';
import { isCut, OVER } from '../state/span-knobs.ts';

export type Span = [start: number, end: number];

const ENDS = new Set(['.', '!', '?']);

export interface Cut {
  path: string;
  knob: Knob;
  /** The input whose tokens are cut, in the end. */
  input: string;
  over: 'tokens' | 'spans';
  /** The member's own path, where the cut below it stands. */
  owner: string;
}

// The input that a wire comes from, through modules of one wire each.
function inputOf(document: Doc, source: unknown): string | undefined {
  let name = typeof source === 'string' ? source : undefined;
  for (let turn = 0; name !== undefined && turn < 32; turn++) {
    if (Object.hasOwn(document.inputs, name)) return name;
    const before: string = name;
    const member = isModel(document)
      ? membersOf(document).find((one) => before === one.name || before.startsWith(`${one.name}.`)) : undefined;
    const wires = member?.value['inputs'];
    name = isObject(wires) ? Object.values(wires).find((wire) => typeof wire === 'string') as string | undefined
      : undefined;
  }
  return undefined;
}

/** Every cut that the document's modules make. */
export function cutsOf(book: Book, document: Doc): Cut[] {
  return membersOf(document).flatMap(({ path, value }) => {
    const module = book.member(value);
    const wires = value['inputs'];
    const first = isModel(document) ? (isObject(wires) ? Object.values(wires)[0] : undefined)
      : rolesOf(book, document)[0]?.name;
    const input = inputOf(document, first);
    if (!module || input === undefined) return [];
    return module.knobs.filter(isCut)
      .map((knob) => ({ path: path + join(knob.name), knob, input, over: OVER[knob.name]!, owner: path }));
  });
}

/** Where sentences end that nobody has marked: behind a full stop, an exclamation or a question mark. */
export function sentencesOf(tokens: readonly string[]): Span[] {
  const ends = tokens.flatMap((token, k) => (ENDS.has(token) || k === tokens.length - 1 ? [k + 1] : []));
  return ends.map((end, k) => [ends[k - 1] ?? 0, end]);
}

/** The spans that stand in a document; undefined where there are none, or something else. */
export function readSpans(value: Json | undefined): Span[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const pairs = value.map((one) =>
    (Array.isArray(one) && one.length === 2 && one.every((at) => Number.isInteger(at)) ? (one as Span) : undefined));
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

/** What is wrong with spans over so many words; the first thing that is. */
export type Fault = { kind: 'empty' | 'overlap' | 'gap' | 'past' | 'start' | 'short'; span: number; at: number };

export function faultOf(spans: readonly Span[], count: number): Fault | undefined {
  for (const [k, [start, end]] of spans.entries()) {
    const before = spans[k - 1]?.[1] ?? 0;
    if (end <= start) return { kind: 'empty', span: k, at: start };
    if (start < before) return { kind: 'overlap', span: k, at: start };
    if (start > before) return { kind: k === 0 ? 'start' : 'gap', span: k, at: before };
    if (end > count) return { kind: 'past', span: k, at: end };
  }
  const last = spans.at(-1)?.[1] ?? 0;
  return last < count ? { kind: 'short', span: spans.length - 1, at: last } : undefined;
}

/** The places where one part ends and the next begins. */
export const bordersOf = (spans: readonly Span[]): number[] => spans.slice(0, -1).map(([, end]) => end);

export function fromBorders(borders: readonly number[], count: number): Span[] {
  const ends = [...new Set(borders)].filter((at) => at > 0 && at < count).toSorted((a, b) => a - b);
  return [...ends, count].map((end, k) => [ends[k - 1] ?? 0, end]);
}

/** Puts a border at a place, or takes it away. */
export const toggled = (spans: readonly Span[], at: number, count: number): Span[] => {
  const borders = bordersOf(spans);
  return fromBorders(borders.includes(at) ? borders.filter((one) => one !== at) : [...borders, at], count);
};

/** Moves a border; it stops before its neighbours, so that no part gets lost. */
export function borderMoved(spans: readonly Span[], from: number, to: number, count: number): Span[] {
  const borders = bordersOf(spans);
  const k = borders.indexOf(from);
  if (k < 0) return [...spans];
  const place = Math.min((borders[k + 1] ?? count) - 1, Math.max((borders[k - 1] ?? 0) + 1, to));
  return fromBorders(borders.with(k, place), count);
}

/** Spans that fit so many words, as near as may be to those that do not. */
export const fitted = (spans: readonly Span[], count: number): Span[] =>
  fromBorders(spans.map(([, end]) => end), count);

/** "0-5 5-11": how spans are typed; undefined where that is something else. */
export function typed(text: string): Span[] | undefined {
  const parts = text.split(/[\s,;]+/).filter(Boolean).map((part) => /^(\d+)\D(\d+)$/.exec(part));
  return parts.length > 0 && parts.every((part) => part !== null)
    ? parts.map((part): Span => [Number(part[1]), Number(part[2])]) : undefined;
}

export const written = (spans: readonly Span[]): string => spans.map(([start, end]) => `${start}-${end}`).join(' ');
