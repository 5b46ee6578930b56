// SPDX-License-Identifier: Apache-2.0
import type { Doc, Json } from '../engine/types.ts';

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export type Decoded = { document: Doc } | { problem: 'damaged' | 'version' | 'hostile' };

/** Reads a document's text. Nothing in it is trusted: keys and shape. */
export function parse(text: string): Decoded {
  try {
    const value = JSON.parse(text, refuseForbidden) as Json;
    return isDocument(value) ? { document: value } : { problem: 'damaged' };
  } catch (problem) {
    return { problem: problem instanceof Hostile ? 'hostile' : 'damaged' };
  }
}

/** What is meant to do harm. */
export class Hostile extends Error {}

function refuseForbidden(key: string, value: Json): Json {
  if (FORBIDDEN.has(key)) throw new Hostile(key);
  return value;
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
