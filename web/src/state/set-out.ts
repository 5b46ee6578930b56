// SPDX-License-Identifier: Apache-2.0
// What a document set out from, kept beside its address: after a reload the page still counts the edits since, and
// Reset leads back to it. It is the browser's, not a part of the link.
import type { Doc } from '../engine/types.ts';
import { isObject } from './catalogue.ts';
import type { Documents } from './documents.ts';
import { isModel } from './model.ts';

/**
 * What the browser keeps with the entry of its history that holds the document's link. `link`: it is too long for the
 * address, and kept here instead.
 */
export function setOut({ base, document }: Pick<Documents, 'base' | 'document'>,
  link?: string): { base?: Doc; link?: string } | null {
  const same = base === document || JSON.stringify(base) === JSON.stringify(document);
  return same && link === undefined ? null : { ...(same ? {} : { base }), ...(link === undefined ? {} : { link }) };
}

/** The document in what the browser kept, if it is one. */
export function baseIn(state: unknown): Doc | undefined {
  const base = isObject(state as Doc) ? (state as { base?: Doc }).base : undefined;
  return isObject(base) && isObject(base['inputs']) && (isModel(base) || isObject(base['mechanism']))
    ? base : undefined;
}
