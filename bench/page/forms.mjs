// SPDX-License-Identifier: Apache-2.0
// Runs in a page: the efficient forms by the fast kernels, arrays in and out, beside softmax attention over all pairs.
import { numbers } from '../lib/work.mjs';

const d = 64;
let fused;
let efficient;
let library;

export async function start(build) {
  library = await import('/build/web/engine/efficient.js');
  efficient = await library.loadEfficient({ build });
  const { loadFused } = await import('/build/web/engine/fused.js');
  fused = await loadFused({ build });
}

// About as many keys as a window of 128 to each side has: blocks of 64, the first, three around the own one, and drawn
// ones.
function bigBird(n) {
  const count = n / 64;
  let state = 1;
  const drawn = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % count;
  };
  const pattern = library.bigBird({ n, size: 64, window: 1, global: 0 });
  pattern.lists.forEach((list) => {
    const seen = new Set([...list, 0]);
    while (seen.size < Math.min(5, count)) seen.add(drawn());
    list.splice(0, list.length, ...seen);
  });
  return pattern;
}

const between = (seed, count) => numbers(seed, count, 0.5).map((x) => Math.min(Math.max(x + 0.5, 0), 1));

/** What each form adds to q, k and v of n tokens. */
export const forms = {
  softmax: () => ({}),
  linear: () => ({ form: { kind: 'features', map: 'elu+1' } }),
  'linear, causal': () => ({ form: { kind: 'features', map: 'elu+1', causal: true } }),
  'Performer, 256 features': () => ({ form: { kind: 'features', map: 'positive', drawn: numbers(9, 256 * d, 2) } }),
  'window of 128 each side': () => ({ window: 128 }),
  'BigBird, 5 blocks of 64': (n) => ({ form: bigBird(n) }),
  'strided, l = √n': (n) => ({ form: { kind: 'strided', l: Math.ceil(Math.sqrt(n)) } }),
  'fixed, l = √n': (n) => ({ form: { kind: 'fixed', l: Math.ceil(Math.sqrt(n)), c: 1 } }),
  'RFA, 128 features': () => ({ form: { kind: 'features', map: 'fourier', drawn: numbers(9, 64 * d, 1) } }),
  'RFA, gated': (n) => ({ form: { kind: 'features', map: 'fourier', drawn: numbers(9, 64 * d, 1), causal: true,
    gates: between(13, n) } }),
  'fast weights': () => ({ form: { kind: 'features', map: 'elu+1', causal: true, divide: false } }),
  'delta rule': (n) => ({ form: { kind: 'delta', map: 'elu+1', sumNorm: true, beta: between(14, n) } }),
  'adaptive span, z = 256, ramp 32': () =>
    ({ form: { kind: 'spans', z: Float32Array.of(256.5), ramp: 32, causal: true } }),
  'Linformer, rank 256': (n) => ({
    form: { kind: 'mixed', e: numbers(10, 256 * n, 0.1), g: numbers(11, 256 * n, 0.1) } }),
  'Nyström, 64 landmarks': (n) =>
    ({ form: { kind: 'landmarks', landmarks: Array.from({ length: 64 }, (_, l) => Math.floor((l * 2 * n) / 64)),
    ridge: 0.1 } }),
  '128 clusters': (n) => ({ form:
    { kind: 'clusters', clusters: 128, of: Array.from({ length: n }, (_, i) => (i * 37) % 128) } }),
  // A bucket has half a chunk on average.
  'LSH, 4 rounds, chunks of 64': (n) =>
    ({ form: { kind: 'hashed', planes: numbers(12, 4 * d * (n / 64), 2), rounds: 4, buckets: (2 * n) / 64,
    chunk: 64 } }),
};

function inputOf(name, n) {
  const rest = forms[name](n);
  const keys = rest.form?.kind === 'hashed' ? {} : { k: numbers(2, n * d, 1) };
  return { q: numbers(1, n * d, 1), ...keys, v: numbers(3, n * d, 1), d, ...rest };
}

const call = (input) => (input.form ? efficient.attention(input) : fused.attention(input));
const gradient = (input) => (input.form ? efficient.attentionGradient(input) : fused.attentionGradient(input));

/** The best of the calls within so many milliseconds, at least two. */
export function time(name, n, backward, milliseconds) {
  const input = { ...inputOf(name, n),
    ...(backward ? { upstream: numbers(4, n * d, 1) } : { out: new Float32Array(n * d) }) };
  const run = backward ? gradient : call;
  let best = Infinity;
  const end = performance.now() + milliseconds;
  for (let count = 0; count < 2 || performance.now() < end; count++) {
    const begin = performance.now();
    run(input);
    best = Math.min(best, performance.now() - begin);
  }
  fused.release();
  efficient.release();
  return best;
}

const initial = 8 * 2 ** 20; // of a module at its start

/**
 * The memory of the form's module after a call, of its gradients too, less its copies of inputs and outputs, in bytes.
 */
export async function room(name, n, build, backward = false) {
  let asked = 0;
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = (source, imports) => {
    const heard = Object.entries(imports)
      .map(([from, functions]) => [from,
      Object.fromEntries(Object.entries(functions).map(([key, one]) => [key, (...given) => {
      asked = Math.max(asked, given[0] >>> 0);
      return one(...given);
    }]))]);
    return instantiateStreaming.call(WebAssembly, source, Object.fromEntries(heard));
  };
  await start(build);
  const input = inputOf(name, n);
  if (backward) gradient({ ...input, upstream: numbers(4, n * d, 1) });
  else call(input);
  const tensors = [input.q, input.k, input.v, { byteLength: 4 * n * d }];
  const size = (arrays) => arrays.reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
  const { form = {} } = input;
  // Of each tensor its gradient, and for the output the slope that comes in.
  const given = size(tensors) * (backward ? 2
    : 1) + size([form.drawn, form.e, form.g, form.planes, form.gates, form.beta, form.z]);
  return Math.max(asked, initial) - given;
}
