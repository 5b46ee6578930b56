// SPDX-License-Identifier: Apache-2.0
// What stands over an image at a moment: which map, which of its rows, and what is to be said of it.
import { inCell } from '../colour/numbers.ts';
import { axisOf, isMap, typed } from '../directory/typed.ts';
import { moduleShown } from '../flow/open.ts';
import { courseOf } from '../directory/steps-in-time.ts';
import { sameNumbers } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { centre, largest, lineOf, type GridPlane, type Overlay, overlaysOf, type Shares, sharesOf } from './shares.ts';
import { words } from './words.ts';

export type Side = 'row' | 'column';

export interface Scene {
  overlays: Overlay[];
  overlay: Overlay | undefined;
  side: Side;
  /** Which row, or column, of the map is seen; none: all of them together. */
  at: number | undefined;
  /** The chosen cell's query and key, where they are places of this map. */
  query: number | undefined;
  key: number | undefined;
  shares: Shares | undefined;
  /** The cells behind the shares, where they are one row or column of a map. */
  line: GridPlane | undefined;
}

const kept = new WeakMap<object, Overlay[]>();

/** All that can be laid over images, found once for each result. */
export function overlays(store: Store): Overlay[] {
  const { result } = store.sessions;
  if (!result || !store.book.whole) return [];
  if (!kept.has(result)) kept.set(result, overlaysOf(store.book, result));
  return kept.get(result)!;
}

// Which row of a map is chosen: by a cell of it, or by a word along its rows that is chosen elsewhere.
function chosenIn(store: Store, { tensor }: Overlay): { query: number | undefined; key: number | undefined } {
  const { active, places } = store.selection;
  const types = typed(tensor);
  const [down, across] = [axisOf(types, 'query'), axisOf(types, 'key')];
  const pointed = active && store.sessions.result?.whole(active.tensor, active.group);
  if (active && pointed && sameNumbers(pointed, tensor))
    return { query: active.index[down], key: active.index[across] };
  const place = tensor.places[down] ?? '';
  return { query: places[place], key: undefined };
}

export function sceneOf(store: Store, input: string, wanted: string | undefined, side: Side, shape: number[]): Scene {
  const all = overlays(store).filter((one) => one.input === input);
  const module = moduleShown(store);
  const standard = all.find(({ tensor }) => tensor.within === module && tensor.role === 'weights')
    ?? all.findLast(({ tensor }) => tensor.role === 'weights') ?? all[0];
  const overlay = wanted === '' ? undefined : (all.find(({ id }) => id === wanted) ?? standard);
  if (!overlay) return { overlays: all, overlay: undefined, side, at: undefined, query: undefined, key: undefined,
    shares: undefined, line: undefined };
  // Only what both asks and is asked can be seen from both sides.
  const seen: Side = overlay.query && overlay.key ? side : overlay.query && !overlay.key ? 'column' : 'row';
  const { query, key } = chosenIn(store, overlay);
  const alone = isMap(overlay.tensor) && overlay.tensor.shape[axisOf(typed(overlay.tensor), 'query')] === 1;
  const at = overlay.row ?? (seen === 'row' ? query : key) ?? (alone && seen === 'row' ? 0 : undefined);
  const { chosen } = store.selection;
  const line = at === undefined || overlay.areas || overlay.across || !isMap(overlay.tensor) ? undefined
    : lineOf(overlay, seen, at, chosen);
  return { overlays: all, overlay, side: seen, at, query, key,
    shares: line ?? sharesOf(overlay, seen, at, chosen, shape), line };
}

/** A query or key in words: a word, a patch, or what stands in front of the patches. */
export function called(store: Store, { tensor, query, key }: Overlay, side: Side, at: number): string {
  const grid = side === 'row' ? query : key;
  if (grid) return at < grid.extra ? words().front(at) : words().patch(...placeOf(grid.cols, at - grid.extra));
  const axis = axisOf(typed(tensor), side === 'row' ? 'query' : 'key');
  return store.sessions.result?.labels(tensor.places[axis] ?? '')?.[at] ?? String(at + 1);
}

/** Counted from 0; sentences count from 1. */
export const placeOf = (cols: number, at: number): [row: number, col: number] =>
  [Math.floor(at / cols), at % cols];

/** What is said one after another; what is empty, or ends with a full stop already, adds none. */
export const sentences = (...all: string[]): string =>
  all.filter(Boolean).map((one) => (one.endsWith('.') ? one : `${one}.`)).join(' ');

/** The picture in one sentence. */
export function sentenceOf(store: Store, { overlay, shares, side, at }: Scene): string {
  if (!overlay || !shares) return '';
  const { row, col, value } = largest(shares);
  const where = words().patch(row, col);
  const number = inCell(value, overlay.tensor.kind === 'probability');
  if (!isMap(overlay.tensor) || overlay.across || overlay.row !== undefined) return words().most(where, number);
  if (at === undefined) return words().meanLooks(where, number);
  const who = called(store, overlay, side, at);
  return side === 'row' ? words().looks(who, where, number) : words().looked(who, where, number);
}

/**
 * Where the middle of the weight goes from step to step, or from hop to hop; undefined where nothing follows upon
 * another.
 */
export function trackOf(store: Store, { overlay, side, query }: Scene,
  shape: number[]): { x: number; y: number }[] | undefined {
  const { result } = store.sessions;
  if (!result || !overlay?.key || overlay.row !== undefined || side !== 'row') return undefined;
  const { chosen } = store.selection;
  const course = courseOf(overlay.tensor, result, chosen, query ?? 0);
  const stops = course?.steps.map((_, k) =>
    (course.kind === 'hops' ? sharesOf({ ...overlay, tensor: course.maps[k]! }, 'row', query ?? 0, chosen, shape)
    : sharesOf(overlay, 'row', k, chosen, shape)));
  const middles = stops?.map((one) => one && centre(one));
  return middles?.every((one) => one !== undefined) ? middles : undefined;
}
