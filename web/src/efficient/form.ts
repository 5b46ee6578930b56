// SPDX-License-Identifier: Apache-2.0
// Which cheaper form of attention a document chooses, and what the engine gives of it: by kinds, roles and axes alone.
import { axisOf, isMap, typed } from '../directory/typed.ts';
import type { LeftOut, Result, Tensor } from '../engine/result.ts';
import type { Doc, JsonObject, Mechanism, ModuleEntry } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { get, isObject } from '../engine/pointer.ts';

/** A core that the document chooses, and where in the document its knobs stand. */
export interface Form {
  mechanism: Mechanism;
  path: string;
  /** The module of the document around it, with what else was chosen there. */
  around: JsonObject;
  /** What is chosen of the core itself. */
  own: JsonObject;
}

const KIND = 'core';

/** Every core of a document, in the order of its modules. */
export function formsOf(book: Book, document: Doc): Form[] {
  const own = (path: string): JsonObject => {
    const value = get(document, path);
    return isObject(value) ? value : {};
  };
  const choices = book.choices(document);
  return membersOf(document).flatMap(({ path, value }): Form[] => {
    const module = book.member(value);
    // A core's id in a module's place is short for the general module with that core.
    if (module?.kind === KIND) return [{ mechanism: module, path, around: value, own: own(path) }];
    return choices
      .filter((choice) => choice.slot.kind === KIND && choice.mechanism && choice.path.startsWith(`${path}/`))
      .map((choice) => ({ mechanism: choice.mechanism!, path: choice.path,
      around: own(choice.path.slice(0, choice.path.lastIndexOf('/'))), own: own(choice.path) }));
  });
}

/** What the engine gives of a form: queries and keys as they meet, the map that it amounts to, and who may see whom. */
export interface Given {
  query: Tensor;
  key: Tensor;
  value?: Tensor;
  map?: Tensor;
  /** The same map, where it was too large to be given unasked. */
  left?: LeftOut;
  mask?: Tensor;
}

const goesFromQueriesToKeys = (entry: Pick<Tensor, 'role' | 'dimensions' | 'shape'>, rows: number,
  keys: number): boolean =>
  entry.role === 'weights' && isMap(entry) && entry.dimensions?.at(-2)?.role === 'query'
    && entry.dimensions.at(-1)?.role === 'key' && entry.shape.at(-2) === rows && entry.shape.at(-1) === keys;

/** The module that stands where a form was chosen, or around that place. */
export function moduleOf(modules: readonly ModuleEntry[], path: string): ModuleEntry | undefined {
  const around = modules.filter((one) =>
    one.path !== undefined && (path === one.path || path.startsWith(`${one.path}/`)));
  return around.toSorted((a, b) => b.path!.length - a.path!.length)[0] ?? modules[0];
}

export function givenOf(result: Result, form: Form): Given | undefined {
  const within = moduleOf(result.directory.modules ?? [], form.path)?.name ?? '';
  const own = result.all('outputs').filter((tensor) => (tensor.within ?? '') === within);
  const wide = (role: Tensor['role'], from = 0) =>
    own.find((tensor, at) => at >= from && tensor.role === role && axisOf(typed(tensor), 'feature') >= 0);
  const query = wide('query');
  // The vectors of positions have the role of keys too, but the engine gives them before the queries.
  const key = (query && wide('key', own.indexOf(query))) ?? wide('key');
  if (!query || !key) return undefined;
  const value = own.find((tensor) => tensor.role === 'value' && axisOf(typed(tensor), 'feature') >= 0
    && tensor.shape.at(-2) === key.shape.at(-2));
  const fits = (entry: Pick<Tensor, 'role' | 'dimensions' | 'shape'>) =>
    goesFromQueriesToKeys(entry, query.shape.at(-2)!, key.shape.at(-2)!);
  // Weights of the form's own come first, what the form amounts to last.
  const map = own.filter(fits).at(-1);
  const left = result.left.filter((entry) => (entry.within ?? '') === within && fits(entry)).at(-1);
  const mask = own.find((tensor) => tensor.role === 'mask' && isMap(tensor));
  return { query, key, ...(value ? { value } : {}), ...(map ? { map } : left ? { left } : {}),
    ...(mask ? { mask } : {}) };
}
