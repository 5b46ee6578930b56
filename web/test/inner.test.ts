// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Trainings of decoders that are made of blocks: the page's engine gives the maps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Directory, Engine } from '../src/engine/types.ts';
import { finished } from '../src/train/hand.ts';
import { innerMaps } from '../src/train/inner-maps.ts';
import { columnsOf, linksOn, rowNames, rowOf } from '../src/train/map-words.ts';
import type { Begun, EngineAt, News, Picture, Progress, Trainer, TrainingDocument } from '../src/train/messages.ts';
import { Trainee } from '../src/train/trainee.ts';

const bin = join(import.meta.dirname, '../../build/wasm/bin');
const block = { type: 'transformer-block', attention: { mask: ['mask-causal'],
  heads: { type: 'multi-head', count: 2 } } };
const source = ['b', '4', 'e', '7', 'a', '1', 'e'];
const decoder = {
  schema: 'attention-playground/1', seed: 1, title: 'Decoder', inputs: { source: { tokens: source },
    target: { tokens: ['7'] } },
  model: [{ name: 'word', type: 'fm-embedding', dim: 16, inputs: { x: 'source' } },
    { ...block, name: 'block-1', inputs: { x: 'word' } }, { ...block, name: 'block-2', inputs: { x: 'block-1' } },
    { name: 'last', type: 'fm-pool', by: 'last', inputs: { x: 'block-2' } },
    { name: 'answer', type: 'om-softmax', inputs: { x: 'last' } },
    { name: 'loss', type: 'cross-entropy', inputs: { logits: 'answer.logits', target: 'target' } }],
  training: { task: 'task-recall', steps: 40, batch: 8 },
} as unknown as TrainingDocument;

async function load<T>(name: string): Promise<T> {
  const { default: create } = await import(/* @vite-ignore */ join(bin, `${name}.mjs`)) as
    { default: (given: object) => Promise<T> };
  return create({ wasmBinary: readFileSync(join(bin, `${name}.wasm`)) });
}
let [training, engine] = [undefined as unknown as Trainer, undefined as unknown as Engine];
beforeAll(async () => {
  [training, engine] = await Promise.all([load<Trainer>('training'), load<Engine>('attention')]);
});

async function trained(until: number, at?: EngineAt): Promise<{ pictures: Picture[]; begun: Begun }> {
  const heard: News[] = [];
  const trainee = new Trainee(() => Promise.resolve(training), (news) => void heard.push(news),
    (_, document, weights) => Promise.resolve(innerMaps(engine, document, weights)));
  await trainee.obey({ kind: 'begin', document: JSON.stringify(decoder), wasmUrl: '', ...(at ? { engine: at } : {}) });
  await trainee.obey({ kind: 'play', pace: 0, until });
  const told = heard.filter((news): news is Progress => news.kind === 'progress');
  const scene = told.find((news) => news.scene)!.scene!;
  const begun = heard.find((news) => news.kind === 'begun') as Extract<News, { kind: 'begun' }>;
  return { pictures: told.flatMap(({ shots }) => shots).map((shot) => ({ ...scene, ...shot })), begun: begun.begun };
}

it('each moment has the maps of the weights that it had', async () => {
  const { pictures, begun } = await trained(3, { wasmUrl: '' });
  expect(pictures.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
  const [first, last] = [pictures[0]!, pictures.at(-1)!];
  expect(last.maps.map(({ name, shape }) => [name, shape]))
    .toEqual([['block-1.attention.weights', [2, 7, 7]], ['block-2.attention.weights', [2, 7, 7]]]);
  const document = finished(begun.document!, training.trainSave(begun.session, 'float').data);
  const { directory, data } = engine.run(JSON.stringify(document));
  const result = new Result(JSON.parse(directory) as Directory, data);
  const expected = last.maps.flatMap(({ name }) => [...result.find(name, 'outputs')!.data]);
  expect(last.weights.length).toBe(expected.length);
  last.weights.forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 6));
  expect(first.weights).not.toEqual(last.weights);
});

it('rows are words of the source, and the last one gives the answer', async () => {
  const { pictures: [picture] } = await trained(0, { wasmUrl: '' });
  expect([rowNames(picture!, 0), columnsOf(picture!, 0), rowOf(picture!, 0, 0)]).toEqual([source, source, 6]);
  expect(linksOn(picture!, 1)).toEqual([[6, 3, 'means'], [6, 2, 'agrees']]);
});

it('without the page’s engine there is no map', async () => {
  const { pictures } = await trained(1);
  expect(pictures.map(({ maps, weights }) => [maps.length, weights.length])).toEqual([[0, 0], [0, 0]]);
});
