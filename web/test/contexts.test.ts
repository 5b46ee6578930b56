// SPDX-License-Identifier: Apache-2.0
// How far the contexts of softmax and of a cheaper form are apart, held against contexts that the engine computes.
import { afterAll, expect, it } from 'vitest';
import { formsOf, givenOf } from '../src/efficient/form.ts';
import { apartOf, contextsApart } from '../src/efficient/size.ts';
import { numbersOf, softmaxMap } from '../src/efficient/softmax.ts';
import { plane, Result } from '../src/engine/result.ts';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { startEngine } from './engine.ts';

const { ask, close } = startEngine();
afterAll(close);
const book = new Book((await ask({ catalogue: true })).directory as unknown as Catalogue);
const document = (mechanism: object): Doc => ({ schema: 'attention-playground/1', seed: 5,
  inputs: { x: { tokens: Array.from({ length: 24 }, (_, k) => `w${k}`), features: { type: 'embedding', dim: 12 } } },
  mechanism: { type: 'attention', query: 'self-attention', ...mechanism } }) as Doc;
async function run(own: Doc): Promise<Result> {
  const { directory, data } = await ask({ document: own });
  expect(directory.ok, JSON.stringify(directory)).toBe(true);
  return new Result(directory, data);
}
const contextIn = (result: Result) => result.all('outputs').findLast(({ role }) => role === 'context')!.data;
const mean = (list: ArrayLike<number>) => Array.from(list).reduce((sum, x) => sum + Math.abs(x), 0) / list.length;

it.each(['linear', 'performer', 'flash'])('contexts of %s and softmax are as far apart as those of the engine',
  async (id) => {
    const own = document({ core: { type: id } });
    const [result, exact] = [await run(own), await run(document({ score: 'scaled-dot', alignment: 'softmax' }))];
    const given = givenOf(result, formsOf(book, own)[0]!)!;
    const [query, key, map] = [given.query, given.key, given.map!].map((tensor) => plane(tensor, {}));
    const a = softmaxMap(query!, key!);
    const apart = apartOf(a, Float32Array.from(numbersOf(map!)), map!.rows, map!.cols);
    const found = contextsApart(a, apart, map!.rows, map!.cols, plane(given.value!, {}));
    const [mine, plain] = [contextIn(result), contextIn(exact)];
    const gaps = Array.from(mine, (x, at) => Math.abs(x - plain[at]!));
    const largest = Math.max(...gaps);
    expect(Math.abs(found.largest - largest)).toBeLessThan(1e-4);
    expect(Math.abs(found.mean - mean(gaps))).toBeLessThan(1e-4);
    expect(Math.abs(found.size - mean(plain))).toBeLessThan(1e-4);
    expect(found.largest > 0.01).toBe(id !== 'flash');
    if (id !== 'flash') expect(found.row).toBe(Math.floor(gaps.indexOf(largest) / (mine.length / map!.rows)));
  });
