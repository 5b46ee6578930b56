// SPDX-License-Identifier: Apache-2.0
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { readSeen, type Seen } from './seen.ts';

/** More modules than these no page can draw at once without holding the reader up. */
export const MOST_MODULES = 64;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export type Side = 'A' | 'B';
/** What a document is compared with: which side the document is, and the other side's mechanism. */
export interface Compared {
  editing: Side;
  mechanism: JsonObject;
  parameters?: JsonObject;
}

export type Decoded = { document: Doc; compare?: Compared; seen?: Seen } | {
  problem: 'damaged' | 'version' | 'hostile' | 'modules' };

/** Reads a document's text. Nothing in it is trusted: keys and shape. */
export function parse(text: string): Decoded {
  try {
    const value = spelledOut(JSON.parse(text, refuseForbidden) as Json);
    if (!isDocument(value)) return { problem: 'damaged' };
    if (Array.isArray(value['model']) && value['model'].length > MOST_MODULES) return { problem: 'modules' };
    // No part of what the engine reads, so it stands beside the document from here on.
    const { compare, seen, ...document } = value;
    const shown = readSeen(seen);
    const more = shown ? { seen: shown } : {};
    if (compare === undefined) return { document: document as Doc, ...more };
    return isCompared(compare) ? { document: document as Doc, compare, ...more } : { problem: 'damaged' };
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

const GENERAL = 'attention';

// The schema allows short forms, which the engine and `attend` take: a mechanism's id alone, a module without a type,
// no inputs. The page writes into objects, so that they are made of them here.
function spelledOut(value: Json): Json {
  if (!isObject(value)) return value;
  const { mechanism, model } = value;
  const typed = (module: Json): Json =>
    isObject(module) && module['type'] === undefined ? { ...module, type: GENERAL } : module;
  return { ...value, ...(value['inputs'] === undefined ? { inputs: {} } : {}),
    ...(typeof mechanism === 'string' ? { mechanism: { type: mechanism } } : {}),
    ...(Array.isArray(model) ? { model: model.map(typed) } : {}) };
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

const isModel = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.every((module) =>
  isObject(module) && typeof module['name'] === 'string' && typeof module['type'] === 'string');

// Only what the page itself leans on; the engine checks everything else.
function isDocument(value: Json): value is Doc {
  return (
    isObject(value) &&
    typeof value['schema'] === 'string' &&
    (isObject(value['mechanism']) || isModel(value['model'])) &&
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
