// SPDX-License-Identifier: Apache-2.0
// What of a menu a search finds, and in which order.
import { mechanisms as knownAs } from './known-as.json';
import type { Item } from '../state/proposals.ts';
import { folded } from '../strings/folded.ts';

// 0: it is a name; 1: a name begins with it; 2: it stands in a name; 3: in what is said of it, or in
// what else it is called.
function rankOf({ id, mechanism }: Item, words: readonly string[]): number | undefined {
  const names = [mechanism?.title, id, ...(mechanism?.aliases ?? [])].map((name) => folded(name ?? ''));
  const known: readonly string[] = (knownAs as Readonly<Record<string, readonly string[]>>)[id ?? ''] ?? [];
  const all = [...names, ...[mechanism?.sentence ?? '', ...known].map(folded)].join(' ');
  if (!words.every((word) => all.includes(word))) return undefined;
  const phrase = words.join(' ');
  if (names.includes(phrase)) return 0;
  if (names.some((name) => name.startsWith(phrase))) return 1;
  return words.every((word) => names.some((name) => name.includes(word))) ? 2 : 3;
}

/** The entries that have all words of a search: the name itself, names that begin with it, names, sentences. */
export function ranked(items: readonly Item[], search: string): Item[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...items];
  return items.flatMap((item, place) => {
    const rank = rankOf(item, words);
    return rank === undefined ? [] : [{ item, rank, place }];
  }).toSorted((one, other) => one.rank - other.rank || one.place - other.place).map(({ item }) => item);
}
