// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { parametersCalled, pathCalled } from '../src/state/path-names.ts';
import { Book } from '../src/state/catalogue.ts';

const read = (path: string): unknown => JSON.parse(readFileSync(`../${path}`, 'utf8')); // these tests run in web/
const book = new Book(read('build/wasm/bin/catalogue.json') as Catalogue);
const model = read('examples/trained/translate.json') as Doc;
const single = read('examples/transformer-head.json') as Doc;

it('parameters are called by the menu of what has them, with its module where there are several', () => {
  expect(parametersCalled(book, model, ['decoder.attention.score.W', 'decoder.attention.score.b', 'decoder.cell.U']))
    .toEqual(['Score (decoder): W, b', 'Cell (decoder): U']);
  expect(parametersCalled(book, single, ['score.W'])).toEqual(['Score: W']);
  // Of a name that nothing in the document has there is nothing else to say.
  expect(parametersCalled(book, model, ['elsewhere.W'])).toEqual(['elsewhere.W']);
});

it('places of a document are called by their menus, and what is no part of a module keeps its path', () => {
  const at = (model['model'] as { name: string }[]).findIndex(({ name }) => name === 'decoder');
  expect(pathCalled(book, model, `/model/${at}/attention/score`)).toBe('Score (decoder)');
  expect(pathCalled(book, model, `/model/${at}/attention/score/hidden`)).toBe('Score (decoder), hidden');
  expect(pathCalled(book, model, `/model/${at}`)).toBe('decoder');
  for (const path of ['/inputs/source/tokens', '/parameters/from', ''])
    expect(pathCalled(book, model, path)).toBe(path);
});
