// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { columnNames } from '../src/train/map-words.ts';
import { changes, inLine } from '../src/train/changes.ts';
import { curvesAsCsv } from '../src/train/csv.ts';
import { History } from '../src/train/history.ts';
import type { TrainingDocument } from '../src/train/messages.ts';
import { words as arabic } from '../src/train/words/ar.ts';
import { words as german } from '../src/train/words/de.ts';
import { words as english } from '../src/train/words/en.ts';
import { axesOf, firstOf } from '../src/train/axes.ts';
import { trialsOf } from '../src/train/trials.ts';
import { fitted, readWeights, writeWeights } from '../src/files/weights.ts';

const root = join(import.meta.dirname, '../../');
const read = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'));
const book = new Book(read('build/wasm/bin/catalogue.json') as Catalogue);
const translate = read('examples/trained/translate.json') as TrainingDocument;
const reverse = read('examples/trained/reverse.json') as TrainingDocument;
const file = new Uint8Array(readFileSync(`${root}examples/trained/translate.safetensors`));
const changed = (document: TrainingDocument, edit: (draft: TrainingDocument) => void) => {
  const copy = structuredClone(document);
  edit(copy);
  return copy;
};

it('calls the weights of an untrained map nearly the same: the first map reads .18 .21 .21 .22 .19', () => {
  for (const [words, nearly] of [[english, 'nearly the same'], [german, 'fast gleich'], [arabic, 'تقريبًا']] as const)
    for (const text of [words.idle, words.idleNarrow]) expect(text).toContain(nearly);
});

describe('files of weights', () => {
  it('are read and written without a change', () => {
    const whole = readWeights(file);
    expect(whole.tensors.get('decoder.attention.score.W1')).toMatchObject({ dtype: 'F16', shape: [32, 32] });
    expect(JSON.parse(whole.metadata['document']!).model).toHaveLength(5);
    const again = readWeights(writeWeights(whole));
    expect([...again.tensors.keys()]).toEqual([...whole.tensors.keys()]);
    for (const [name, { bytes }] of whole.tensors) expect(again.tensors.get(name)!.bytes).toEqual(bytes);
  });

  it('that are cut short or lie about their sizes are refused', () => {
    expect(() => readWeights(file.subarray(0, 4))).toThrow('not a file of weights');
    expect(() => readWeights(file.subarray(0, 200))).toThrow('not a file of weights');
    expect(() => readWeights(file.subarray(0, 20_000))).toThrow('lie outside the file');
    const lying = file.slice();
    new DataView(lying.buffer).setBigUint64(0, 1n << 60n, true);
    expect(() => readWeights(lying)).toThrow('not a file of weights');
    const text = (header: unknown) => {
      const words = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
      const bytes = new Uint8Array(8 + words.length + 8);
      new DataView(bytes.buffer).setBigUint64(0, BigInt(words.length), true);
      bytes.set(words, 8);
      return () => readWeights(bytes);
    };
    for (const header of ['{"a":', '[1]', '7', 'null']) expect(text(header)).toThrow('is not a JSON object');
    for (const entry of [7, null, {}, { dtype: 'F32', shape: [2], data_offsets: [0] },
      { dtype: 'F32', shape: 2, data_offsets: [0, 8] }, { dtype: 'F32', shape: [2], data_offsets: [-8, 0] }])
      expect(text({ a: entry })).toThrow('no dtype, shape and data_offsets for "a"');
    expect(text({ a: { dtype: 'F32', shape: [3], data_offsets: [0, 8] } })).toThrow('[3] needs 12 bytes');
    expect(text({ a: { dtype: 'F32', shape: [2], data_offsets: [0, 8] } })().tensors.size).toBe(1);
  });

  it('of another model give what fits by name and shape', () => {
    const from = readWeights(file);
    const own = readWeights(file);
    const [, other] = [...own.tensors.keys()];
    own.tensors.set('score.new', { dtype: 'F32', shape: [1], bytes: new Uint8Array(4) });
    own.tensors.set(other!, { dtype: 'F32', shape: [1, 1], bytes: new Uint8Array(4) });
    const { kept, drawn, file: made } = fitted(own, from);
    expect(drawn.toSorted()).toEqual([other, 'score.new'].toSorted());
    expect(kept).toHaveLength(from.tensors.size - 1);
    expect(readWeights(made).tensors.get(other!)!.shape).toEqual([1, 1]);
    // Drawn it stays, also when it is taken from the file that was made.
    expect(fitted(own, readWeights(made)).drawn.toSorted()).toEqual([other, 'score.new'].toSorted());
    for (const untrained of ['no list', '{}', '7', '[null]'])
      expect(fitted(own, { ...from, metadata: { untrained } }).kept, untrained).toEqual(kept);
    const patched = fitted(own, from, { 'score.new': [0.5] });
    expect(new Float32Array(readWeights(patched.file).tensors.get('score.new')!.bytes.slice().buffer))
      .toEqual(Float32Array.of(0.5));
  });
});

