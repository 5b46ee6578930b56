// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// The loss over a reader's text: windows of a long text, and log probabilities that equal a softmax by hand of the
// logits that the engine gives for the whole text.
import { afterAll, expect, it } from 'vitest';
import type { Doc, JsonObject } from '../src/engine/types.ts';
import { Result } from '../src/engine/result.ts';
import type { Writes } from '../src/models/types.ts';
import { type Compute, logProbabilities, meanLoss } from '../src/text-loss/log-probabilities.ts';
import { lossCsv } from '../src/text-loss/csv.ts';
import { windowsOf } from '../src/text-loss/windows.ts';
import { startEngine } from './engine.ts';

const engine = startEngine();
afterAll(() => engine.close());

const TEXT = [1, 4, 2, 7, 4, 0, 3, 3, 8, 5];
const model = (more: JsonObject = {}): Doc => ({
  schema: 'attention-playground/1', seed: 3,
  inputs: { text: { shape: [2, 1], data: [1, 4] } },
  model: [{ name: 'tokens', type: 'fm-lookup', inputs: { x: 'text' }, rows: 9, dim: 8 },
    { name: 'layer-1', type: 'transformer-block', inputs: { x: 'tokens' }, norm: 'layer', order: 'pre',
      ffn: { type: 'mlp', act: 'gelu' }, attention: { type: 'attention', query: 'self-attention',
        mask: ['mask-causal'], position: ['pos-rope'], heads: { type: 'multi-head', count: 2 } } },
    { name: 'norm', type: 'layer-norm', inputs: { x: 'layer-1' } },
    { name: 'predict', type: 'om-softmax', inputs: { x: 'norm' }, classes: 9 }],
  // A table of large numbers makes probabilities that differ.
  parameters: { 'predict.b_c': [0.1, 2, -0.3, 0.4, -1.5, 0.6, -0.7, 0.8, -0.9] }, ...more } as unknown as Doc);
const writes: Writes = { kind: 'next', input: 'text', predicts: 'predict' };
const HEAD_OFF = [{ type: 'set', of: 'layer-1.attention.heads', head: 1, value: 0 }];

const asked: string[] = [];
const compute: Compute = async (of, document) => {
  const { directory, data } = await engine.ask({ document });
  if (!directory.ok) return directory as never;
  const result = new Result(directory, data);
  asked.push(`${of} ${document.inputs[of === 'hidden' ? 'text' : 'hidden-rows']!['shape']}`);
  return { directory, numbers: result.tensors.map((one) => one.data) };
};
const of = async (document: Doc, most: number, begin: number[] = []) =>
  await logProbabilities(compute, document, writes, TEXT, windowsOf(begin, TEXT, most), () => true) as Float64Array;

// What a softmax of the logits of the whole text gives, in double precision.
async function byHand(document: Doc, ids: number[], scored = ids.length): Promise<number[]> {
  const { directory, data } = await engine.ask({ document: { ...document,
    inputs: { text: { shape: [ids.length, 1], data: ids } } } });
  const { data: logits } = new Result(directory, data).whole('predict.logits', 'outputs')!;
  return ids.slice(1).map((id, row) => {
    const numbers = [...logits.subarray(row * 9, row * 9 + 9)].map(Math.exp);
    return Math.log(numbers[id]! / numbers.reduce((a, b) => a + b, 0));
  }).slice(-scored);
}
const near = (found: Iterable<number>, wanted: readonly number[]): void => {
  const list = [...found];
  expect(list.length).toBe(wanted.length);
  list.forEach((value, k) => expect(value, `token ${k}`).toBeCloseTo(wanted[k]!, 5));
};

it('cuts a text into windows of one length, of which each token counts in one', () => {
  expect(windowsOf([], TEXT, 20)).toEqual([{ ids: TEXT, from: 1, to: 10, row: 1 }]);
  const windows = windowsOf([9], TEXT, 5);
  expect(windows.map(({ ids }) => ids.length)).toEqual(windows.map(() => 5));
  expect(windows.every(({ ids }) => ids[0] === 9)).toBe(true);
  expect(windows.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, k) => from + k)))
    .toEqual(TEXT.map((_, k) => k));
  for (const { ids, from, to, row } of windows) expect(ids.slice(row, row + to - from)).toEqual(TEXT.slice(from, to));
  // Half of a window is before each token that counts.
  for (const { row } of windows.slice(1)) expect(row).toBeGreaterThanOrEqual(3);
  expect(windowsOf([], [4], 8)).toEqual([]);
});

it.each([[[], 1], [[], 2], [[], 3], [[6], 1], [[6], 2], [[6, 7], 2], [[6, 7, 8], 3]])(
  'scores each token once from a window with %j in front and room for %i', (begin: number[], most: number) => {
    expect(windowsOf(begin, [], most)).toEqual([]);
    const windows = windowsOf(begin, TEXT, most);
    expect(windows.length).toBeLessThanOrEqual(TEXT.length);
    expect(windows.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, k) => from + k)))
      .toEqual(TEXT.map((_, k) => k).slice(begin.length > 0 ? 0 : 1));
    for (const { ids, from, to, row } of windows) {
      expect(to).toBeGreaterThan(from);
      expect(ids.length).toBeLessThanOrEqual(Math.max(most, begin.length > 0 ? begin.length + 1 : 2));
      // Something predicts each token that counts.
      expect(row).toBeGreaterThanOrEqual(1);
      expect(ids.slice(0, begin.length)).toEqual(begin);
      expect(ids.slice(row, row + to - from)).toEqual(TEXT.slice(from, to));
    }
  });

