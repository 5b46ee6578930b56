// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What stands beside the page's own document is the system as the gallery opens it, or is said to be untrained.
import './no-window.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mapsOf } from '../src/part-by-part/maps.ts';
import { isUntrained, withWords } from '../src/part-by-part/other-document.ts';
import { holdWeights } from '../src/engine/kept.ts';
import type { Doc, System } from '../src/engine/types.ts';
import { trained } from '../src/learned/open.ts';
import { book, computed, hold } from './choosing.ts';
import { systemFiles } from './runs.ts';
import { root } from './shipped.ts';

const system = (id: string): System => systemFiles.find((one) => one.id === id)!;

// Its weights have come.
async function open(id: string): Promise<Doc> {
  const bytes = new Uint8Array(readFileSync(join(root, `examples/trained/systems/${id}.safetensors`)));
  const weights = `systems/${id}.safetensors`;
  holdWeights(weights, bytes);
  hold(weights, bytes);
  return (await trained({ weights }, system(id).document)).document!;
}

const rows = (document: Doc): number[] => {
  const { plane } = mapsOf(computed(document), {})[0]!;
  return Array.from({ length: plane.rows }, (_, i) =>
    Math.max(...Array.from({ length: plane.cols }, (__, j) => plane.at(i, j))));
};

it('trained systems are compared with the weights that ship, on the words of A', async () => {
  const [luong, rnnsearch] = [await open('luong'), await open('rnnsearch')];
  luong.inputs['source']!['tokens'] = ['we', 'see', 'the', 'black', 'cat'];
  luong.inputs['target']!['tokens'] = ['nous', 'voyons', 'le', 'chat', 'noir', '<end>'];
  for (const [a, b] of [[luong, rnnsearch], [rnnsearch, luong]]) {
    const { document, sameWords } = withWords(b!, a!);
    expect(sameWords).toBe(true);
    expect(document.inputs['source']!['tokens']).toEqual(a!.inputs['source']!['tokens']);
    expect(rows(document).toSorted().at(-1), 'it aligns').toBeGreaterThan(0.8);
    expect(isUntrained(book, document, computed(document))).toBe(false);
  }
  // Words that only the other list has are not known.
  const french = structuredClone(luong);
  french.inputs['source']!['tokens'] = ['nous', 'voyons'];
  expect(withWords(rnnsearch, french)).toEqual({ document: rnnsearch, sameWords: false });
});

it('random weights are said to be untrained, and numbers that were given are not', async () => {
  for (const id of ['luong', 'rnnsearch', 'gpt-oss']) {
    const { document } = system(id);
    expect(isUntrained(book, document, computed(document)), id).toBe(true);
  }
  // Weights that do not come leave those drawn from the seed.
  const { document, lost } = await trained({ weights: 'nowhere' }, system('luong').document);
  expect([lost, isUntrained(book, document!, computed(document!))]).toEqual(['nowhere', true]);
  const plain = JSON.parse(readFileSync(join(root, 'examples/i-love-you.json'), 'utf8')) as Doc;
  expect(isUntrained(book, plain, computed(plain))).toBe(false);
});
