// SPDX-License-Identifier: Apache-2.0
// In the page: four layers of GPT-2 small's shape with random weights, by the page's module for models and by
// onnxruntime-web. Each engine answers two questions: the logits behind a text, and behind one further word.
import { files, rows, shape, weights } from '../models/gpt.mjs';

const model = shape();
const engines = {};
let tensors;
let turn = 0;

const text = (by) => Array.from({ length: rows }, (_, i) => (79 * i + 7 * by) % model.vocabulary);

async function own({ build, small, rounded = false }) {
  const { default: create } = await import('/build/wasm/bin/import.mjs');
  const name = build === 'relaxed' ? 'import-relaxed.wasm' : 'import.wasm';
  const module = await create({ locateFile: () => `/build/wasm/bin/${name}` });
  const given = files(model, tensors);
  const said = JSON.parse(module.open(given.map(([file, { length }]) => ({ name: file, size: length })),
    (file, first, count) => given[file][1].subarray(first, first + count), '{}'));
  if (said.error) throw new Error(said.error.message);
  const parts = [];
  const take = (bytes) => parts.push(bytes.slice());
  const { document: stored, steps } = JSON.parse(module.store('own', take, small));
  steps.forEach((_, k) => module.convert(k, take));
  if (rounded) stored.parameters.activations = 'int8';
  const document = JSON.stringify(stored);
  const file = new Uint8Array(await new Blob(parts).arrayBuffer());
  module.hold('own', file.length, file);
  module.weights('own', file.length, 0, file);
  const next = (ids) => {
    const answer = JSON.parse(module.next('own', document, JSON.stringify({ ids, top_k: 5 })));
    if (answer.error) throw new Error(answer.error.message);
    return answer.next.map(({ id, probability }) => [id, probability]);
  };
  let list;
  return {
    whole() { list = text(++turn); },
    run: () => next(list),
    // A word that the text was not asked with before.
    further() { list = [...list, 5]; },
  };
}

async function peer({ bytes }) {
  const folder = '/bench/node_modules/onnxruntime-web/dist/';
  const ort = await import(`${folder}ort.wasm.min.mjs`);
  ort.env.wasm.wasmPaths = new URL(folder, location.href).href;
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const open = async (part) => {
    const answer = await fetch(`/build/bench/models/gpt-${part}-${bytes ? 'int8' : 'float32'}.onnx`);
    const file = await answer.arrayBuffer();
    return ort.InferenceSession.create(new Uint8Array(file),
      { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
  };
  const numbers = (ids) => new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]);
  const first = await open('whole');
  const step = await open('step');
  const likeliest = ({ logits: { data } }) => {
    const ids = [...data.keys()].toSorted((a, b) => data[b] - data[a]).slice(0, 5);
    const all = ids.map((id) => Math.exp(data[id] - data[ids[0]]));
    return ids.map((id, k) => [id, all[k] / all.reduce((a, b) => a + b)]);
  };
  let session, feeds, last;
  return {
    whole() { [session, feeds] = [first, { ids: numbers(text(++turn)) }]; },
    async run() {
      last = await session.run(feeds);
      return last;
    },
    further() {
      const past = step.inputNames.filter((name) => name !== 'ids')
        .map((name) => [name, last[name.replace('_past', '')]]);
      [session, feeds] = [step, { ids: numbers([5]), ...Object.fromEntries(past) }];
    },
    likeliest,
  };
}

/** Makes an engine ready, under this name. */
export async function start(name, { kind, ...options }) {
  tensors ??= weights(model);
  engines[name] = await (kind === 'own' ? own : peer)(options);
}

/** Milliseconds of the text and of one further word, and the five likeliest words behind the first of all texts. */
export async function time(name, words) {
  const engine = engines[name];
  engine.whole();
  let start = performance.now();
  let answer = await engine.run();
  const whole = performance.now() - start;
  const likeliest = engine.likeliest ? engine.likeliest(answer) : answer;
  let word = Infinity;
  for (let k = 0; k < words; k++) {
    if (k === 0 || !engine.likeliest) engine.further();
    start = performance.now();
    answer = await engine.run();
    word = Math.min(word, performance.now() - start);
  }
  return { whole, word, likeliest };
}

/** The same text for whoever is asked next. */
export function rewind() { turn = 0; }

/** How many numbers one row is multiplied with, without attention and words. */
export const numbersOfRow = () =>
  Object.entries(tensors).reduce((sum, [name, { data }]) => sum + (/^w[tp]e/.test(name) ? 0 : data.length), 0);
