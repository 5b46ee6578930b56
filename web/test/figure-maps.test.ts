// SPDX-License-Identifier: Apache-2.0
// The maps of Compare in a figure that leaves the page.
import { afterAll, expect, it } from 'vitest';
import { mapsOf as figureMaps } from '../src/efficient/figure-maps.ts';
import { formsOf, givenOf } from '../src/efficient/form.ts';
import { apartOf } from '../src/efficient/size.ts';
import { softmaxMap } from '../src/efficient/softmax.ts';
import type { Study } from '../src/efficient/study.ts';
import { plane, Result } from '../src/engine/result.ts';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { figure } from '../src/take/figure.ts';
import { startEngine } from './engine.ts';

const { ask, close } = startEngine();
afterAll(close);
const book = new Book((await ask({ catalogue: true })).directory as unknown as Catalogue);
const document = (mechanism: object, n = 24): Doc =>
  ({ schema: 'attention-playground/1', seed: 5,
  inputs: { x: { tokens: Array.from({ length: n }, (_, k) => `w${k}`), features: { type: 'embedding', dim: 12 } } },
  mechanism: { type: 'attention', query: 'self-attention', ...mechanism } }) as Doc;

function mapsOf(own: Doc, result: Result, head = 0) {
  const [form] = formsOf(book, own);
  const given = givenOf(result, form!)!;
  const [query, key, map] = [given.query, given.key, given.map!].map((tensor) => plane(tensor, { head }));
  const b = Float32Array.from({ length: map!.rows * map!.cols },
    (_, k) => map!.at(Math.floor(k / map!.cols), k % map!.cols));
  return { a: softmaxMap(query!, key!, given.mask && plane(given.mask, { head })), b, rows: map!.rows, cols: map!.cols,
    query: query!, key: key!, form: form!, given };
}

it('a figure holds both maps on one scale, their difference, and the name of each', async () => {
  const one = document({ core: { type: 'linformer', rank: 4 }, heads: { type: 'multi-head', count: 2 } }, 6);
  const { directory, data } = await ask({ document: one });
  const result = new Result(directory, data);
  const { form, given, ...maps } = mapsOf(one, result, 1);
  const study = { form, given, result, maps: { ...maps, apart: apartOf(maps.a, maps.b, 6, 6) },
    store: { selection: { chosen: { head: 1 } } } } as unknown as Study;
  const offered = figureMaps(study);
  const [a, between, b] = offered;
  expect(offered).toHaveLength(3);
  expect(a!.shown!.domain).toEqual(b!.shown!.domain);
  expect([...a!.tensor.data]).toEqual([...maps.a]);
  expect([...b!.tensor.data]).toEqual([...maps.b]);
  between!.tensor.data.forEach((value, k) => expect(value).toBeCloseTo(maps.b[k]! - maps.a[k]!, 6));
  const texts = figure(offered, { chosen: { head: 1 }, theme: 'light', title: 'maps' }).shapes
    .flatMap((shape) => (shape.kind === 'text' && shape.bold ? [shape.text] : [])).join(' ');
  expect(texts).toContain('A: Softmax, Head 2');
  expect(texts).toContain('B − A, Head 2');
  expect(texts).toMatch(/B: Implied map of Linformer, +Head 2/);
  const equal = { ...study, maps: { ...study.maps!, a: maps.b, apart: apartOf(maps.b, maps.b, 6, 6) } } as Study;
  expect(figureMaps(equal).map(({ side }) => side)).toEqual(['B']);
});
