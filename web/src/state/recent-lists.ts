// SPDX-License-Identifier: Apache-2.0
// Short lists that the browser keeps from visit to visit. Where it keeps nothing, as in a sandboxed frame, a list lasts
// as long as the page.
import { keepText, recalled as textOf } from '../engine/stored.ts';

/** The words that were kept under this key: another page of the same site may have written anything there. */
export function recalled(key: string): string[] {
  try {
    const kept: unknown = JSON.parse(textOf(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Where it is not kept, it is forgotten when the page is closed. */
export const keep = (key: string, words: Iterable<string>): unknown => keepText(key, JSON.stringify([...words]));
