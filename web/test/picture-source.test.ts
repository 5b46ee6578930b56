// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { naming } from '../src/directory/naming.ts';
import type { Doc, JsonObject } from '../src/engine/types.ts';
import { chosenFiles } from '../src/files/chosen-files.ts';
import { withPictureOf } from '../src/gallery/picture-kept.ts';
import { sentences } from '../src/image/scene.ts';
import { drawnInput, inputFrom, keepOrigin, originOf, scaled } from '../src/image/source.ts';
import { book, runs, systemFiles } from './runs.ts';

const src = join(dirname(fileURLToPath(import.meta.url)), '../src');
const size = { height: 4, width: 3, channels: 3 };

it('a file input is empty after each choice, so that the same file can be chosen again', () => {
  const file = new File(['x'], 'my.png');
  const input = { files: [file] as File[], value: 'C:\\fakepath\\my.png' };
  expect(chosenFiles({ target: input } as unknown as Event)).toEqual([file]);
  expect(input.value).toBe('');
});

it('every file input of the page is emptied there', () => {
  const having = (readdirSync(src, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(src, name), 'utf8')] as const)
    .filter(([, text]) => text.includes('type="file"'));
  expect(having.length).toBeGreaterThan(4);
  for (const [name, text] of having) {
    expect(text, name).toContain('chosenFiles(e');
    expect(text, name).not.toMatch(/\(e\.target as HTMLInputElement\)\.files/);
  }
});

it('a picture in another size is drawn again, with the proportions of its first size', () => {
  expect(scaled(size, 16)).toEqual({ height: 16, width: 12, channels: 3 });
  for (const motif of ['shapes', 'digit', 'random'] as const) {
    const large = inputFrom({ kind: 'drawn', motif, seed: 2 }, scaled(size, 16));
    expect(large).toEqual(drawnInput(motif, 2, scaled(size, 16)));
    expect(new Set((large as { data: number[] }).data).size, motif).toBeGreaterThan(1);
  }
  const { data } = drawnInput('random', 1, scaled(size, 40)) as { data: number[] };
  const mean = data.reduce((sum, x) => sum + x, 0) / data.length;
  expect(Math.abs(mean)).toBeLessThan(0.06);
  expect(Math.abs(data.reduce((sum, x) => sum + (x - mean) ** 2, 0) / data.length - 1)).toBeLessThan(0.1);
});

it('steps of the slider lose nothing of numbers that came with the document', () => {
  const numbers = { shape: [4, 3, 3], data: Array.from({ length: 36 }, (_, k) => k) };
  const large = inputFrom({ kind: 'given', numbers }, scaled(size, 16)) as { shape: number[]; data: number[] };
  expect(large.shape).toEqual([16, 12, 3]);
  // Each of the twelve pixels has sixteen of the larger picture.
  for (const value of numbers.data) expect(large.data.filter((x) => x === value)).toHaveLength(16);
});

it('the reader’s picture goes to the next system, in the size that is read there', async () => {
  const [mine, other] = ['sagan-system', 'vit'].map((id) =>
    structuredClone(systemFiles.find((one) => one.id === id)!.document)) as [Doc, Doc];
  expect(await withPictureOf(book, other, mine)).toEqual({ document: other });
  const before = mine.inputs['image']!;
  mine.inputs['image'] = drawnInput('digit', 5, { height: 8, width: 8, channels: 3 });
  keepOrigin(mine.inputs['image'], { source: { kind: 'drawn', motif: 'digit', seed: 5 },
    size: { height: 8, width: 8, channels: 3 } });
  const carried = await withPictureOf(book, other, mine);
  expect(carried.picture).toBe('kept');
  const read = carried.document.inputs['image'] as JsonObject;
  expect(read).toEqual(drawnInput('digit', 5, { height: 16, width: 16, channels: 1 }));
  carried.remember!(carried.document);
  expect(originOf(read)?.source).toEqual({ kind: 'drawn', motif: 'digit', seed: 5 });
  const words = systemFiles.find(({ id }) => id === 'rnnsearch')!.document;
  expect((await withPictureOf(book, words, mine)).picture).toBe('lost');
  expect(originOf(before)).toBeUndefined();
});

it('an accessible name has no empty sentence', () => {
  expect(sentences('image of 4 by 3 pixels', '', 'Arrow keys move.')).toBe('image of 4 by 3 pixels. Arrow keys move.');
});

it('the gates of CBAM are named in words', () => {
  const [result] = runs(['cbam']);
  expect(result!.all('outputs').filter(({ name }) => name.includes('.')).map((tensor) => naming(tensor).title))
    .toEqual(['Channel weights', 'Spatial weights']);
});
