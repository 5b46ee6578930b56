// SPDX-License-Identifier: Apache-2.0
// A form by itself, on queries and keys that are given: what is drawn for it may then be drawn anew without moving
// them.
import { shortest } from '../colour/numbers.ts';
import { Plane } from '../engine/result.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Form } from './form.ts';
import { numbersOf } from './softmax.ts';

/** Queries or keys: numbers that are given, or what an input of the document says. */
export type Rows = Plane | JsonObject;

const known = new WeakMap<Plane, JsonObject>();

// Every digit counts, and no more: long documents are refused. The same rows stand in many documents.
function rowsOf(rows: Rows): JsonObject {
  if (!(rows instanceof Plane)) return rows;
  const before = known.get(rows) ?? { data: Array.from(numbersOf(rows), shortest), shape: [rows.rows, rows.cols] };
  known.set(rows, before);
  return before;
}

// What an axis of a role's shape runs over says what stands there: queries as wide as keys, keys as wide as queries.
const isOf = (shape: string, rows: string): boolean => new RegExp(`^${rows} p$`).test(shape.trim());

/** `example`: the engine's own small document with this form, which takes queries and keys as they are given. */
export function alone(example: Doc, form: Form, query: Rows, key: Rows, knobs: JsonObject = {}, seed = 1,
  value?: JsonObject): Doc {
  const document = structuredClone(example);
  for (const name of ['title', 'parameters', 'gradient', 'outputs']) delete document[name];
  document['seed'] = seed;
  const { roles } = form.mechanism;
  document.inputs = {};
  for (const { name, shape } of roles) {
    if (isOf(shape, 'm')) document.inputs[name] = rowsOf(query);
    else if (isOf(shape, 'n')) document.inputs[name] = rowsOf(key);
    else if (value) document.inputs[name] = value;
  }
  const { mechanism } = document;
  // Where the example has it: as a choice of the module, or in the module's place.
  const slot = Object.keys(mechanism)
    .find((name) => isObject(mechanism[name]) && (mechanism[name] as JsonObject)['type'] === form.mechanism.id);
  const chosen: JsonObject = { type: form.mechanism.id, ...without(form.own, 'type'), ...knobs };
  if (slot === undefined) document.mechanism = chosen;
  else document.mechanism = { ...mechanism, [slot]: chosen, ...masksOf(form) };
  return document;
}

const without = (from: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

// A causal mask beside the form is part of it.
function masksOf({ mechanism, around }: Form): JsonObject {
  const honoured = new Set(mechanism.masks ?? []);
  const type = (mask: Json) => (isObject(mask) ? mask['type'] : mask);
  const kept = Object.entries(around)
    .filter(([, value]) => [value].flat().some((mask) => honoured.has(String(type(mask as Json)))));
  return Object.fromEntries(kept);
}
