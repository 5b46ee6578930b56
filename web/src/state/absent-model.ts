// SPDX-License-Identifier: Apache-2.0
// A document of a model from a reader's own files, as after a link, whose weights this browser does not have.
import { isObject } from '../engine/pointer.ts';
import type { Doc, Json, JsonObject, Located } from '../engine/types.ts';
import { membersOf } from './model.ts';
import type { Store } from './store.ts';

const WEIGHTS = '/parameters/from';
const OWN = /^own-(.+)\.safetensors$/;

const fromOf = ({ parameters }: Doc): string =>
  (isObject(parameters) && typeof parameters['from'] === 'string' ? parameters['from'] : '');

/** What the file is called whose absence is this error, without an ending; undefined where the error is another. */
export const absentFile = (document: Doc, error: Located | undefined): string | undefined =>
  (error?.path === WEIGHTS && !error.crashed ? OWN.exec(fromOf(document))?.[1] : undefined);

/** The same of what the page shows. */
export const absentModel = ({ looseError, documents: { document } }: Store): string | undefined =>
  absentFile(document, looseError);

// The modules and what they read, whatever their numbers are called and however they were changed.
const builtOf = (document: Doc): string =>
  JSON.stringify(membersOf(document).map(({ name, value }) => [name, value['type'], value['inputs'] ?? null]));

/** The document that waits for these weights, with their name; undefined where they are another model's. */
export function completedBy(waiting: Doc, opened: Doc, from: string): Doc | undefined {
  if (builtOf(waiting) !== builtOf(opened)) return undefined;
  return { ...waiting, parameters: { ...(waiting['parameters'] as JsonObject | undefined), from } };
}

/** What a document changes of its model: the outputs of heads, by the module and the head, and other interventions. */
export function changesOf(document: Doc): { heads: [module: string, head: number][]; others: string[] } {
  const list: Json = (document as JsonObject)['interventions'] ?? [];
  const all = (Array.isArray(list) ? list : []).filter(isObject);
  const module = (of: Json | undefined): string => String(of).split('.').slice(0, -1).join('.') || String(of);
  const isHead = (one: JsonObject) => typeof one['head'] === 'number';
  return { heads: all.filter(isHead).map((one) => [module(one['of']), Number(one['head'])]),
    others: [...all.filter((one) => !isHead(one)).map((one) => String(one['of'])),
      ...Object.keys((document['parameters'] as JsonObject | undefined) ?? {})
        .filter((name) => name !== 'from' && name !== 'activations')] };
}
