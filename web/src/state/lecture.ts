// SPDX-License-Identifier: Apache-2.0
// A lecture as a document, a file or a link brings it.
import type { Doc, Json } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { namesIn } from './local-weights.ts';
import { parse } from './parse.ts';

/** A state of the page, under a name. */
export interface Moment {
  name: string;
  document: Doc;
}

/** The moments of a lecture, which of them is shown first, and the map and the head that they show. */
export interface Lecture {
  at: number;
  moments: Moment[];
  map?: string;
  head?: number;
}

/** A lecture has at most so many moments, and their names have at most so many letters. */
export const MOST = 20;
export const LONGEST_NAME = 120;

/** A name as it is kept; empty where there is none. */
export const shortened = (name: unknown): string =>
  (typeof name === 'string' ? name.trim().slice(0, LONGEST_NAME) : '');

const isPlace = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** What of it can be trusted; whoever sent it may have written anything. Nothing where it has no moment. */
export function readLecture(value: Json | undefined): Lecture | undefined {
  if (!isObject(value) || !Array.isArray(value['moments'])) return undefined;
  const moments = value['moments'].slice(0, MOST).flatMap((one): Moment[] => {
    if (!isObject(one)) return [];
    const found = parse(JSON.stringify(one['document'] ?? null));
    return 'document' in found ? [{ name: shortened(one['name']), document: found.document }]
      : [];
  });
  if (moments.length === 0) return undefined;
  const { at, map, head } = value;
  return { moments, at: isPlace(at) ? Math.min(at, moments.length - 1) : 0, ...(typeof map === 'string' ? { map } : {}),
    ...(isPlace(head) ? { head } : {}) };
}

/** The files of weights that the moments ask for. */
export const namesOf = ({ moments }: Lecture): string[] =>
  [...new Set(moments.flatMap(({ document }) => namesIn(document)))];
