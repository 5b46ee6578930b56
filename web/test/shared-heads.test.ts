// SPDX-License-Identifier: Apache-2.0
// Heads that share keys: a query head is shown with its key head, and a chosen key head keeps a query head that reads
// it.
import { expect, test } from 'vitest';
import { headShown } from '../src/compare/measure.ts';
import { chosenFor, indexFor } from '../src/directory/heads.ts';
import { Result, plane } from '../src/engine/result.ts';
import type { Directory } from '../src/engine/types.ts';
import { parameterCounts } from '../src/heads/parameter-counts.ts';
import { Selection } from '../src/state/selection.ts';
import { countsIn } from '../src/files/weights.ts';
import { headNamed } from '../src/strings/heads.ts';
import { runs, systemFiles } from './runs.ts';

const dimension = (role: string) => ({ role });
const tensor = (name: string, heads: number, offset: number, module = '') => ({ group: 'outputs', name, module, offset,
  shape: [heads, 1, 1], axes: [heads === 4 ? 'h' : 'G', 'n', 'dk'],
  dimensions: [dimension('head'), dimension('key'), dimension('feature')] });
const result = new Result({ tensors: [tensor('query', 4, 0), tensor('key', 2, 4), tensor('alone', 2, 6, 'other')],
  labels: {} } as unknown as Directory, new Float32Array([0, 1, 2, 3, 10, 11, 20, 21]));
const shown = (name: string, head: number) => plane(result.find(name)!, { head }).at(0, 0);

test('neighbouring query heads are shown with the key head that they share', () => {
  expect([0, 1, 2, 3].map((head) => shown('query', head))).toEqual([0, 1, 2, 3]);
  expect([0, 1, 2, 3].map((head) => shown('key', head))).toEqual([10, 10, 11, 11]);
});

test('another module with fewer heads shares none', () => {
  expect([0, 1].map((head) => shown('alone', head))).toEqual([20, 21]);
});

test('a chosen key head keeps the head that reads it, or goes to the first that does', () => {
  const key = result.find('key')!;
  expect(chosenFor(key, 0, 1, { head: 3 })).toEqual({ head: 3 });
  expect(chosenFor(key, 0, 1, { head: 0 })).toEqual({ head: 2 });
  expect(chosenFor(key, 1, 5, {})).toEqual({ [key.places[1]!]: 5 });
  expect(indexFor(key, 0, { head: 3 })).toBe(1);
});

test('beside a map of one of several heads stands which it is, and of how many', () => {
  const said = (name: string, head: number) => headShown(plane(result.find(name)!, { head }));
  expect([said('query', 2), said('key', 2), said('alone', 1)]).toEqual(
    [{ head: 3, count: 4 }, { head: 2, count: 2 }, { head: 2, count: 2 }]);
});

// The maps of differential heads: of the first version two queries, keys and scores make one map of weights; of the
// second, two maps of weights make one head.
const several = (weights: number) => new Result({ tensors: [
  ...[['query', 4], ['key', weights === 2 ? 4 : 1], ['scores', 4], ['weights', weights], ['context', 2]].map(
    ([role, heads], k) => ({ group: 'outputs', name: role, role, module: '', offset: 4 * k, shape: [heads, 1, 1],
      axes: ['h', 'm', 'n'], dimensions: [dimension('head'), dimension('query'), dimension('key')] })),
  { group: 'gradients', name: 'outputs.scores', module: '', offset: 8, shape: [4, 1, 1], axes: ['h', 'm', 'n'] },
], labels: {}, document: {} } as unknown as Directory, Float32Array.from({ length: 20 }, (_, k) => k % 4));
const joined = (found: Result, chosen: Record<string, number>) => ['query', 'key', 'scores', 'weights', 'context',
  'outputs.scores'].map((name) => plane(found.find(name)!, chosen).at(0, 0));

