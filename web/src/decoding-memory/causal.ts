// SPDX-License-Identifier: Apache-2.0
import type { Doc, Json } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';

export const CAUSAL = 'mask-causal';

/**
 * The masks of a document of one module with a causal mask among them: then a word no longer depends on later words, so
 * its keys and values can be kept. Undefined where the module has no masks, or has such a mask already.
 */
export function masksWithCausal(book: Book, document: Doc): Json[] | undefined {
  const slot = book.module(document)?.slots.find(({ kind, list }) => kind === 'mask' && list);
  const has = book.choices(document).some(({ mechanism }) => mechanism?.id === CAUSAL);
  if (!slot || has) return undefined;
  const now = document.mechanism[slot.name] ?? [];
  return [...(Array.isArray(now) ? now : [now]), CAUSAL];
}

export const withCausal = (document: Doc, mask: Json[]): Doc => ({ ...document,
  mechanism: { ...document.mechanism, mask } });
