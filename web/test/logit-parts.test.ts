// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What the parts of a language model add to the logit of a word: their sum is the logit that the engine computed, and
// a head that only the last norm follows is missing from it by its own part when it is switched off.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Directory, Doc, JsonObject } from '../src/engine/types.ts';
import { switchHead } from '../src/heads/switched.ts';
import { WeightSlices } from '../src/files/weight-slices.ts';
import { readWeights, valuesOf, writeWeights } from '../src/files/weights.ts';
import { documentIn } from '../src/learned/open.ts';
import { leavesOut, type LogitPart, logitParts, stackOf } from '../src/models/logit-parts.ts';
import { startEngine } from './engine.ts';

const engine = startEngine();
afterAll(() => engine.close());
const run = async (document: Doc): Promise<Result> => {
  const { directory, data } = await engine.ask({ document });
  return new Result(directory, data);
};

const LENGTH = 6;
const block = (number: number, more: JsonObject): JsonObject => ({ name: `layer-${number}`, type: 'transformer-block',
  inputs: { x: number === 1 ? 'tokens' : `layer-${number - 1}` }, norm: 'layer', ffn: { type: 'mlp', act: 'gelu' },
  attention: { type: 'attention', query: 'self-attention', mask: ['mask-causal'],
    heads: { type: 'multi-head', count: 2, bias: true } }, ...more });
/** A model whose weights are drawn: biases and norms too, so that none of them is left out unseen. */
const model = (more: JsonObject, norm = 'layer-norm', last: JsonObject = {}): Doc => ({
  schema: 'attention-playground/1', seed: 3,
  inputs: { text: { shape: [LENGTH, 1], data: [1, 4, 2, 7, 4, 0] } },
  model: [{ name: 'tokens', type: 'fm-lookup', inputs: { x: 'text' }, rows: 9, dim: 8 }, block(1, more), block(2, more),
    ...(norm === '' ? [] : [{ name: 'norm', type: norm, inputs: { x: 'layer-2' } }]),
    { name: 'predict', type: 'om-softmax', inputs: { x: norm === '' ? 'layer-2' : 'norm' }, classes: 9, ...last }],
  parameters: { ...(norm === 'layer-norm' ? { 'norm.beta': [0.3, -1, 0.5, 2, -0.7, 0.1, 0.9, -0.4] } : {}),
    ...(norm === '' ? {} : { 'norm.gamma': [1.3, 0.4, 1, 0.8, 2, 0.6, 1.1, 0.9] }),
    'layer-1.attention.heads.b_O': [0.2, -0.5, 1, 0.4, -0.3, 0.8, 0.6, -0.9],
    'predict.b_c': [0.1, 0.2, -0.3, 0.4, -0.5, 0.6, -0.7, 0.8, -0.9] },
} as unknown as Doc);
const sum = (parts: readonly LogitPart[]): number => parts.reduce((all, { value }) => all + value, 0);

it.each([['pre', 'layer-norm'], ['pre', 'rmsnorm'], ['parallel', 'layer-norm'], ['pre', '']])(
  'adds up to the logit of each word (%s, %s)', async (order, norm) => {
    const result = await run(model({ order }, norm));
    for (const word of [0, 5, 8]) {
      for (const row of [0, LENGTH - 1]) {
        const { parts, logit } = (await logitParts(result, 'predict', row, [word, undefined]))!;
        expect(logit).toBe(result.whole('predict.logits', 'outputs')!.data[row * 9 + word]);
        expect(sum(parts)).toBeCloseTo(logit, 4);
        expect(parts.map(({ kind, layer, head }) => [kind, layer, head])).toEqual([['embedding', undefined, undefined],
          ['head', 1, 0], ['head', 1, 1], ['feedForward', 1, undefined],
          ['head', 2, 0], ['head', 2, 1], ['feedForward', 2, undefined], ['biases', undefined, undefined]]);
      }
    }
  });

it('takes a document that leaves out the order and the norm as the engine does', async () => {
  const bare = model({});
  const stack = bare['model'] as unknown as JsonObject[];
  for (const one of stack) if (one['type'] === 'transformer-block') delete one['norm'];
  expect(stack.some((one) => 'order' in one || 'norm' in one)).toBe(false);
  // The page asks for the stack of a document as it was written, the parts are those of the engine's.
  const names = (document: Doc) => stackOf(document, 'predict')?.layers;
  expect(names(bare)).toEqual(['layer-1', 'layer-2']);
  const [result, full] = [await run(bare), await run(model({ order: 'pre', norm: 'rms' }))];
  const of = (one: Result) => logitParts(one, 'predict', 5, [2, undefined]);
  expect(await of(result)).toEqual(await of(full));
  expect(sum((await of(result))!.parts)).toBeCloseTo(full.whole('predict.logits', 'outputs')!.data[5 * 9 + 2]!, 4);
});

it('gives the difference of two words, part by part', async () => {
  const result = await run(model({ order: 'pre' }));
  const of = async (word: number, other?: number) => (await logitParts(result, 'predict', 5, [word, other]))!;
  const [one, other, both] = [await of(2), await of(6), await of(2, 6)];
  expect(both.logit).toBeCloseTo(one.logit - other.logit, 5);
  both.parts.forEach(({ value }, k) => expect(value).toBeCloseTo(one.parts[k]!.value - other.parts[k]!.value, 5));
});

