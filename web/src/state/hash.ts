// SPDX-License-Identifier: Apache-2.0
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import type { Doc } from '../engine/types.ts';
import { type Compared, type Decoded, Hostile, parse } from './parse.ts';
import { type Seen, seenOf } from './seen.ts';
import type { Store } from './store.ts';

const VERSION = '1.';
const LONGEST_LINK = 1_000_000;
const LONGEST_TEXT = 4_000_000;

export { type Compared, type Decoded, parse, type Side } from './parse.ts';

/** What stands behind the # of the link to what is shown. */
export const linkOf = (store: Store): string =>
  encode(store.documents.document, store.comparison.held, seenOf(store));

export function encode(document: Doc, compare?: Compared, seen?: Seen): string {
  const packed = deflateSync(strToU8(
    JSON.stringify({ ...document, ...(compare ? { compare } : {}), ...(seen ? { seen } : {}) })), { level: 9 });
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  const base64 = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return VERSION + base64;
}

/** Reads a link's fragment. Nothing in it is trusted: size, compression, keys and shape. */
export function decode(fragment: string): Decoded {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(VERSION)) {
    return { problem: /^\d+\./.test(text) ? 'version' : 'damaged' };
  }
  if (text.length > LONGEST_LINK) return { problem: 'hostile' };
  try {
    const base64 = text.slice(VERSION.length).replaceAll('-', '+').replaceAll('_', '/');
    const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return parse(strFromU8(inflate(packed)));
  } catch (problem) {
    return { problem: problem instanceof Hostile ? 'hostile' : 'damaged' };
  }
}

function inflate(packed: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate((piece) => {
    size += piece.length;
    if (size > LONGEST_TEXT) throw new Hostile('inflates without end');
    pieces.push(piece);
  });
  // Small bites, so that a bomb is noticed before it has filled the memory.
  const bite = 4096;
  for (let at = 0; at < packed.length; at += bite) {
    stream.push(packed.subarray(at, at + bite), at + bite >= packed.length);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
