// SPDX-License-Identifier: Apache-2.0
// Models that somebody drops: which files are theirs, what is told of them, and the line to the worker that reads them.
import '../src/strings/en-later.ts';
import { signal } from '@preact/signals-core';
import { expect, it, vi } from 'vitest';
import { GRACE } from '../src/engine/grace.ts';
import type { Ended } from '../src/engine/line.ts';
import { holdWeights } from '../src/engine/kept.ts';
import { bytesOfFile } from '../src/files/data.ts';
import { areModel, blamed, isOurs, joined, kindOf, modelName, weightsName } from '../src/models/kinds.ts';
import { metadataOf, type Model } from '../src/models/model-metadata.ts';
import { within } from '../src/models/likely-words.ts';
import { ModelLine } from '../src/models/line.ts';
import { grouped, keptUnder, lastCross, likely, pairIn, together } from '../src/models/reading.ts';
import type { News, Order, TensorLine } from '../src/models/types.ts';
import { between, idsIn, putPieces } from '../src/models/put-tokens.ts';
import { activationsRounded, bound, differenceOf, roundActivations } from '../src/models/rounded.ts';
import { Writing } from '../src/models/writing.ts';
import { writeWeights } from '../src/files/weights.ts';
import type { Doc } from '../src/engine/types.ts';

const named = (name: string, bytes: Uint8Array | string = '') => new File([bytes as Uint8Array<ArrayBuffer>], name);
const weightsFile = (metadata: Record<string, string>) => writeWeights({ metadata,
  tensors: new Map([['w', { dtype: 'F32', shape: [1], bytes: new Uint8Array(4) }]]) });

it('tells the files of a model from all others', async () => {
  for (const name of ['m.gguf', 'stories260K.bin', 'pytorch_model.bin', 'w.npz', 'config.json', 'tokenizer.json',
    'model.safetensors.index.json'])
    expect(await areModel([named(name, 'x')]), name).toBe(true);
  for (const name of ['x.csv', 'x.npy', 'notes.json', 'cat.png', 'x.txt'])
    expect(await areModel([named(name, 'x')]), name).toBe(false);
  const other = named('model.safetensors', weightsFile({ format: 'pt' }));
  const ours = named('trained.safetensors', weightsFile({ document: '{}' }));
  expect([await isOurs(other), await isOurs(ours)]).toEqual([false, true]);
  expect([await areModel([other]), await areModel([ours])]).toEqual([true, false]);
  // What is damaged is not ours; the readers say what is wrong with it.
  expect(await areModel([named('cut.safetensors', weightsFile({}).subarray(0, 5))])).toBe(true);
});

it('adds a tokenizer to the weights that are there, while other weights are another model', () => {
  const names = (before: string[], chosen: string[], yet = false) =>
    joined(before.map((name) => ({ name })), chosen.map((name) => ({ name })), yet).map(({ name }) => name);
  expect(names(['stories.bin'], ['tok512.bin'])).toEqual(['stories.bin', 'tok512.bin']);
  expect(names(['stories.bin', 'tok512.bin'], ['tok512.bin'])).toEqual(['stories.bin', 'tok512.bin']);
  expect(names(['stories.bin', 'tok512.bin'], ['model.safetensors'])).toEqual(['model.safetensors']);
  // What cannot be opened yet is completed by weights, too.
  expect(names(['tok512.bin'], ['stories.bin'], true)).toEqual(['tok512.bin', 'stories.bin']);
});

it('takes off what a tokenizer puts around every text, and nothing else', () => {
  const text = (...ids: number[]) => ({ ids, labels: ids.map(String) });
  expect(between(text(6, 8, 10, 0), [0])).toEqual(text(6, 8, 10));
  expect(between(text(1, 6, 0, 2), [1, 2])).toEqual(text(6, 0));
  expect(between(text(6, 8), [])).toEqual(text(6, 8));
  // A text of nothing, and one that holds such a token itself.
  expect(between(text(1, 2), [1, 2])).toEqual(text());
  expect(between(text(0, 0), [0])).toEqual(text(0));
});

