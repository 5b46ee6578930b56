// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import type { Plane } from '../engine/result.ts';
import { get, join, set, split } from '../engine/pointer.ts';
import type { Form } from './form.ts';

/** The same document with softmax attention over all pairs in the form's place; `masked`: under the form's own mask. */
export function plainOf(book: Book, document: Doc, form: Form, masked: boolean): Doc {
  const draft = structuredClone(document);
  const { mechanism, around } = form;
  const short = book.member(around) === mechanism;
  const path = short ? form.path : join(...split(form.path).slice(0, -1));
  // The general module is the one that offers the most.
  const [general] = book.modules().toSorted((a, b) => b.slots.length - a.slots.length);
  if (short) {
    const knobs = new Set([...mechanism.knobs.map(({ name }) => name), 'type']);
    const kept = Object.entries(around).filter(([name]) => !knobs.has(name));
    set(draft, path, { type: general?.id ?? '', ...Object.fromEntries(kept) });
  } else set(draft, form.path, undefined);
  // What only the form has parameters for, nothing reads any more.
  delete draft['parameters'];
  const [mask] = mechanism.masks ?? [];
  const slot = general?.slots.find(({ kind }) => mask !== undefined && book.find(kind, mask)?.kind === kind);
  if (masked && slot && mask !== undefined && get(draft, path + join(slot.name)) === undefined)
    set(draft, path + join(slot.name), slot.list ? [mask] : mask);
  return draft;
}

const CAUSAL = 'mask-causal';

/** Whether no query of these masks attends to a later word, in a document with as many queries as keys. */
export const isCausal = (masks: readonly Plane[]): boolean => masks.some((mask) => mask.rows > 1
  && mask.rows === mask.cols && Array.from({ length: mask.rows }, (_, row) => row)
  .every((row) => Array.from({ length: mask.cols - row - 1 }, (_, k) => mask.at(row, row + 1 + k))
    .every((open) => open === 0)));

/**
 * A document of one module without its masks, so that every pair of words gets a weight; undefined if it has none.
 * `causal`: what it masks includes every later word. Then it is held against causal attention, because another baseline
 * would count twice the pairs; a causal mask alone is held against all pairs.
 */
export function withoutMasks(book: Book, document: Doc, causal = false): Doc | undefined {
  const slot = book.module(document)?.slots.find(({ kind, list }) => kind === 'mask' && list);
  const masks = slot && document.mechanism[slot.name];
  if (!slot || masks === undefined || (Array.isArray(masks) && masks.length === 0)) return undefined;
  const draft = structuredClone(document);
  const all = Array.isArray(masks) ? masks : [masks];
  const kept = causal && !(all.length === 1 && all[0] === CAUSAL);
  set(draft, join('mechanism', slot.name), kept ? [CAUSAL] : undefined);
  return draft;
}