describe('what changed between two trainings', () => {
  it('is said in the catalogue’s words, and only once', () => {
    const other = changed(translate, (draft) => {
      ((draft as unknown as { model: { attention: object }[] }).model[3]!.attention as Record<string,
        unknown>)['score'] = { type: 'general' };
      draft['seed'] = 2;
      draft.training['word-dropout'] = 0;
    });
    expect(changes(book, translate, other).map(({ name, value }) => [name, value]))
      .toEqual([['Seed', '2'], ['Score', 'General (bilinear)'], ['Word dropout', '0']]);
    expect(inLine(book, translate, translate)).toBe('nothing changed');
    expect(changes(book, translate, changed(translate, (draft) => (draft.title = 'another')))).toEqual([]);
  });
});

describe('what can vary and what can be taken away', () => {
  it('comes from the catalogue: what stands now is among the options', () => {
    const axes = axesOf(book, translate);
    const kinds = axes.map(({ kind }) => kind);
    for (const kind of ['score', 'alignment', 'cell', '']) expect(kinds).toContain(kind);
    for (const { now, options } of axes) expect(options.map(({ id }) => id)).toContain(now);
    const score = axes.find(({ kind }) => kind === 'score')!;
    expect(score.options.length).toBeGreaterThan(10);
    const draft = structuredClone(translate);
    score.options.find(({ id }) => id === 'general')!.apply(draft);
    expect((draft as unknown as { model: Doc[] }).model[3])
      .toMatchObject({ attention: { score: { type: 'general' } } });
    // What is chosen already keeps its knobs.
    const same = structuredClone(translate);
    score.options.find(({ id }) => id === score.now)!.apply(same);
    expect(same).toEqual(translate);
  });

  it('has as many heads as one likes, none where there are none, and another position or none', () => {
    const looks = (draft: TrainingDocument, at: number) =>
      (draft as unknown as { model: Record<string, unknown>[] }).model[at]!;
    const none = axesOf(book, translate).find(({ kind }) => kind === 'heads')!;
    expect([none.now, none.options[0]!.id]).toEqual(['', '']);
    const four = changed(translate, none.options.find(({ id }) => id === 'multi-head 4')!.apply);
    expect(looks(four, 3)['attention']).toMatchObject({ score: { type: 'additive' },
      heads: { type: 'multi-head', count: 4 } });
    expect(changed(translate, none.options[0]!.apply)).toEqual(translate);
    const two = axesOf(book, reverse).find(({ kind }) => kind === 'heads')!;
    expect(two.now).toBe('multi-head 2');
    expect(two.options.map(({ id }) => id)).toEqual(expect.arrayContaining(['multi-head 1', 'multi-head 4']));
    const one = changed(reverse, two.options.find(({ id }) => id === 'multi-head 1')!.apply);
    expect(looks(one, 1)['heads']).toEqual({ type: 'multi-head', count: 1, bias: true });
    expect(changed(reverse, two.options.find(({ id }) => id === two.now)!.apply)).toEqual(reverse);
    const place = axesOf(book, reverse).find(({ kind }) => kind === 'position')!;
    expect(place.now).toBe('pos-sinusoidal');
    expect(looks(changed(reverse, place.options.find(({ id }) => id === '')!.apply), 1)['position']).toEqual([]);
    expect(looks(changed(reverse, place.options.find(({ id }) => id === 'pos-learned')!.apply), 1)['position'])
      .toEqual([{ type: 'pos-learned' }]);
  });

  it('has efficient forms in place of the score, and one mask more than there are', () => {
    const attention = (draft: TrainingDocument) => (draft as unknown as { model: Record<string, unknown>[] }).model[1]!;
    const core = axesOf(book, reverse).find(({ kind }) => kind === 'core')!;
    expect([core.now, core.options[0]!.id]).toEqual(['', '']);
    expect(core.options[0]!.label).toBe('Softmax attention');
    const uniform = structuredClone(reverse) as typeof reverse & { model: Record<string, unknown>[] };
    uniform.model[1]!['alignment'] = 'uniform';
    expect(axesOf(book, uniform).find(({ kind }) => kind === 'core')!.options[0]!.label)
      .toBe('The model’s score and alignment');
    const positions = axesOf(book, reverse).find(({ kind }) => kind === 'position')!.options.map(({ label }) => label);
    expect(positions[0]).toBe('Without this encoding');
    expect(core.options.map(({ id }) => id)).toEqual(expect.arrayContaining(['linear', 'performer', 'linformer']));
    const linear = attention(changed(reverse, core.options.find(({ id }) => id === 'linear')!.apply));
    expect([linear['core'], linear['score'], linear['alignment']]).toEqual([{ type: 'linear' }, undefined, undefined]);
    expect(changed(reverse, core.options[0]!.apply)).toEqual(reverse);
    const mask = axesOf(book, reverse).find(({ kind }) => kind === 'mask')!;
    expect([mask.now, mask.name]).toEqual(['', expect.stringMatching(/^One more mask/)]);
    const before = (attention(reverse)['mask'] ?? []) as unknown[];
    const more = attention(changed(reverse, mask.options.find(({ id }) => id === 'mask-sliding')!.apply))['mask'];
    expect(more).toHaveLength(before.length + 1);
    expect(JSON.stringify(more)).toContain('mask-sliding');
    expect(changed(reverse, mask.options[0]!.apply)).toEqual(reverse);
  });

  it('alignments that learn nothing stand in for the own one; each head has a gate', () => {
    const trials = trialsOf(book, translate);
    expect(trials[0]).toMatchObject({ id: '', document: translate });
    expect(trials.map(({ name }) => name)).toContain('Uniform');
    const heads = trialsOf(book, reverse).filter(({ patch }) => patch);
    expect(heads.map(({ patch }) => patch)).toEqual([{ 'first.heads.xi': [0, 1] }, { 'first.heads.xi': [1, 0] }]);
  });
});

