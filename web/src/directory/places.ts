// SPDX-License-Identifier: Apache-2.0
// One name for the same places: the axes of two tensors that run over the same words, heads or steps have the same one.
import type { AxisRole, Directory, TensorEntry } from '../engine/types.ts';
import { shownWord } from '../strings/shown.ts';

type Labelled = Pick<Directory, 'tokens' | 'labels'>;
type Entry = Pick<TensorEntry, 'shape' | 'axes' | 'dimensions'>;

export const HEAD = 'head';

/** Whose words stand along an axis: a name in the directory. */
function wordsOf({ shape, axes, dimensions = [] }: Entry, k: number, { tokens, labels }: Labelled): string | undefined {
  const { labels: said, role } = dimensions[k]!;
  if (said !== undefined && tokens?.[said]) return said;
  const found = role === 'feature' ? undefined : labels[axes[k] ?? ''];
  if (!found || found.length !== shape[k]) return undefined;
  return Object.keys(tokens ?? {}).find((name) => tokens![name]!.join('\n') === found.join('\n')) ?? axes[k];
}

/** The name of each axis' places, empty where nobody says what it is; and the words along them, as they are drawn. */
export function placesOf(entry: Entry, directory: Labelled, words: Map<string, string[]>): string[] {
  if (entry.dimensions?.length !== entry.shape.length) return entry.shape.map(() => '');
  return entry.dimensions.map(({ role }, k) => {
    if (role === HEAD) return HEAD;
    const name = wordsOf(entry, k, directory);
    const symbol = entry.axes[k] === role ? '' : (entry.axes[k] ?? '');
    const key = [role, name ?? symbol].filter(Boolean).join(' ');
    const list = name === undefined ? undefined : (directory.tokens?.[name] ?? directory.labels[name]);
    if (list && !words.has(key)) words.set(key, list.map(shownWord));
    return key;
  });
}

export const roleOf = (place: string): AxisRole | '' => (place.split(' ', 1)[0] ?? '') as AxisRole | '';
export const isQuery = (place: string): boolean => roleOf(place) === 'query';
export const isKey = (place: string): boolean => roleOf(place) === 'key';
