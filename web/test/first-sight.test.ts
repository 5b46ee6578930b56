// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What the page says of the model that it opens on is what that model does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pictures } from '../plugins/doors.ts';
import { startEngine } from '../plugins/engine-start.ts';
import { figures } from '../plugins/measured.ts';
import { Result } from '../src/engine/result.ts';
import type { Doc } from '../src/engine/types.ts';
import { readWeights } from '../src/files/weights.ts';
import { weightsOf } from '../src/directory/modules.ts';
import { learnedFrom } from '../src/first/first.ts';
import { filled } from '../src/first/notice.ts';
import { read, type Thumbnail } from '../src/elements/thumbnail.ts';
import { writtenOut } from '../src/inputs/answer.ts';
import example from '../src/state/example.json';
import { first } from '../src/strings/en.ts';
import ar from '../src/strings/ar.ts';
import de from '../src/strings/de.ts';

const document = example.document as unknown as Doc;
const engine = await startEngine();
const answer = engine.run(JSON.stringify(document));
const result = new Result(JSON.parse(answer.directory), answer.data);

describe('the notes beside the first map', () => {
  it.each(Object.entries({ en: first, de, ar }))('say in %s what the map has, of its own words', (_, words) => {
    const [rows, columns] = [document.inputs['target']!['tokens'], document.inputs['source']!['tokens']] as string[][];
    expect(words.first.notes.length).toBe(4);
    for (const note of words.first.notes as readonly string[]) {
      expect(filled(note, result), note).toBeDefined();
      for (const [, row, column] of note.matchAll(/decoder\.weights (\d) (\d)\}/g)) {
        expect(note).toContain(rows![Number(row)]);
        expect(note).toContain(columns![Number(column)]);
      }
    }
  });

  it('speak of rows that look at two words, and of two looks that cross', () => {
    const { data, shape } = weightsOf(result)!;
    const at = (row: number, column: number): number => data[row * shape[1]! + column]!;
    for (const [row, one, other] of [[1, 1, 0], [2, 2, 4]] as const)
      expect(at(row, one) + at(row, other), `row ${row}`).toBeGreaterThan(0.9);
    expect(at(2, 4)).toBeGreaterThan(0.2);
    expect(at(1, 0), 'a little').toBeGreaterThan(0.05);
    expect(at(1, 0), 'a little').toBeLessThan(0.2);
    expect(Math.min(at(3, 4), at(4, 3))).toBeGreaterThan(0.85);
  });
});

it('the words that it wrote are its own, written as they are read', () => {
  const { tokens } = JSON.parse(engine.written(JSON.stringify(document)));
  expect(document.inputs['target']!['tokens']).toEqual(tokens);
  expect(writtenOut(tokens)).toBe('ils voient la voiture rouge');
  expect(writtenOut(['je', "t'", 'aime', '<end>'])).toBe("je t'aime");
});

it('counts the sentences of the training that its weights come from', () => {
  const file = new Uint8Array(readFileSync(join(import.meta.dirname, '../../examples/trained/translate.safetensors')));
  const { training } = JSON.parse(readWeights(file).metadata['document']!) as Doc;
  expect(document['training']).toEqual(training);
  expect(learnedFrom(document)).toBe(38_400);
  expect(learnedFrom({ ...document, training: {} })).toBe(0);
});

it('the figures of the card are what the command line measured of the same weights', async () => {
  const path = join(import.meta.dirname, '../../tests/experiment/trained.json');
  const { half } = JSON.parse(readFileSync(path, 'utf8')).translate;
  const found = await figures(document as never);
  expect(found.heldOut).toBe(500);
  for (const name of ['accuracy', 'alignment', 'agrees'] as const) expect(found[name], name).toBeCloseTo(half[name], 2);
});

describe('the pictures of the questions', () => {
  const all = pictures(engine);
  const numbers = (one: Thumbnail): number[][] => {
    const { plane, mask } = read(one);
    return Array.from({ length: one.rows }, (_, i) =>
      Array.from({ length: one.cols }, (__, j) => (mask.at(i, j) === 0 ? NaN : plane.at(i, j))));
  };
  const most = (one: Thumbnail): number => Math.max(...numbers(one).flat());

  it('show what is asked', () => {
    const [large, divided] = all['root']!;
    expect(most(large!)).toBeGreaterThan(most(divided!) + 0.1);
    const [soft, hard] = all['softOrHard']!.map((one) => numbers(one)[0]!.filter((weight) => weight > 0).length);
    expect([soft, hard]).toEqual([3, 1]);
    const [mask] = all['mask']!;
    expect(numbers(mask!).every((row, i) => row.every((weight, j) => Number.isNaN(weight) === j > i))).toBe(true);
    const [noise, learned] = all['learn']!;
    expect(most(noise!)).toBeLessThan(0.5);
    expect(most(learned!)).toBeGreaterThan(0.9);
    expect(new Set(all['heads']!.map(({ cells }) => cells)).size).toBe(4);
  });
});
