// SPDX-License-Identifier: Apache-2.0
// One name for the same places: the axes of two tensors that run over the same words, heads or steps have the same one.
import type { AxisRole, Directory, Json, TensorEntry } from '../engine/types.ts';
import { strings } from '../strings/en.ts';

type Labelled = Pick<Directory, 'tokens' | 'labels'> & Partial<Pick<Directory, 'document'>>;
type Entry = Pick<TensorEntry, 'shape' | 'axes' | 'dimensions' | 'within'>;

export const HEAD = 'head';

/** Whose words stand along an axis: a name in the directory. */
function wordsOf({ shape, axes, dimensions = [] }: Entry, k: number, { tokens, labels }: Labelled): string | undefined {
  const { labels: said, role } = dimensions[k]!;
  if (said !== undefined && tokens?.[said]) return said;
  const found = role === 'feature' || role === 'class' ? undefined : labels[axes[k] ?? ''];
  if (!found || found.length !== shape[k]) return undefined;
  return Object.keys(tokens ?? {}).find((name) => tokens![name]!.join('\n') === found.join('\n')) ?? axes[k];
}

// So many classes are called by their numbers.
const MOST_NUMBERED = 200;

/** What a module's classes are called: by its own list, or by that of whoever reads them, such as a loss. */
function classesOf(module: string, size: number, { document }: Labelled): string[] | undefined {
  const model: readonly Json[] = Array.isArray(document?.['model']) ? document['model'] : [];
  for (const value of model) {
    const { name, inputs, vocabulary } = value as { name?: Json; inputs?: Record<string, Json>; vocabulary?: Json };
    const reads = Object.values(inputs ?? {}).some((from) => from === module || from === `${module}.logits`);
    if ((name === module || reads) && Array.isArray(vocabulary) && vocabulary.length === size)
      return vocabulary.map(String);
  }
  return undefined;
}

/** The name of the places along classes, which are no words of an input, and what they are called there. */
function classPlace({ shape, axes, within = '' }: Entry, k: number, directory: Labelled): [string, string[]?] {
  const size = shape[k]!;
  const list = classesOf(within, size, directory);
  if (list) return [`class ${within}`, list];
  return [size > MOST_NUMBERED ? `class ${axes[k]}` : `class ${axes[k]} ${size}`];
}

/** "class 1", "class 2", of places whose classes have no names. */
export function numberedAt(place: string): string[] | undefined {
  const size = /^class \S+ (\d+)$/.exec(place)?.[1];
  return size === undefined ? undefined
    : Array.from({ length: Number(size) }, (_, k) => strings.cell.class(String(k + 1)));
}

/** The name of each axis' places, empty where nobody says what it is; and the words along them. */
export function placesOf(entry: Entry, directory: Labelled, words: Map<string, readonly string[]>): string[] {
  if (entry.dimensions?.length !== entry.shape.length) return entry.shape.map(() => '');
  return entry.dimensions.map(({ role }, k) => {
    if (role === HEAD) return HEAD;
    const name = wordsOf(entry, k, directory);
    if (role === 'class' && name === undefined) {
      const [place, list] = classPlace(entry, k, directory);
      if (list && !words.has(place)) words.set(place, list);
      return place;
    }
    const symbol = entry.axes[k] === role ? '' : (entry.axes[k] ?? '');
    const key = [role, name ?? symbol].filter(Boolean).join(' ');
    const list = name === undefined ? undefined : (directory.tokens?.[name] ?? directory.labels[name]);
    if (list && !words.has(key)) words.set(key, list);
    return key;
  });
}

export const roleOf = (place: string): AxisRole | '' => (place.split(' ', 1)[0] ?? '') as AxisRole | '';
export const isQuery = (place: string): boolean => roleOf(place) === 'query';
export const isKey = (place: string): boolean => roleOf(place) === 'key';
