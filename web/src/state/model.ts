// SPDX-License-Identifier: Apache-2.0
// Documents of several modules, which are wired by name.
import type { Doc, JsonObject } from '../engine/types.ts';
import { isObject, join } from '../engine/pointer.ts';

export interface Member {
  name: string;
  path: string;
  value: JsonObject;
}

/** A task gives a document its inputs and its words: only where it is trained is it known whether they fit. */
export function hasTask(document: Doc): boolean {
  const training = document['training'];
  return isObject(training) && training['task'] !== undefined;
}

export const isModel = (document: Doc): boolean => Array.isArray(document['model']);

/** The modules of a document, with where they stand in it: those of its model, or the one of its mechanism. */
export function membersOf(document: Doc): Member[] {
  const { model } = document;
  if (!Array.isArray(model)) return [{ name: '', path: '/mechanism', value: document.mechanism }];
  return (model as JsonObject[]).map((value, k) => ({ name: String(value['name']), path: join('model', k), value }));
}

/** The title of a document, where it has one. */
export const titleOf = (document: Doc): string | undefined =>
  typeof document['title'] === 'string' && document['title'] !== '' ? document['title'] : undefined;
