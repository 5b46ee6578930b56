// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { byHand, finished, withWeight } from '../src/train/hand.ts';
import type { TrainingDocument } from '../src/train/messages.ts';
import { readWeights } from '../src/train/weights.ts';
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
const near = (values: ArrayLike<number>, wanted: readonly number[]) =>
  Array.from(values).forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(0.006));

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
    expect(other.everywhere).toBe(false);
    near([other.weights[6]!], [0.96]);
    near(other.weights.subarray(0, 6), Array.from(as.weights.subarray(0, 6)));
    expect(other.chance[2]!).toBeLessThan(as.chance[2]! - 0.1);
  });

  it('of a decoder that goes word by word acts at every row, which is said', async () => {
    const found = await byHand(engine.client, book, model('translate'), 'decoder.weights',
      { row: 0, column: 1, weight: 0.9 }, truth);
    near([found.weights[1]!], [0.9]);
    expect(found.everywhere).toBe(true);
    expect(found.words[0]).not.toBe('je');
  });
});
