// SPDX-License-Identifier: Apache-2.0
// A lecture that leaves the browser: a saved document with a member `lecture`, in a file or in a link.
import { keptFile } from '../engine/kept.ts';
import type { Doc, Json } from '../engine/types.ts';
import { base64 } from '../files/base64.ts';
import { CODES, pack, type Packed } from '../files/packed.ts';
import { readWeights } from '../files/weights.ts';
import { isObject } from '../state/catalogue.ts';
import { encode } from '../state/hash.ts';
import { MOST_CARRIED, namesIn, ownNames } from '../state/own.ts';
import { parse } from '../state/parse.ts';
import { MOST, shortened } from './limits.ts';
import type { Kept } from './memory.ts';

/** The moments of a lecture, which of them is shown first, and the map and the head that they show. */
export interface Lecture {
  at: number;
  moments: Kept[];
  map?: string;
  head?: number;
}

/** What of a lecture can leave the browser. */
export interface Carried extends Lecture {
  /** The weights that its documents ask for and that do not come with the page, by name. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Names of moments whose weights are not here. */
  lacks: string[];
}

const isPlace = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** What of it can be trusted; whoever sent it may have written anything. Nothing where it has no moment. */
export function readLecture(value: Json | undefined): Lecture | undefined {
  if (!isObject(value) || !Array.isArray(value['moments'])) return undefined;
  const moments = value['moments'].slice(0, MOST).flatMap((one): Kept[] => {
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

/** The lecture with the moments whose weights are here, and those weights. */
export async function carry(lecture: Lecture, known: ReadonlyMap<string, Uint8Array> = new Map()): Promise<Carried> {
  const files = new Map<string, Uint8Array>(known);
  const lacks: string[] = [];
  const moments: Kept[] = [];
  let { at } = lecture;
  for (const [k, moment] of lecture.moments.entries()) {
    let whole = true;
    for (const name of ownNames(moment.document)) {
      const file = files.get(name) ?? await keptFile(name);
      // What is larger than the page's memory is saved beside its document, not in it.
      if (file instanceof Uint8Array) files.set(name, file);
      else whole = false;
    }
    if (whole) moments.push(moment);
    else {
      lacks.push(moment.name);
      if (k < lecture.at) at--;
    }
  }
  return { ...lecture, moments, at: Math.max(0, Math.min(at, moments.length - 1)), files, lacks };
}

const documentOf = ({ at, moments, map, head }: Carried): Doc & { lecture: Json } => ({ ...moments[at]!.document,
  lecture: { at, moments: moments as unknown as Json, ...(map === undefined ? {} : { map }),
    ...(head === undefined ? {} : { head }) } });

/** The lecture as a file, which opens as every saved document does. */
export const fileOf = (carried: Carried): string => `${JSON.stringify({ ...documentOf(carried),
  ...(carried.files.size > 0
    ? { weights: Object.fromEntries([...carried.files].map(([name, file]) => [name, base64(file)])) } : {}) })}\n`;

/** What stands behind the # of its link, and by how much a weight is rounded; or how long its weights would be. */
export function linkTo(carried: Carried): { link: string; rounding: number } | { letters: number } {
  let letters = 0;
  for (const code of CODES) {
    const packed: Packed[] = [...carried.files].map(([name, file]) => pack(name, readWeights(file), code));
    letters = packed.reduce((sum, { text }) => sum + text.length, 0);
    if (letters <= MOST_CARRIED) return { link: encode(documentOf(carried), undefined, undefined,
      packed.map(({ text }) => text)), rounding: Math.max(0, ...packed.map(({ rounding }) => rounding)) };
  }
  return { letters };
}
