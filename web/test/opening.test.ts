// SPDX-License-Identifier: Apache-2.0
import { afterAll, expect, test } from 'vitest';
import type { Doc, Mechanism } from '../src/engine/types.ts';
import { insteadOf } from '../src/controls/empty-knob.ts';
import { Result } from '../src/engine/result.ts';
import { opening, worded } from '../src/gallery/opening.ts';
import { own } from '../src/strings/engine.ts';
import { startEngine } from './engine.ts';
import { book, catalogue } from './runs.ts';

const engine = startEngine();
afterAll(() => engine.close());

const exampleOf = async (id: string) => (await engine.ask({ example: id })).directory as unknown as Doc;
const opened = async (mechanism: Mechanism) =>
  opening(engine.client, book, await exampleOf(mechanism.id), mechanism);
const named = (id: string) => catalogue.mechanisms.find((one) => one.id === id)!;
const words = (document: Doc, name: string) => document.inputs[name]?.['tokens'] as string[] | undefined;
// The document without its mask, or with another value of a knob of it, has other weights.
const weights = async (document: Doc) => {
  const { directory, data } = await engine.ask({ document });
  return JSON.stringify([directory.ok, [...data]]);
};

test('a window opens over so many words that it hides some of them', async () => {
  for (const [id, knobs] of [['mask-sliding', ['window']], ['mask-sink-window', ['sinks', 'window']]] as const) {
    const document = await opened(named(id));
    const plain = await weights(document);
    for (const knob of knobs) {
      const more = structuredClone(document);
      const [mask] = more.mechanism['mask'] as Record<string, number>[];
      mask![knob] = named(id).knobs.find(({ name }) => name === knob)!.default as number + 1;
      expect(await weights(more), `${id}: ${knob}`).not.toBe(plain);
    }
  }
});

test('every mechanism opens with its name, and all that take rows of features with words', async () => {
  let worn = 0;
  for (const mechanism of catalogue.mechanisms) {
    const document = await opened(mechanism);
    expect((await engine.ask({ document })).directory.ok, mechanism.id).toBe(true);
    expect(document['title'], mechanism.id).toBe(own(mechanism).title);
    if (Object.values(document.inputs).some(({ tokens }) => tokens)) worn++;
  }
  expect(worn).toBeGreaterThan(0.9 * catalogue.mechanisms.length);
});

test('a position whose numbers differ by head opens with several heads, and says the slopes that it has', async () => {
  const document = await opened(named('pos-alibi'));
  expect(document.mechanism['heads']).toEqual({ type: 'multi-head', count: 4 });
  const { directory, data } = await engine.ask({ document });
  const result = new Result(directory, data);
  // Press et al.: a geometric sequence that begins and goes on with 2^(-8/h).
  expect(insteadOf(result, 'pos-alibi', 'slopes', '/mechanism/position/0/slopes'))
    .toEqual([1, 2, 3, 4].map((t) => 2 ** (-2 * t)));
  expect(insteadOf(result, 'pos-rope', 'base', '/mechanism/position/0/base')).toBeUndefined();
  expect((await opened(named('pos-t5-bias'))).mechanism['heads']).toBeDefined();
  expect((await opened(named('pos-rope'))).mechanism['heads']).toBeUndefined();
});

test('the sentence begins as that of the first page, and keys and values that may be left out are', async () => {
  const document = await opened(named('pos-rope'));
  expect(Object.keys(document.inputs)).toEqual(['query']);
  expect(words(document, 'query')!.slice(0, 5).join(' ')).toBe('they see the red car');
});

test('an image, a matrix over pairs and a single row stay numbers', async () => {
  const [image, pairs, row] = await Promise.all(['cbam', 'supervised-mse', 'memnet-hop'].map(exampleOf));
  expect(worded(book, image!, 8).inputs).toEqual(image!.inputs);
  expect(worded(book, pairs!, 8).inputs).toEqual(pairs!.inputs);
  const made = worded(book, row!, 8);
  expect([made.inputs['query'], words(made, 'memory')?.length]).toEqual([row!.inputs['query'], 8]);
});

test('a delta rule opens with a map in which a word finds more than itself', async () => {
  for (const { id } of catalogue.mechanisms.filter((one) => one.kind === 'core')) {
    const { directory, data } = await engine.ask({ document: await opened(named(id)) });
    const map = new Result(directory, data).tensors.find(({ role }) => role === 'weights')!;
    if (map.shape.at(-1) !== map.shape.at(-2)) continue;
    const columns = map.shape.at(-1)!;
    const largest = Math.max(...map.data.map(Math.abs));
    const beside = map.data.some((x, k) =>
      Math.floor(k / columns) % columns !== k % columns && Math.abs(x) > 0.001 * largest);
    expect(beside, id).toBe(true);
  }
});