it('is what the logit lacks when a head of the last layer is off, but for the scale of the last norm', async () => {
  // In this order nothing reads the head but the last norm.
  const document = model({ order: 'parallel' }, 'rmsnorm');
  const [row, word] = [4, 7];
  const result = await run(document);
  const { parts } = (await logitParts(result, 'predict', row, [word, undefined]))!;
  const draft = structuredClone(document);
  switchHead(draft, ['layer-2.attention.heads'], 1);
  const without = await run(draft);
  const length = (of: Result): number => {
    const data = of.whole('layer-2.output', 'outputs')!.data.subarray(row * 8, row * 8 + 8);
    return Math.sqrt(data.reduce((all, value) => all + value ** 2, 0) / 8 + 1e-6);
  };
  const own = parts.find(({ layer, head }) => layer === 2 && head === 1)!.value;
  const bias = document['parameters'] as Record<string, number[]>;
  const [constant, ratio] = [bias['predict.b_c']![word]!, length(result) / length(without)];
  const logits = (of: Result): number => of.whole('predict.logits', 'outputs')!.data[row * 9 + word]!;
  expect(Math.abs(own)).toBeGreaterThan(0.01);
  expect(logits(without) - constant).toBeCloseTo((logits(result) - constant - own) * ratio, 4);
  const after = (await logitParts(without, 'predict', row, [word, undefined]))!;
  expect(after.parts.find(({ layer, head }) => layer === 2 && head === 1)!.value).toBe(0);
});

it('is not offered where the parts do not add up to the logit', async () => {
  const post = await run(model({ order: 'post' }));
  expect(await logitParts(post, 'predict', 5, [2, undefined])).toBeUndefined();
  const capped = await run(model({ order: 'pre' }, 'rmsnorm', { cap: 0.5 }));
  expect(stackOf(capped.directory.document, 'predict')).toBeUndefined();
  const result = await run(model({ order: 'pre' }));
  // Numbers of another document would not be noticed by their names.
  const other = await run(model({ order: 'pre', ffn: { type: 'mlp', act: 'relu' } }));
  const mixed = Object.assign(Object.create(Result.prototype) as Result, result, {
    whole: (name: string, group: 'outputs') => (name === 'predict.logits' ? other : result).whole(name, group) });
  expect(await logitParts(mixed, 'predict', 5, [2, undefined])).toBeUndefined();
});

it('tells a result that leaves out what the parts need from a model whose parts do not add up', async () => {
  const result = await run(model({ order: 'pre' }));
  const without = async (name: string): Promise<Result> => {
    const { directory, data } = await engine.ask({ document: model({ order: 'pre' }) });
    const { tensors } = directory as Directory;
    const left = tensors.filter((one) => one.name === name);
    return new Result({ ...directory as Directory, tensors: tensors.filter((one) => one.name !== name), left }, data);
  };
  expect(leavesOut(result, 'predict')).toBe(false);
  for (const name of ['predict.logits', 'layer-1.attention.context', 'layer-2.ffn.output']) {
    const long = await without(name);
    expect(long.left.map((one) => one.name), name).toEqual([name]);
    expect(await logitParts(long, 'predict', 5, [2, undefined]), name).toBeUndefined();
    expect(leavesOut(long, 'predict'), name).toBe(true);
  }
  expect(leavesOut(await without('layer-1.attention.weights'), 'predict')).toBe(false);
  expect(leavesOut(await run(model({ order: 'post' })), 'predict')).toBe(false);
});

const LANGUAGE = 'language/austen.safetensors';
const file = new Uint8Array(readFileSync(join(import.meta.dirname, '../../examples/trained', LANGUAGE)));

it('reads what the result leaves out from the file of the small language model', async () => {
  await engine.ask({ weights: LANGUAGE, file: Buffer.from(file).toString('base64') });
  const document = documentIn(LANGUAGE, file);
  const result = await run(document);
  const row = (document.inputs['text'] as { data: number[] }).data.length - 1;
  expect(result.whole('tokens.E', 'parameters')).toBeUndefined();
  const { parts, logit } = (await logitParts(result, 'predict', row, [262, undefined], new Blob([file])))!;
  expect(sum(parts)).toBeCloseTo(logit, 3);
  expect(parts.filter(({ kind }) => kind === 'head')).toHaveLength(16);
  expect(await logitParts(result, 'predict', row, [262, undefined])).toBeUndefined();
});

it('reads rows and columns of a file as the whole tensor has them', async () => {
  const [rows, columns] = [3, 4];
  const numbers = Array.from({ length: rows * columns }, (_, k) => k - 5);
  const own = writeWeights({ metadata: {}, tensors: new Map([
    ['f', { dtype: 'F32', shape: [rows, columns], bytes: new Uint8Array(Float32Array.from(numbers).buffer) }],
    ['q', { dtype: 'I8', shape: [rows, columns], bytes: new Uint8Array(Int8Array.from(numbers).buffer) }],
    ['q.scale', { dtype: 'F32', shape: [1, columns],
      bytes: new Uint8Array(Float32Array.from([0.5, 2, 3, 0.25]).buffer) }],
    ['h', { dtype: 'F16', shape: [2], bytes: Uint8Array.of(0, 0x3c, 0, 0xc0) }],
  ]) });
  for (const given of [own, new Blob([own as Uint8Array<ArrayBuffer>])]) {
    const slices = await WeightSlices.of(given);
    for (const name of ['f', 'q']) {
      const whole = valuesOf(readWeights(own), name);
      expect([...Array.from(await slices.all(name))]).toEqual(whole);
      expect(Array.from(await slices.row(name, 1))).toEqual(whole.slice(columns, 2 * columns));
      expect(Array.from(await slices.column(name, 2))).toEqual([whole[2], whole[6], whole[10]]);
    }
    expect(await slices.all('h')).toEqual([1, -2]);
    await expect(slices.all('none')).rejects.toThrow('no tensor "none"');
  }
});
