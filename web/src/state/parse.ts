// SPDX-License-Identifier: Apache-2.0
import { isObject } from '../engine/pointer.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { readSeen, type Seen } from './link-view.ts';

/** More modules than these no page can draw at once without holding the reader up. */
export const MOST_MODULES = 64;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
// With u, a pair is one character, so that this finds what stands alone.
const HALF = /\p{Surrogate}/u;

export type Side = 'A' | 'B';
/** What a document is compared with: which side the document is, and the other side's mechanism, or its model. */
export interface Compared {
  editing: Side;
  mechanism?: JsonObject;
  model?: Json[];
  tie?: JsonObject;
  interventions?: Json[];
  parameters?: JsonObject;
}

/** Weights that came along, unread: the parts of a link, or the files of a saved file by their names, in base64. */
export interface Packets {
  links?: string[];
  files?: Record<string, string>;
}

/** What came from outside, with weights that may lie in it. */
export interface Arrived {
  document: Doc;
  compare?: Compared;
  seen?: Seen;
  weights?: Packets;
  /** The moments of a lecture, unread. */
  lecture?: Json;
}

export type Decoded = Arrived | { problem: 'damaged' | 'version' | 'hostile' | 'modules' | 'half' };

/** Reads a document's text. Nothing in it is trusted: keys and shape. */
export function parse(text: string): Decoded {
  try {
    const value = spelledOut(JSON.parse(text, refuseHarm) as Json);
    if (!isDocument(value)) return { problem: 'damaged' };
    if (Array.isArray(value['model']) && value['model'].length > MOST_MODULES) return { problem: 'modules' };
    // No part of what the engine reads, so it stands beside the document from here on.
    const { compare, seen, weights, lecture, ...document } = value;
    const shown = readSeen(seen);
    if (weights !== undefined && !areFiles(weights)) return { problem: 'damaged' };
    const more = { ...(shown ? { seen: shown } : {}), ...(lecture ? { lecture } : {}),
       ...(weights ? { weights: { files: weights } } : {}) };
    if (compare === undefined) return { document: document as Doc, ...more };
    return isCompared(compare) ? { document: document as Doc, compare, ...more } : { problem: 'damaged' };
  } catch (problem) {
    return { problem: problem instanceof Hostile ? 'hostile' : problem instanceof HalfCharacter ? 'half' : 'damaged' };
  }
}

/** What is meant to do harm. */
export class Hostile extends Error {}

function refuseHarm(key: string, value: Json): Json {
  if (FORBIDDEN.has(key)) throw new Hostile(key);
  return refuseHalves(key, value);
}

class HalfCharacter extends Error {}

/** Refuses half of a pair of surrogates, which UTF-8 cannot hold: neither the engine, nor a link or a file. */
function refuseHalves(key: string, value: Json): Json {
  if (HALF.test(key) || (typeof value === 'string' && HALF.test(value))) throw new HalfCharacter();
  return value;
}

/** The value of JSON; 'half' where a string in it holds half of a character. Throws where it is no JSON. */
export function wholeJson(text: string): { value: Json } | 'half' {
  try {
    return { value: JSON.parse(text, refuseHalves) as Json };
  } catch (problem) {
    if (problem instanceof HalfCharacter) return 'half';
    throw problem;
  }
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

const areFiles = (value: Json): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((file) => typeof file === 'string');

const SIDE = ['editing', 'mechanism', 'model', 'tie', 'interventions', 'parameters'];

function isCompared(value: Json): value is Json & Compared {
  if (!isObject(value)) return false;
  const { editing, mechanism, model, tie, interventions, parameters } = value;
  return (
    (editing === 'A' || editing === 'B') &&
    (isObject(mechanism) ? model === undefined && tie === undefined && interventions === undefined
      : mechanism === undefined && isModel(model) && (model as Json[]).length <= MOST_MODULES) &&
    (tie === undefined || isObject(tie)) && (interventions === undefined || Array.isArray(interventions)) &&
    (parameters === undefined || isObject(parameters)) &&
    Object.keys(value).every((key) => SIDE.includes(key))
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
