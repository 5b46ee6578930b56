// SPDX-License-Identifier: Apache-2.0
import { deflateSync, strFromU8, strToU8 } from 'fflate';
import type { Doc } from '../engine/types.ts';
import { fromUrlSafe, urlSafe } from '../files/base64.ts';
import { inflated, TooLarge } from '../files/inflate.ts';
import { sealed, unsealed } from '../files/checksum.ts';
import { carriedBy, ownReady } from './local-weights.ts';
import { type Compared, type Decoded, Hostile, parse } from './parse.ts';
import { type Seen, seenOf } from './link-view.ts';
import type { Store } from './store.ts';
import { isObject } from '../engine/pointer.ts';
import type { Documents } from './documents.ts';
import { isModel } from './model.ts';

// What a document set out from, kept beside its address: after a reload the page still counts the edits since, and
// Reset leads back to it. It is the browser's, not a part of the link.
/**
 * What the browser keeps with the entry of its history that holds the document's link. `link`: it is too long for the
 * address, and kept here instead.
 */
export function setOut({ base, document }: Pick<Documents, 'base' | 'document'>,
  link?: string): { base?: Doc; link?: string } | null {
  const same = base === document || JSON.stringify(base) === JSON.stringify(document);
  return same && link === undefined ? null : { ...(same ? {} : { base }), ...(link === undefined ? {} : { link }) };
}

/** The document in what the browser kept, if it is one. */
export function baseIn(state: unknown): Doc | undefined {
  const base = isObject(state as Doc) ? (state as { base?: Doc }).base : undefined;
  return isObject(base) && isObject(base['inputs']) && (isModel(base) || isObject(base['mechanism']))
    ? base : undefined;
}

const VERSION = '1.';
/** Behind the document stand the weights that it asks for, each file behind a dot. */
const WITH_WEIGHTS = '2.';
/** Behind a link: whoever opens it gets a seed of their own. */
export const NEW_SEED = '&seed=new';
const LONGEST_LINK = 1_000_000;
const LONGEST_TEXT = 4_000_000;

export { type Compared, type Decoded, parse, type Side } from './parse.ts';

/** What stands behind the # of the link to what is shown, with the own weights that are known to fit into it. */
export const linkOf = (store: Store): string => {
  const { documents: { document }, comparison: { held } } = store;
  return encode(document, held, seenOf(store), carriedBy(document, held).packed.map(({ text }) => text));
};

// The newest link, if it has a lecture, and the document that it opens.
let lecture: { link: string; document: string } | undefined;

/**
 * The same, once it is known which weights it carries. As long as nothing is changed in the document of a lecture, it
 * is the link that came, so that a reload begins the lecture again.
 */
export async function wholeLink(store: Store): Promise<string> {
  const { documents: { document }, comparison: { held } } = store;
  if (lecture && !held && lecture.document === JSON.stringify(document)) return lecture.link;
  await ownReady(document, held);
  return linkOf(store);
}

export function encode(document: Doc, compare?: Compared, seen?: Seen, weights: readonly string[] = []): string {
  const packed = urlSafe(sealed(deflateSync(strToU8(
    JSON.stringify({ ...document, ...(compare ? { compare } : {}), ...(seen ? { seen } : {}) })), { level: 9 })));
  return weights.length === 0 ? VERSION + packed : WITH_WEIGHTS + [packed, ...weights].join('.');
}

// Without what a text around a link leaves at its end: a full stop, a bracket, a quotation mark, a space.
function alone(text: string): string {
  let end = text.length;
  for (;;) {
    if (end > 2 && /^%[\dA-F]{2}$/i.test(text.slice(end - 3, end))) end -= 3;
    else if (end > 0 && /[^\w-]/.test(text[end - 1]!)) end--;
    else return text.slice(0, end);
  }
}

/**
 * Reads the fragment of a link. Nothing in it is trusted: size, compression, keys and shape; incoming-weights.ts checks
 * weights.
 */
export function decode(fragment: string): Decoded {
  const whole = alone(fragment.replace(/^#/, ''));
  const anew = whole.endsWith(NEW_SEED);
  const text = anew ? whole.slice(0, -NEW_SEED.length) : whole;
  const version = [VERSION, WITH_WEIGHTS].find((one) => text.startsWith(one));
  if (version === undefined) return { problem: /^\d+\./.test(text) ? 'version' : 'damaged' };
  if (text.length > LONGEST_LINK) return { problem: 'hostile' };
  const [document = '', ...links] = text.slice(version.length).split('.');
  if (version === VERSION ? links.length > 0 : links.length === 0) return { problem: 'damaged' };
  try {
    const decoded = parse(strFromU8(inflated(unsealed(fromUrlSafe(document)), LONGEST_TEXT)));
    if (!('problem' in decoded) && anew) decoded.document['seed'] = Math.floor(Math.random() * 1e6);
    if (!('problem' in decoded))
      lecture = decoded.lecture ? { link: text, document: JSON.stringify(decoded.document) } : undefined;
    return 'problem' in decoded || links.length === 0 ? decoded : { ...decoded, weights: { links } };
  } catch (problem) {
    return { problem: problem instanceof Hostile || problem instanceof TooLarge ? 'hostile' : 'damaged' };
  }
}