it('a history goes back to a step, keeps the first checkpoint and the newest, and is a table', () => {
  const bits = -(0.75 * Math.log2(0.75) + 0.25 * Math.log2(0.25));
  const history = new History();
  const measured = (step: number) => [{ step, heldOut: 500, heldOutLoss: 1, accuracy: 0.5, exact: 0.25 }];
  const checkpoint = (step: number) => [{ step, bytes: Uint8Array.of(step) }];
  history.add({ measured: measured(0), checkpoints: checkpoint(0) });
  for (let step = 1; step <= 30; step++)
    history.add({ steps: [{ step, loss: 1 / step, gradientNorm: 2, rate: 0.1 }],
    ...(step === 4 ? { measured: measured(4) } : {}), checkpoints: checkpoint(step) });
  // Two heads of one text, whose first row does not count on the first key: 0.5 and 0. Their mean
  // entropies are 0.5 bits and half of `bits`.
  const weights = Float32Array.of(1, 0, 0.5, 0.5, 0.75, 0.25, 0, 1);
  history.add({ scene: { source: ['a', 'b'], truth: ['a', 'b'], links: [],
    maps: [{ name: 'weights', shape: [2, 2, 2] }] }, shots: [{ step: 2, written: [], chance: [], weights }] } as never);
  expect([history.checkpoints.length, history.checkpoints[0]!.step, history.checkpoints.at(-1)!.step])
    .toEqual([20, 0, 30]);
  history.cut(4);
  expect(curvesAsCsv(history).split('\r\n'))
    .toEqual(['step,loss,gradient norm,rate,held-out loss,accuracy,exact,alignment,agrees,first key,entropy',
    '0,,,,1,0.5,0.25,,,,', '1,1,2,0.1,,,,,,,', `2,0.5,2,0.1,,,,,,0.25,${(0.5 + bits / 2) / 2}`,
    `3,${1 / 3},2,0.1,,,,,,,`, '4,0.25,2,0.1,1,0.5,0.25,,,,', '']);
});

describe('the columns of a map', () => {
  it('of an image are counted from 0, whatever the engine calls them', () => {
    const source = ['1,1', '1,2', '1,3', '2,1', '2,2', '2,3'];
    expect(columnNames({ source, image: [4, 6, 3] }, 6)).toEqual(['0,0', '0,1', '0,2', '1,0', '1,1', '1,2']);
    expect(columnNames({ source: ['a', 'b', 'c'] }, 2)).toEqual(['a', 'b']);
  });
});

it('of a choice, the options that are ticked at first are at its top', () => {
  const options = ['a', 'b', 'c', 'd'].map((id) => ({ id, label: id })) as unknown as Parameters<typeof firstOf>[0];
  expect(firstOf(options, ['d', 'b']).map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c']);
});