test('keys and values that heads share have names of their own', () => {
  const named = (found: Result, name: string) => headNamed(found.find(name)!, 0);
  const [mistral] = runs([systemFiles.find(({ id }) => id === 'mistral')!.document]);
  const weights = mistral!.all('outputs').find(({ role }) => role === 'weights')!;
  const of = (role: string) =>
    mistral!.all('outputs').filter((one) => one.role === role && one.module === weights.module);
  const [key] = of('key');
  expect([weights.shape[0], key!.shape[0]]).toEqual([4, 2]);
  expect([0, 1].map((at) => headNamed(key!, at)))
    .toEqual(['Key-value head 1 (heads 1 to 2)', 'Key-value head 2 (heads 3 to 4)']);
  expect(of('value').map((one) => headNamed(one, 1))).toContain('Key-value head 2 (heads 3 to 4)');
  expect(of('query').map((one) => headNamed(one, 1))).toEqual(['Head 2']);
  // Two maps make one of the two heads that share this key.
  expect(named(several(4), 'key')).toBe('Key-value head 1 (heads 1 to 2)');
  expect(named(several(4), 'context')).toBe('Head 1');
});

test('parameters are counted by module, with all that the model has', () => {
  const { document } = systemFiles.find(({ id }) => id === 'gpt')!;
  const counts = parameterCounts(runs([document])[0]!);
  // Two words share a matrix, which the last module reads transposed and only adds its bias to.
  expect([counts.get('word'), counts.get('words')]).toEqual([9 * 8, 9]);
  expect(counts.get('layer-1')! - counts.get('layer-2')!).toBe(64 * 8);
  expect(counts.get('ffn-1')).toBe(2 * 8 * 16 + 16 + 8 + 2 * 8);
  expect([...counts.keys()]).toEqual(['word', 'layer-1', 'ffn-1', 'layer-2', 'ffn-2', 'words']);
  const directory = { modules: [{ name: 'a', parent: '' }, { name: 'a.b', parent: 'a' }, { name: 'c', parent: '' }],
    tensors: [{ group: 'parameters', module: 'c', shape: [3] }, { group: 'outputs', module: 'a', shape: [7] }],
    left: [{ group: 'parameters', module: 'a.b', shape: [5, 2] }] } as unknown as Directory;
  expect([...parameterCounts({ directory })]).toEqual([['a', 10], ['c', 3]]);
  // Of the file's parameters those that the engine does not list are added; scales of int8 matrices are none.
  const named = { ...directory, tensors: [{ group: 'parameters', name: 'c.b', module: 'c', shape: [3] }] };
  const entries = [['a.b.W', 'I8', [20, 5]], ['a.b.W.scale', 'F32', [5]], ['c.b', 'F32', [3]], ['c.scale', 'F32', [7]]];
  const stored = countsIn({ '__metadata__': {}, ...Object.fromEntries(entries.map(([name, dtype, shape]) =>
    [name, { dtype, shape, data_offsets: [0, 1] }])) });
  expect([...parameterCounts({ directory: named as unknown as Directory }, stored)]).toEqual([['a', 110], ['c', 10]]);
});

test('a head of several maps is shown with the queries, keys and scores of one of its own maps', () => {
  const first = several(2);
  expect(joined(first, {})).toEqual([0, 0, 0, 0, 0, 0]);
  expect(joined(first, { head: 1 })).toEqual([2, 2, 2, 1, 1, 2]);
  expect(joined(first, { head: 1, map: 1 })).toEqual([3, 3, 3, 1, 1, 3]);
  expect(chosenFor(first.find('scores')!, 0, 3, {})).toEqual({ head: 1, map: 1 });
  expect(headNamed(first.find('scores')!, 2)).toBe('Head 2, map 1');
  expect(headNamed(first.find('weights')!, 1)).toBe('Head 2');
});

test('of two maps of weights that make one head, each is chosen and has the name of the head', () => {
  const second = several(4);
  expect(joined(second, { head: 3 })).toEqual([3, 0, 3, 3, 1, 3]);
  expect([0, 1, 2, 3].map((at) => headNamed(second.find('weights')!, at))).toEqual(
    ['Head 1, map 1', 'Head 1, map 2', 'Head 2, map 1', 'Head 2, map 2']);
  expect(headShown(plane(second.find('weights')!, { head: 3 }))).toEqual({ head: 2, count: 2, map: 2 });
});

test('a chosen head takes the locked cell along to the same map of that head', () => {
  const first = several(2);
  const selection = new Selection(() => first);
  selection.hold({ group: 'outputs', tensor: 'scores', index: [1, 0, 0] });
  expect(selection.chosen).toMatchObject({ head: 0, map: 1 });
  selection.choose('head', 1);
  expect(selection.lock?.index).toEqual([3, 0, 0]);
  selection.choose('map', 0);
  expect(selection.lock?.index).toEqual([2, 0, 0]);
});
