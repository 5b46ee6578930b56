// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import type { Doc } from '../engine/types.ts';
import { titleOf } from './model.ts';
import { strings } from '../strings/en.ts';
import { phrase } from '../strings/quote.ts';

/** "Luong 2015, local-p" gives luong-2015-local-p. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  .replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');

/**
 * "Luong 2015, local-p" and "csv" give luong-2015-local-p.csv; a title that has words in the reader's language gives
 * these. `lesson`: the one under way, after which a document without a title is called.
 */
export function fileName(document: Doc, ending: string, what = '', lesson?: string): string {
  const title = phrase(titleOf(document) ?? lesson ?? strings.sharing.untitled);
  const name = plain(title).slice(0, 60) || plain(strings.sharing.untitled);
  return `${[name, what].filter(Boolean).join('-')}.${ending}`;
}

/** Hands a file to the browser's downloads. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser takes the address up after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
