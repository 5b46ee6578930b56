// SPDX-License-Identifier: Apache-2.0
// Random weights of GPT-2's shape, and the files by which the page and `attend import` read them.
import { drawn, gpt2, json, safetensors } from '../../tests/models.mjs';

/** GPT-2 small, with a third of its layers and few words. */
export const shape = () => ({ width: 768, heads: 12, layers: 4, vocabulary: 1000, length: 1024 });
/** Of the text that is measured. */
export const rows = 64;

/** { name: { shape, data } }, by the names of the transformers library; matrices are [in out]. */
export function weights(sizes) {
  const next = drawn(1);
  return gpt2({ ...sizes, tensor(dims, scale = 0.04, about = 0) {
    const data = new Float32Array(dims.reduce((a, b) => a * b, 1));
    for (let i = 0; i < data.length; i++) data[i] = about + scale * next();
    return { shape: dims, data };
  } });
}

/** [name, bytes] of the two files that describe the model to the page and to `attend import`. */
export function files({ width, heads, layers, vocabulary, length }, tensors) {
  const config = { model_type: 'gpt2', n_embd: width, n_layer: layers, n_head: heads, vocab_size: vocabulary,
    n_positions: length };
  return [['model.safetensors', safetensors(tensors)], ['config.json', json(config)]];
}
