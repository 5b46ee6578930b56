// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { byHand, finished, withWeight } from '../src/train/hand.ts';
import type { TrainingDocument } from '../src/train/messages.ts';
import { readWeights } from '../src/files/weights.ts';
import { startEngine } from './engine.ts';
import { book } from './runs.ts';

const root = join(import.meta.dirname, '../../examples/trained/');
const engine = startEngine();
afterAll(() => engine.close());

// A file that ships holds its document, with the vocabularies.
const model = (name: string): TrainingDocument => {
  const file = new Uint8Array(readFileSync(`${root}${name}.safetensors`));
  return finished(JSON.parse(readWeights(file).metadata['document']!) as TrainingDocument, file);
};
const truth = ['je', "t'", 'aime', '<end>'];
const near = (values: ArrayLike<number>, wanted: readonly number[]) => Array.from(values)
  .forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(0.006));

describe('a weight set by hand', () => {
  it('leaves the others of its row in their proportions', () => {
    near(withWeight(Float32Array.of(0.5, 0.3, 0.2), 0, 0.9), [0.9, 0.06, 0.04]);
    near(withWeight(Float32Array.of(1, 0, 0), 0, 0.5), [0.5, 0.25, 0.25]);
  });

  it('of a Transformer moves its row alone, and what is said there', async () => {
    const document = model('transformer');
    const as = await byHand(engine.client, book, document, 'look.weights', { row: 2, column: 1, weight: 0.99 }, truth);
    expect(as.words).toEqual(truth);
    const other = await byHand(engine.client, book, document, 'look.weights', { row: 2, column: 0, weight: 0.96 },
      truth);
    expect(other.follows).toBe(false);
    near([other.weights[6]!], [0.96]);
    near(other.weights.subarray(0, 6), Array.from(as.weights.subarray(0, 6)));
    expect(other.chance[2]!).toBeLessThan(as.chance[2]! - 0.1);
  });

  it('of a decoder that goes word by word leaves the rows above alone, and moves what follows', async () => {
    const document = model('translate');
    const ask = (row: number, weight?: number) => byHand(engine.client, book, document, 'decoder.weights',
      { row, column: 0, weight }, truth);
    const as = await ask(1);
    const middle = await ask(1, 0.9);
    near([middle.weights[3]!], [0.9]);
    expect(middle.weights.subarray(0, 3)).toEqual(as.weights.subarray(0, 3));
    expect(middle.chance[0]).toBe(as.chance[0]);
    expect(middle.chance[1]!).toBeLessThan(as.chance[1]!);
    expect(middle.follows).toBe(true);
    const last = await ask(3, 0.9);
    expect(last.weights.subarray(0, 9)).toEqual(as.weights.subarray(0, 9));
    expect(last.chance.slice(0, 3)).toEqual(as.chance.slice(0, 3));
    expect(last.follows).toBe(false);
  });
});
