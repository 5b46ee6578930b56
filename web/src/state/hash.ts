// SPDX-License-Identifier: Apache-2.0
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import type { Doc, Json, JsonObject } from '../engine/types.ts';

const VERSION = '1.';
const LONGEST_LINK = 1_000_000;
const LONGEST_TEXT = 4_000_000;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export type Side = 'A' | 'B';
/** What a document is compared with: which side the document is, and the other side's mechanism. */
export interface Compared {
  editing: Side;
  mechanism: JsonObject;
  parameters?: JsonObject;
}

export type Decoded = { document: Doc; compare?: Compared } | { problem: 'damaged' | 'version' | 'hostile' };

export function encode(document: Doc, compare?: Compared): string {
  const packed = deflateSync(strToU8(JSON.stringify(compare ? { ...document, compare } : document)), { level: 9 });
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

export function parse(text: string): Decoded {
  try {
    const value = JSON.parse(text, refuseForbidden) as Json;
    if (!isDocument(value)) return { problem: 'damaged' };
    // No part of what the engine reads, so it stands beside the document from here on.
    const { compare, ...document } = value;
    if (compare === undefined) return { document: value };
    return isCompared(compare) ? { document: document as Doc, compare } : { problem: 'damaged' };
  } catch (problem) {
    return { problem: problem instanceof Hostile ? 'hostile' : 'damaged' };
  }
}

class Hostile extends Error {}

function refuseForbidden(key: string, value: Json): Json {
  if (FORBIDDEN.has(key)) throw new Hostile(key);
  return value;
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

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isCompared(value: Json): value is Json & Compared {
  return (
    isObject(value) &&
    (value['editing'] === 'A' || value['editing'] === 'B') &&
    isObject(value['mechanism']) &&
    (value['parameters'] === undefined || isObject(value['parameters'])) &&
    Object.keys(value).every((key) => ['editing', 'mechanism', 'parameters'].includes(key))
  );
}

// Only what the page itself leans on; the engine checks everything else.
function isDocument(value: Json): value is Doc {
  return (
    isObject(value) &&
    typeof value['schema'] === 'string' &&
    isObject(value['mechanism']) &&
    isObject(value['inputs']) &&
    Object.values(value['inputs']).every(
      (input) =>
        isObject(input) &&
        (input['tokens'] === undefined ||
          (Array.isArray(input['tokens']) &&
            input['tokens'].every((token) => typeof token === 'string'))),
    )
  );
}
