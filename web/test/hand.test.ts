// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mapsCalled } from '../src/directory/map-called.ts';
import { byHand, finished, NotPatched, watching, withWeight } from '../src/train/hand.ts';
import type { TrainingDocument } from '../src/train/messages.ts';
import { pack } from '../src/files/packed.ts';
import { inflated } from '../src/files/inflate.ts';
import { fromUrlSafe } from '../src/files/base64.ts';
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

  it('is set in a model whose weights are bytes with scales, too', () => {
    const file = new Uint8Array(readFileSync(`${root}translate.safetensors`));
    const whole = model('translate');
    const { text, rounding } = pack('own', readWeights(file), 'bytes');
    const bytes = inflated(fromUrlSafe(text), 8_000_000);
    expect([...readWeights(bytes).tensors.values()].some(({ dtype }) => dtype === 'I8')).toBe(true);
    const numbersOf = (of: TrainingDocument) => (of as unknown as {
      parameters: Record<string, { shape: number[]; data: number[] }> }).parameters;
    const [found, given] = [numbersOf(finished(whole, bytes)), numbersOf(whole)];
    expect(Object.keys(found)).toEqual(Object.keys(given));
    for (const [name, { shape, data }] of Object.entries(found)) {
      expect(shape).toEqual(given[name]!.shape);
      data.forEach((x, k) => expect(Math.abs(x - given[name]!.data[k]!)).toBeLessThanOrEqual(rounding));
    }
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

  it('is asked of the example that is shown, whatever the file was saved with', async () => {
    const shown = { ...model('translate'), inputs: { source: { tokens: ['they', 'love', 'the', 'red', 'car'] },
      target: { tokens: ['ils', 'aiment', 'la', 'voiture', 'rouge', '<end>'] } } } as TrainingDocument;
    const { tokens } = shown.inputs['target'] as { tokens: string[] };
    const asked = (document: TrainingDocument) => byHand(engine.client, book, document, 'decoder.weights',
      { row: 0, column: 0, weight: undefined }, tokens);
    const own = await asked(watching(model('translate'), shown));
    expect([own.shape, own.words.length]).toEqual([[6, 5], 6]);
    for (const chance of own.chance) expect(chance).toBeGreaterThan(0);
    // The truth of one sentence beside the answer to another is no answer.
    await expect(asked(model('translate'))).rejects.toThrow(NotPatched);
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

  it('of a model of transformer blocks moves the row of the block whose map it is', async () => {
    const document = model('systems/deepseek-v2');
    const right = (document.inputs['target'] as unknown as { tokens: string[] }).tokens;
    for (const map of ['block-1.attention.weights', 'block-2.attention.weights']) {
      const [rows, columns] = [7, 7];
      const ask = (weight?: number) => byHand(engine.client, book, document, map,
        { row: rows - 1, column: 3, weight }, right);
      const [as, other] = [await ask(), await ask(0.9)];
      expect(as.words, map).toEqual(right);
      near([other.weights[(rows - 1) * columns + 3]!], [0.9]);
      near(other.weights.subarray(0, (rows - 1) * columns), Array.from(as.weights.subarray(0, (rows - 1) * columns)));
    }
  });

  it('that a mask hides stays 0', async () => {
    const document = model('systems/deepseek-v2');
    const right = (document.inputs['target'] as unknown as { tokens: string[] }).tokens;
    const { weights } = await byHand(engine.client, book, document, 'block-2.attention.weights',
      { row: 2, column: 5, weight: 0.9 }, right);
    expect(weights[2 * 7 + 5]).toBe(0);
  });

  it('of a part with two attentions is asked of the one whose map it is', async () => {
    const document = model('systems/rban');
    const right = (document.inputs['target'] as unknown as { tokens: string[] }).tokens;
    for (const [map, columns] of [['both.first.weights', 3], ['both.second.weights', 18]] as const) {
      const { weights, shape } = await byHand(engine.client, book, document, map,
        { row: 0, column: 1, weight: 0.9 }, right);
      expect(shape[1], map).toBeLessThanOrEqual(columns);
      near([weights[1]!], [0.9]);
    }
  });
});

it('maps of a training are called as the structure calls their parts', () => {
  expect(mapsCalled(['layer-1.weights', 'layer-2.weights'])).toEqual(['layer 1', 'layer 2']);
  expect(mapsCalled(['block-1.attention.weights', 'block-2.attention.weights'])).toEqual(['block 1', 'block 2']);
  expect(mapsCalled(['hops.weights.0', 'rotation.tl-hop0.weights', 'over.M1']))
    .toEqual(['hops 1', 'rotation.tl hop1', 'over.M1']);
  expect(mapsCalled(['look.weights', 'look.attention.weights'])).toEqual(['look.weights', 'look.attention.weights']);
});
