// SPDX-License-Identifier: Apache-2.0
// Without projections, queries, keys and values are the same numbers under several names. The engine names what a cell
// was computed from by the first of these names, so the cells are given here to the part in which they were read.
import type { AxisRole, Explanation, Feed, TensorRole } from './types.ts';
import { axisOf, isMap, typed } from '../directory/typed.ts';
import { type Result, sameNumbers, type Tensor } from './result.ts';

const rowOf = (tensor: Tensor): number =>
  tensor.dimensions?.findIndex(({ role }) => role === 'query' || role === 'key') ?? -1;

/** Which query and which key a cell belongs to; of a step, which has no names of axes, the engine's usual order. */
function placeOf(target: Tensor, index: number[], read: Tensor): { query: number; key: number } | undefined {
  const at = (role: AxisRole) => index[axisOf(typed(target), role)] ?? -1;
  if (target.group !== 'steps') return isMap(target) ? { query: at('query'), key: at('key') } : undefined;
  const rows = read.shape[rowOf(read)];
  return target.shape.at(-1) === rows && target.shape.at(-2) === rows
    ? { query: index.at(-2) ?? -1, key: index.at(-1) ?? -1 } : undefined;
}

/** The cells of a map's feed by the part that they play: a row is read as the query, as a key, or as both. */
function ofMap({ cells }: Feed, row: number, { query, key }: { query: number; key: number }):
  Partial<Record<TensorRole, number[][]>> {
  // A row of weights that has no scores of its own reads all keys, among them the query's own row.
  const all = cells.some((cell) => cell[row] !== query && cell[row] !== key);
  return { query: cells.filter((cell) => cell[row] === query),
    key: cells.filter((cell) => cell[row] !== query || key === query || all) };
}

/** What an explanation names, with each cell under the name of the part in which it was read. */
export function apart(result: Result, { tensor, index, feeds }: Pick<Explanation, 'tensor' | 'index' | 'feeds'>):
  Feed[] {
  const given = tensor.startsWith('inputs.') ? result.find(tensor.slice('inputs.'.length), 'inputs') : undefined;
  const target = given ?? result.find(tensor, 'outputs') ?? result.find(tensor, 'steps');
  if (!target) return feeds;
  return feeds.flatMap((feed): Feed[] => {
    const read = feed.group === 'outputs' ? result.find(feed.tensor, 'outputs') : undefined;
    if (!read) return [feed];
    if (sameNumbers(target, read)) return itself(result, target, feed);
    const names = result.all('outputs').filter((one) => one.within === read.within && sameNumbers(one, read));
    const called = (role: TensorRole) => names.find((one) => one.role === role)?.name;
    if (names.length < 2 || rowOf(read) < 0) return [feed];
    const place = placeOf(target, index, read);
    const parts: Partial<Record<TensorRole, number[][]>> = place ? ofMap(feed, rowOf(read), place)
      : target.role === 'context' ? { value: feed.cells } : {};
    const found = Object.entries(parts).filter(([role, cells]) => cells.length > 0 && called(role as TensorRole))
      .map(([role, cells]) => ({ ...feed, tensor: called(role as TensorRole)!, cells }));
    // Cells whose part has no name keep the engine's.
    return found.length === Object.values(parts).filter((cells) => cells.length > 0).length && found.length > 0
      ? found : [feed];
  });
}

// Another name of the target is not what it was computed from: that is the input whose numbers both are.
function itself(result: Result, target: Tensor, feed: Feed): Feed[] {
  const input = target.group === 'inputs' ? undefined
    : result.all('inputs').find((one) => sameNumbers(one, target));
  return input ? [{ ...feed, group: 'inputs', tensor: input.name }] : [];
}
