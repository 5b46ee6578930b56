// SPDX-License-Identifier: Apache-2.0
// A lecture that leaves the browser: a saved document with a member `lecture`, in a file or in a link.
import { keptFile } from '../engine/kept.ts';
import type { Doc, Json } from '../engine/types.ts';
import { base64 } from '../files/base64.ts';
import { CODES, pack, type Packed } from '../files/packed.ts';
import { readWeights } from '../files/weights.ts';
import { maximum } from '../lists.ts';
import { encode } from '../state/hash.ts';
import type { Lecture } from '../state/lecture.ts';
import { MOST_CARRIED, ownNames } from '../state/local-weights.ts';
import type { Kept } from './memory.ts';

/** What of a lecture can leave the browser. */
export interface Carried extends Lecture {
  /** The weights that its documents ask for and that do not come with the page, by name. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Names of moments whose weights are not here. */
  lacks: string[];
}

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
      packed.map(({ text }) => text)), rounding: maximum(packed.map(({ rounding }) => rounding), 0) };
  }
  return { letters };
}
