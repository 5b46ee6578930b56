// SPDX-License-Identifier: Apache-2.0
// What a reader has before them besides the document: it goes into the link, so that who opens it sees the same.
import { isObject } from '../engine/pointer.ts';
import type { Json, Target } from '../engine/types.ts';
import type { Pins, Scales } from './scales.ts';
import type { Selection } from './selection.ts';
import type { Slopes } from './slopes.ts';
import type { Place, View } from './view.ts';

/** The ways of looking at weights, in the order in which they are offered. (The build reads it: no decorators here.) */
export const WAYS = ['matrix', 'lines', 'text', 'table'] as const;
export type Way = (typeof WAYS)[number];

export interface Seen {
  place?: Place;
  /** The drawn words that stand for the document's own where forms are compared. */
  many?: number;
  /** The system that the document is compared with, part by part. */
  beside?: string;
  view?: Way;
  module?: string;
  stage?: string;
  walk?: number;
  table?: string;
  /** The tensor that is drawn large. */
  large?: string;
  /** What a trained model's weights were computed from is unfolded. */
  how?: boolean;
  /** The head, and the place of every other axis that pictures hold still. */
  chosen?: Record<string, number>;
  lock?: Target;
  /** The scales that do not follow their numbers. */
  pins?: Pins;
  /** The tensors, by group and name, in whose place their gradient is drawn. */
  slopes?: string[];
}

const GROUPS: readonly string[] = ['inputs', 'outputs', 'parameters', 'steps', 'gradients'];
const MOST = 64;
const MOST_WORDS = 16_384;

interface Shown {
  view: View;
  selection: Selection;
  scales: Scales;
  slopes: Slopes;
}

/** Nothing where everything is as at first. */
export function seenOf({ view, selection, scales, slopes }: Shown): Seen | undefined {
  const { module, stage, walk, table, large } = view;
  const chosen = Object.fromEntries(Object.entries(selection.chosen).filter(([, at]) => at !== 0));
  const { lock } = selection;
  const seen: Seen = {
    ...(view.place === 'look' ? {} : { place: view.place }),
    ...(view.many === undefined ? {} : { many: view.many }),
    ...(view.beside === undefined ? {} : { beside: view.beside }),
    ...(view.view === 'matrix' ? {} : { view: view.view }),
    ...(module === undefined || module === '' ? {} : { module }), ...(stage === undefined ? {} : { stage }),
    ...(walk === undefined ? {} : { walk }), ...(table === undefined ? {} : { table }),
    ...(large === undefined ? {} : { large }), ...(view.how ? { how: true } : {}),
    ...(Object.keys(chosen).length === 0 ? {} : { chosen }), ...(lock ? { lock } : {}),
    ...(Object.keys(scales.held).length === 0 ? {} : { pins: scales.held }),
    ...(slopes.drawn.length === 0 ? {} : { slopes: slopes.drawn }),
  };
  return Object.keys(seen).length === 0 ? undefined : seen;
}

const isPlace = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
const isScale = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((end) => Number.isFinite(end)) && value[0]! < value[1]!;

/** What of it can be trusted; a link says anything. */
export function readSeen(value: Json | undefined): Seen | undefined {
  if (!isObject(value)) return undefined;
  const { place, many, beside, view, module, stage, walk, table, large, how, chosen, lock, pins, slopes } = value;
  const seen: Seen = {};
  if (place === 'train' || place === 'compare') seen.place = place;
  if (isPlace(many) && many > 0 && many <= MOST_WORDS) seen.many = many;
  if (typeof beside === 'string') seen.beside = beside;
  if (typeof view === 'string' && (WAYS as readonly string[]).includes(view)) seen.view = view as Way;
  if (typeof module === 'string') seen.module = module;
  if (typeof stage === 'string') seen.stage = stage;
  if (isPlace(walk)) seen.walk = walk;
  if (typeof table === 'string') seen.table = table;
  if (typeof large === 'string') seen.large = large;
  if (how === true) seen.how = true;
  if (isObject(chosen)) seen.chosen =
    Object.fromEntries(Object.entries(chosen).slice(0, MOST)
    .filter((entry): entry is [string, number] => isPlace(entry[1])));
  if (isObject(lock) && GROUPS.includes(String(lock['group'])) && typeof lock['tensor'] === 'string'
    && Array.isArray(lock['index']) && lock['index'].length <= MOST && lock['index'].every(isPlace)) {
    seen.lock = { group: lock['group'] as Target['group'], tensor: lock['tensor'], index: lock['index'] as number[] };
  }
  if (isObject(pins)) seen.pins = Object.fromEntries(Object.entries(pins).slice(0, MOST)
    .filter((entry): entry is [string, [number, number]] => isScale(entry[1])));
  if (Array.isArray(slopes) && slopes.length <= MOST && slopes.every((one) => typeof one === 'string'))
    seen.slopes = slopes;
  return seen;
}