it('knows the attention of the last decoder layer to the encoder', () => {
  const of = (...types: string[]) => lastCross({ model: types.map((type, k) => ({ type, name: `m-${k}` })) } as never);
  expect(of('transformer-block', 'cross-block', 'cross-block', 'om-softmax')).toBe('m-2.cross');
  expect(of('transformer-block', 'om-softmax')).toBeUndefined();
  expect(lastCross({} as never)).toBeUndefined();
});

it('names kinds, models and weights by the files', () => {
  expect(['config.json', 'tok512.bin', 'a.index.json', 'm-00001-of-00002.safetensors', 'read.me'].map(kindOf))
    .toEqual(['config', 'tokenizer', 'index', 'weights', 'other']);
  expect(['vocab.txt', 'merges.txt', 'tokenizer_config.json', 'added_tokens.json', '1_Pooling/config.json', 'a.txt']
    .map(kindOf)).toEqual([...Array<string>(4).fill('tokenizer'), 'config', 'other']);
  for (const kept of ['training_args.bin', 'optimizer.pt', 'optimizer_0.bin', 'rng_state_1.pth', 'scheduler.pt',
    'scaler.pt', 'random_states_0.pkl'])
    expect(kindOf(kept), kept).toBe('other');
  expect(modelName([named('tok512.bin'), named('stories260K.bin')])).toBe('stories260K');
  for (const plain of ['model.safetensors', 'pytorch_model.bin', 'model-00001-of-00003.safetensors'])
    expect(modelName([named(plain)]), plain).toBeUndefined();
  expect(weightsName([named('my model (1).gguf')])).toBe('own-my-model-1-.safetensors');
  expect(weightsName([named('config.json')])).toBe('own-model.safetensors');
});

it('takes the file out of an error', () => {
  expect(blamed('"a b.bin": the file is cut short')).toEqual({ file: 'a b.bin', what: 'the file is cut short' });
  expect(blamed('"config.json" contradicts the tensors')).toEqual({ file: 'config.json',
    what: 'contradicts the tensors' });
  expect(blamed('no known family')).toEqual({ what: 'no known family' });
});

const tensor = (name: string, as: string[], shape = [2, 2], state: TensorLine['state'] = 'used'): TensorLine =>
  ({ name, shape, type: 'F32', file: 'm', state, as });

it('lists tensors of all layers as one row, but no others together', () => {
  const groups = grouped([tensor('h.0.w1', ['l-0.a.W_Q', 'l-0.a.W_K']), tensor('h.1.w1', ['l-1.a.W_Q', 'l-1.a.W_K']),
    tensor('h.0.w2', ['l-0.b']), tensor('h.1.w2', ['l-1.b'], [4]), tensor('h.0.mask', [], [2, 2], 'ignored'),
    tensor('extra.0', [], [1], 'left')]);
  expect(groups.map(({ name, count, shape, state, as }) => [name, count, shape, state, as])).toEqual([
    ['h.#.w1', 2, [2, 2], 'used', ['l-#.a.W_Q', 'l-#.a.W_K']], ['h.#.w2', 2, undefined, 'used', ['l-#.b']],
    ['h.0.mask', 1, [2, 2], 'ignored', []], ['extra.0', 1, [1], 'left', []]]);
  expect(together(['l-#.a.W_Q', 'l-#.a.W_K', 'other'])).toEqual(['l-#.a.W_Q', 'W_K', 'other']);
});

it('guesses heads 64 wide, and about four in a narrow model', () => {
  const question = (choices: number[]) => ({ key: 'n_head', says: 'heads', choices, message: '' });
  expect(likely(question([1, 2, 3, 4, 6, 8, 12, 16, 24]), 768)).toBe(12);
  expect(likely(question([1, 2, 4]), 128)).toBe(2);
  expect(likely(question([1, 2, 4, 8]), 16)).toBe(4);
  expect(likely(question([1, 3, 9]), 27)).toBe(3);
  expect(likely(question([]), 16)).toBeUndefined();
});

it('keeps what is typed for the sampling within what there is', () => {
  expect([within('temperature', '0,8'), within('temperature', '-1'), within('top_k', '3.6'), within('top_p', '7'),
    within('seed', 'x')]).toEqual([0.8, 0, 4, 1, undefined]);
});

