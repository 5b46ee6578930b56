// SPDX-License-Identifier: Apache-2.0
// In the page: four layers of GPT-2 small's shape with random weights, by the page's module for models, by
// onnxruntime-web and by wllama. Each engine answers two questions: the logits behind a text, and behind one further
// word.
import { joined } from '../../tests/models.mjs';
import { files, rows, shape, weights } from '../models/gpt.mjs';
import { gguf, named } from '../models/gpt_gguf.mjs';

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
  // Not by a Blob: Chromium keeps less than 500 MB of Blobs for a page, and wllama reads its model from one.
  const file = joined(...parts);
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

async function llama({ bytes }) {
  const folder = '/bench/node_modules/@wllama/wllama/esm/';
  const { Wllama } = await import(`${folder}index.js`);
  const wllama = new Wllama({ default: `${folder}wasm/wllama.wasm` }, { suppressNativeLog: true });
  // Without this, a browser that lacks a feature would fetch another build from another host.
  wllama.setCompat(null);
  // One thread of the processor. Keys and values keep wllama's default, half precision: with float32 a further row
  // takes about a tenth longer, and six digits of the probabilities are the same.
  await wllama.loadModel([new Blob(gguf(model, tensors, { bytes }))], { n_threads: 1, n_gpu_layers: 0,
    n_ctx: model.length, n_parallel: 1 });
  let list, fresh;
  return {
    whole() { [list, fresh] = [text(++turn), rows]; },
    async run() {
      const answer = await wllama.createCompletion({ prompt: named(list), max_tokens: 1, temperature: 0, n_probs: 5,
        cache_prompt: true });
      const { prompt_n: evaluated, cache_n: kept } = answer.timings;
      if (evaluated !== fresh || kept !== list.length - fresh)
        throw new Error(`wllama evaluated ${evaluated} tokens behind ${kept}, not ${fresh} of ${list.length}`);
      return answer;
    },
    further() { [list, fresh] = [[...list, 5], 1]; },
    likeliest({ choices: [{ logprobs: { content: [{ top_logprobs: top }] } }] }) {
      const all = top.map(({ logprob }) => Math.exp(logprob));
      return top.map(({ id }, k) => [id, all[k] / all.reduce((a, b) => a + b)]);
    },
    // llama.cpp's own clock counts the evaluation alone, without messages between the page and its worker.
    spent: ({ timings }) => timings.prompt_ms,
  };
}

const kinds = { own, peer, llama };

/** Makes an engine ready, under this name. */
export async function start(name, { kind, ...options }) {
  tensors ??= weights(model);
  engines[name] = await kinds[kind](options);
}

/** Milliseconds of the text and of one further word, and the five likeliest words behind the first of all texts. */
export async function time(name, words) {
  const engine = engines[name];
  let answer;
  const run = async () => {
    const start = performance.now();
    answer = await engine.run();
    const taken = performance.now() - start;
    return engine.spent?.(answer) ?? taken;
  };
  engine.whole();
  const whole = await run();
  const likeliest = engine.likeliest ? engine.likeliest(answer) : answer;
  let word = Infinity;
  for (let k = 0; k < words; k++) {
    if (k === 0 || !engine.likeliest) engine.further();
    word = Math.min(word, await run());
  }
  return { whole, word, likeliest };
}

/** The same text for whoever is asked next. */
export function rewind() { turn = 0; }

/** How many numbers one row is multiplied with, without attention and words. */
export const numbersOfRow = () =>
  Object.entries(tensors).reduce((sum, [name, { data }]) => sum + (/^w[tp]e/.test(name) ? 0 : data.length), 0);
