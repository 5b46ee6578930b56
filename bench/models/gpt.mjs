// SPDX-License-Identifier: Apache-2.0
// Random weights of GPT-2's shape, and the files by which the page and `attend import` read them.

/** GPT-2 small, with a third of its layers and few words. */
export const shape = () => ({ width: 768, heads: 12, layers: 4, vocabulary: 1000, length: 1024 });
/** Of the text that is measured. */
export const rows = 64;

/** { name: { shape, data } }, by the names of the transformers library; matrices are [in out]. */
export function weights({ width, layers, vocabulary, length }) {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const tensors = {};
  const add = (name, dims, scale, about = 0) => {
    const data = new Float32Array(dims.reduce((a, b) => a * b, 1));
    for (let i = 0; i < data.length; i++) data[i] = about + scale * next();
    tensors[name] = { shape: dims, data };
  };
  const linear = (name, from, to) => {
    add(`${name}.weight`, [from, to], 0.08);
    add(`${name}.bias`, [to], 0.08);
  };
  const norm = (name) => {
    add(`${name}.weight`, [width], 0.2, 1);
    add(`${name}.bias`, [width], 0.2);
  };
  add('wte.weight', [vocabulary, width], 0.2);
  add('wpe.weight', [length, width], 0.08);
  for (let i = 0; i < layers; i++) {
    norm(`h.${i}.ln_1`);
    linear(`h.${i}.attn.c_attn`, width, 3 * width);
    linear(`h.${i}.attn.c_proj`, width, width);
    norm(`h.${i}.ln_2`);
    linear(`h.${i}.mlp.c_fc`, width, 4 * width);
    linear(`h.${i}.mlp.c_proj`, 4 * width, width);
  }
  norm('ln_f');
  return tensors;
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** [name, bytes] of the two files that describe the model to the page and to `attend import`. */
export function safetensors({ width, heads, layers, vocabulary, length }, tensors) {
  const header = {};
  let at = 0;
  for (const [name, { shape: dims, data }] of Object.entries(tensors))
    header[name] = { dtype: 'F32', shape: dims, data_offsets: [at, (at += data.byteLength)] };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + at);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  for (const [name, { data }] of Object.entries(tensors))
    file.set(bytesOf(data), 8 + text.length + header[name].data_offsets[0]);
  const config = { model_type: 'gpt2', n_embd: width, n_layer: layers, n_head: heads, vocab_size: vocabulary,
    n_positions: length };
  return [['model.safetensors', file], ['config.json', new TextEncoder().encode(JSON.stringify(config))]];
}