it('puts pieces into the input that is read, and zeros beside it', () => {
  const draft = { schema: '', mechanism: {}, inputs: { text: {}, types: {} } } as unknown as Doc;
  const model = { name: 'm', file: new Uint8Array(), tokenizer: true, hasInt8: false, counts: new Map(),
    writes: { kind: 'masked' as const, input: 'text', predicts: 'p', zeros: ['types'] } };
  putPieces(draft, model, { ids: [5, 6], labels: ['a', 'b'] });
  expect(draft.inputs).toEqual({ text: { shape: [2, 1], data: [5, 6], labels: ['a', 'b'] },
    types: { shape: [2, 1], data: [0, 0] } });
  expect(idsIn(draft.inputs['text'])).toEqual([5, 6]);
});

it('rounds activations as the document says, and tells how far the words are then from those before', () => {
  const document = { schema: '', mechanism: {}, inputs: {}, parameters: { from: 'm' } } as unknown as Doc;
  roundActivations(document, true);
  expect([document.parameters, activationsRounded(document)]).toEqual([{ from: 'm', activations: 'int8' }, true]);
  roundActivations(document, false);
  expect([document.parameters, activationsRounded(document)]).toEqual([{ from: 'm' }, false]);

  const said = (next: [number, number][]) => ({ next: next.map(([id, probability]) => ({ token: '', id, probability })),
    ended: false, full: false, rows: 1, milliseconds: 1 });
  const near = differenceOf(said([[1, 0.5], [2, 0.25]]), said([[1, 0.375], [2, 0.25]]));
  expect(near).toEqual({ most: 0.125, same: true });
  // A word that is not listed there is at most as likely as the last one that is.
  expect(differenceOf(said([[1, 0.5], [2, 0.25]]), said([[3, 0.75], [1, 0.125]]))).toEqual({ most: 0.75, same: false });
  expect([0, 0.0341, 0.25, 0.00012, 0.0012, 0.0034, 0.0054].map(bound))
    .toEqual([0, 0.035, 0.25, 0.00012, 0.0012, 0.0034, 0.0054]);
  for (let k = 1; k < 2000; k++) expect(bound(k / 7919)).toBeGreaterThanOrEqual(k / 7919);
  const masked = (probability: number) => ({ masked: [{ row: 0, words: [{ token: '', id: 1, probability }] }],
    milliseconds: 1 });
  expect(differenceOf(masked(0.5), masked(0.25))).toEqual({ most: 0.25, same: true });
});

it('opens a document together with the weights that it names', async () => {
  const document = { schema: 'attention-playground/1', inputs: {}, mechanism: { type: 'attention' },
    parameters: { from: 'w.safetensors' } };
  const bytes = weightsFile({});
  const pair = await pairIn([named('w.safetensors', bytes), named('d.json', JSON.stringify(document))]);
  expect(pair?.document['parameters']).toEqual({ from: 'w.safetensors' });
  expect(pair && await bytesOfFile(pair.file)).toEqual(bytes);
  expect(await pairIn([named('other.safetensors', bytes), named('d.json', JSON.stringify(document))])).toBeUndefined();
  expect(await metadataOf(weightsFile({ writes: 'x' }))).toEqual({ writes: 'x' });
});

it('never gives other weights the name of those that are there', async () => {
  holdWeights('own-m.safetensors', Uint8Array.of(1, 2));
  holdWeights('own-m-2.safetensors', Uint8Array.of(1, 3));
  const { kept, free } = await keptUnder('own-m.safetensors');
  expect([kept.map(({ name }) => name), free])
    .toEqual([['own-m.safetensors', 'own-m-2.safetensors'], 'own-m-3.safetensors']);
});

// The test opens its own lines.
vi.mock('../src/models/open.ts', () => ({ openModels: () => undefined }));

// A worker of which the test says what it answers.
function played() {
  const sent: Order[] = [];
  let hear: (news: News) => void = () => undefined;
  let end: (how: Ended) => void = () => undefined;
  let closed = 0;
  const line = new ModelLine((heard, ended) => {
    [hear, end] = [heard, ended];
    return { send: (order) => void sent.push(order), close: () => void closed++ };
  });
  return { line, sent, hear: (news: News) => hear(news), end: (how: Ended) => end(how), closed: () => closed };
}

