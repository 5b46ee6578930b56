// SPDX-License-Identifier: Apache-2.0
// What a side of a comparison has for itself: of one module the mechanism and its parameters; of a model its modules,
// their ties, and what changes its results. Inputs, seed and settings are the document's, for both sides.
import { isObject } from '../engine/pointer.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import type { Compared, Side } from './parse.ts';

const OF_MODULE = ['mechanism', 'parameters'] as const;
const OF_MODEL = ['model', 'tie', 'interventions', 'parameters'] as const;
const OWN = /^own-.+\.safetensors$/;

/** Whether the document can be compared with a variant of itself: one module, or a model of the reader's own files. */
export function hasSides({ model, parameters, training }: Doc & { training?: Json }): boolean {
  if (!Array.isArray(model)) return true;
  const from = isObject(parameters) ? parameters['from'] : undefined;
  const files = Array.isArray(from) ? from : [from];
  return training === undefined && files.length > 0
    && files.every((name) => typeof name === 'string' && OWN.test(name));
}

/** What a document has now, as the other side of `editing`. */
export function sideOf(document: Doc, editing: Side): Compared {
  const all = document as unknown as JsonObject;
  const keys = Array.isArray(all['model']) ? OF_MODEL : OF_MODULE;
  const own = keys.flatMap((key) => {
    const value = all[key];
    return value === undefined || (key === 'parameters' && !isObject(value)) ? []
      : [[key, structuredClone(value)] as const];
  });
  return { editing, ...Object.fromEntries(own) };
}

/** Puts a side into a draft in place of the one that is there. */
export function putSide(draft: Doc, held: Compared): void {
  const all = draft as unknown as JsonObject;
  for (const key of held.model ? OF_MODEL : OF_MODULE) {
    const value = held[key];
    if (value === undefined) delete all[key];
    else all[key] = structuredClone(value) as Json;
  }
}