it('gives each token the log softmax of its logit', async () => {
  const found = await of(model(), 64);
  expect(found[0]).toBeNaN();
  const wanted = await byHand(model(), TEXT);
  near(found.subarray(1), wanted);
  expect(new Set(wanted.map((value) => value.toFixed(2))).size).toBeGreaterThan(5);
  const { mean, tokens } = meanLoss(found);
  expect(tokens).toBe(9);
  expect(mean).toBeCloseTo(-wanted.reduce((a, b) => a + b, 0) / 9, 5);
  // With a token in front, the first one has a probability, too.
  near(await of(model(), 64, [6]), await byHand(model(), [6, ...TEXT]));
});

it('runs each window once and asks for few rows of logits', async () => {
  asked.length = 0;
  const found = await of(model(), 4);
  expect(asked.filter((one) => one.startsWith('hidden'))).toEqual(windowsOf([], TEXT, 4).map(() => 'hidden 4,1'));
  // One question for each window. Before them one of a single row tells how many classes there are.
  const rows = asked.filter((one) => one.startsWith('logits')).map((one) => Number(/ (\d+),/.exec(one)![1]));
  expect(rows[0]).toBe(1);
  expect(rows.slice(1).every((count) => count <= 4)).toBe(true);
  expect(rows.length).toBe(5);
  const wanted = [...(await byHand(model(), TEXT.slice(0, 4))), ...(await byHand(model(), TEXT.slice(2, 6), 2)),
    ...(await byHand(model(), TEXT.slice(4, 8), 2)), ...(await byHand(model(), TEXT.slice(6, 10), 2))];
  near(found.subarray(1), wanted);
});

it('asks for no more rows of many classes than it has room for', async () => {
  const [length, width, classes] = [64, 768, 50_257];
  const text = Array.from({ length }, (_, k) => k);
  const rows: number[] = [];
  // A row of the fake model holds its own number, and its one likely token is the next of the text.
  const fake: Compute = (of, document) => {
    const given = (document.inputs['hidden-rows'] as { shape: number[]; data: number[] } | undefined);
    const [name, shape] = of === 'hidden' ? ['norm.output', [length, width]] as const
      : ['predict.logits', [given!.shape[0]!, classes]] as const;
    const numbers = new Float32Array(shape[0]! * shape[1]!);
    if (of === 'hidden') text.forEach((row) => (numbers[row * width] = row));
    else for (let k = 0; k < shape[0]!; k++) numbers[k * classes + given!.data[k * width]! + 1] = 5;
    if (of === 'logits') rows.push(shape[0]!);
    const directory = { tensors: [{ name, group: 'outputs', shape }] };
    return Promise.resolve({ directory, numbers: [numbers] } as never);
  };
  const found = await logProbabilities(fake, model(), writes, text, windowsOf([], text, length), () => true);
  near((found as Float64Array).subarray(1), text.slice(1).map(() => 5 - Math.log(classes - 1 + Math.exp(5))));
  const most = Math.max(...rows);
  expect(most).toBeGreaterThan(1);
  expect(most * classes).toBeLessThanOrEqual(1_000_000);
  // Each scored token is asked for once; only the last question may have rows to spare.
  expect(rows.slice(0, -1).reduce((a, b) => a + b, 0)).toBeLessThan(length - 1);
  // Inside a window, too, it stops after the question that it was at.
  rows.length = 0;
  expect(await logProbabilities(fake, model(), writes, text, windowsOf([], text, length), (done) => done < 20))
    .toBeUndefined();
  expect(rows).toEqual([1, most, most]);
});

it('differs after a change of the model as its logits do, and stops when it is told to', async () => {
  const off = model({ interventions: HEAD_OFF });
  const [before, after] = [await of(model(), 64), await of(off, 64)];
  near(after.subarray(1), await byHand(off, TEXT));
  expect(Math.abs(meanLoss(before).mean - meanLoss(after).mean)).toBeGreaterThan(1e-3);
  // A change of the logits themselves is computed with the rows.
  const flat = model({ interventions: [{ type: 'scale', of: 'predict.logits', value: 0 }] });
  near((await of(flat, 64)).subarray(1), TEXT.slice(1).map(() => -Math.log(9)));
  asked.length = 0;
  expect(await logProbabilities(compute, model(), writes, TEXT, windowsOf([], TEXT, 4), (done) => done < 4))
    .toBeUndefined();
  // The first of four windows is computed whole, and nothing is asked for after it.
  expect(asked.filter((one) => one.startsWith('hidden'))).toEqual(['hidden 4,1']);
});

it('says what the engine refuses', async () => {
  const wrong = model({ parameters: { 'predict.b_c': [1] } });
  expect(await of(wrong, 64)).toMatchObject({ ok: false, error: { path: expect.stringContaining('b_c') } });
});

it('writes a table of all tokens', () => {
  const csv = lossCsv([3, 4], ['a', '=b'], [{ name: 'now', values: Float64Array.of(NaN, -1.5) },
    { name: 'before', values: Float64Array.of(NaN, -2) }]);
  expect(csv.split(/\r?\n/).slice(0, 3)).toEqual(['position,id,token,now,before', '1,3,a,,', "2,4,'=b,-1.5,-2"]);
});