it('answers each question, tells how far it is, and gives up at once', async () => {
  const { line, sent, hear, closed } = played();
  const told: number[] = [];
  const stored = line.ask({ kind: 'store', from: 'x', small: false, port: undefined, kept: [] },
    (done, all) => void told.push(done, all));
  const other = line.ask({ kind: 'encode', name: 'x', text: 'a' });
  const [first, second] = sent.map(({ id }) => id);
  hear({ id: first!, done: 1, all: 2 });
  hear({ id: second!, text: '{}' });
  expect(await other).toEqual({ text: '{}' });
  expect(told).toEqual([1, 2]);
  line.close();
  expect(await stored).toBeUndefined();
  expect(closed()).toBe(1);
  void line.ask({ kind: 'encode', name: 'x', text: 'b' });
  expect(line.warm()).toBe(2);
});

it('ends the worker that writes words once no document names its model, and gives a new one the model again',
  async () => {
    vi.useFakeTimers();
    const { line, sent, hear, closed } = played();
    const writing = new Writing(line);
    const document = signal({ parameters: { from: 'own-a' } } as unknown as Doc);
    writing.follow({ get document() { return document.value; } });
    const model = { name: 'own-a', file: new Uint8Array(1) } as Model;
    const ask = async (): Promise<unknown> => {
      const answer = writing.encode(model, 'a');
      for (let k = 0; k < 2; k++) {
        hear({ id: sent.at(-1)!.id, text: '{}' });
        await vi.advanceTimersByTimeAsync(0);
      }
      return answer;
    };
    await ask();
    await ask();
    expect(sent.map(({ kind }) => kind)).toEqual(['hold', 'encode', 'encode']);
    document.value = { parameters: { from: 'own-b' } } as unknown as Doc;
    await vi.advanceTimersByTimeAsync(GRACE - 1);
    document.value = { parameters: { from: 'own-a' } } as unknown as Doc;
    await vi.advanceTimersByTimeAsync(2 * GRACE);
    expect(closed()).toBe(0);
    document.value = { inputs: {} } as Doc;
    await vi.advanceTimersByTimeAsync(GRACE);
    expect(closed()).toBe(1);
    await ask();
    expect(sent.map(({ kind }) => kind).slice(3)).toEqual(['hold', 'encode']);
    vi.useRealTimers();
  });

it('ends the worker of a removed page, whose last document names its model, unless another page names it', async () => {
  vi.useFakeTimers();
  const { line, sent, hear, closed } = played();
  const writing = new Writing(line);
  const document = { parameters: { from: 'own-a' } } as unknown as Doc;
  const other = signal(document);
  const page = { document };
  const undo = writing.follow(page);
  expect(writing.follow(page), 'each of its parts follows the same document').toBe(undo);
  const undoOther = writing.follow({ get document() { return other.value; } });
  const answer = writing.encode({ name: 'own-a', file: new Uint8Array(1) } as Model, 'a');
  for (let k = 0; k < 2; k++) {
    hear({ id: sent.at(-1)!.id, text: '{}' });
    await vi.advanceTimersByTimeAsync(0);
  }
  await answer;
  undo();
  await vi.advanceTimersByTimeAsync(2 * GRACE);
  expect(closed(), 'the other page names it').toBe(0);
  undoOther();
  await vi.advanceTimersByTimeAsync(GRACE - 1);
  writing.follow(page);
  await vi.advanceTimersByTimeAsync(2 * GRACE);
  expect(closed(), 'a page that is only moved').toBe(0);
  writing.follow(page)();
  await vi.advanceTimersByTimeAsync(GRACE);
  expect(closed()).toBe(1);
  other.value = { inputs: {} } as Doc;
  await vi.advanceTimersByTimeAsync(GRACE);
  expect(closed(), 'nothing watches a removed page').toBe(1);
  vi.useRealTimers();
});

it('says how the worker ended to everybody who waits', async () => {
  const { line, end } = played();
  const answer = line.ask({ kind: 'encode', name: 'x', text: 'a' });
  end({ why: 'crashed', message: 'out of memory' });
  expect(JSON.parse((await answer)!.text)).toEqual({ error: { path: '', message: 'out of memory', crashed: true } });
});
