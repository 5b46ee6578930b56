// SPDX-License-Identifier: Apache-2.0
// The sizes of a model whose weights come from a file: the file has them, and the document does not.
import { isObject } from '../engine/pointer.ts';
import type { Doc, Json } from '../engine/types.ts';

const same = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

// What is unchanged has the sizes that the engine found; of what is changed, only the parts that are unchanged do.
function filled(now: Json, before: Json | undefined, found: Json | undefined): Json {
  if (found === undefined) return now;
  if (same(now, before)) return found;
  if (!isObject(now) || !isObject(before) || !isObject(found)) return now;
  return Object.fromEntries(Object.entries(now).map(([name, value]) =>
    [name, filled(value, before[name], found[name])]));
}

/** A document with the sizes of the parts that are as they were `before`; `found`: that one with all its defaults. */
export function sized(document: Doc, before: Doc, found: Doc): Doc {
  const { model, mechanism } = document;
  const [was, has] = [before['model'], found['model']];
  if (!Array.isArray(model))
    return { ...document, mechanism: filled(mechanism, before.mechanism, found.mechanism) as Doc['mechanism'] };
  if (!Array.isArray(was) || !Array.isArray(has) || model.length !== was.length) return document;
  return { ...document, model: model.map((module, k) => filled(module, was[k], has[k])) };
}
