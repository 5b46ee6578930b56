// SPDX-License-Identifier: Apache-2.0
// A model of GPT-2's shape as llama.cpp reads it: a GGUF file of float32, or of Q8_0, int8 in blocks of 32 with a scale
// in half precision.
import { joined, number } from '../../tests/models.mjs';

// The numbers by which the format names a value's type and a tensor's.
const valueTypes = { whole: 4, float: 6, string: 8, list: 9, wholes: 5 };
const tensorTypes = { float32: 0, q8: 8 };
const alignment = 32;
const block = 32;

const text = (value) => {
  const bytes = new TextEncoder().encode(value);
  return joined(number(bytes.length, 8), bytes);
};
const whole = (value) => [valueTypes.whole, number(value, 4)];
const float = (value) => [valueTypes.float, new Uint8Array(Float32Array.of(value).buffer)];
const string = (value) => [valueTypes.string, text(value)];
const list = (type, parts) => [valueTypes.list, joined(number(type, 4), number(parts.length, 8), ...parts)];

/** What tokens are called: llama.cpp takes a text apart at these names, so that a text can say any ids. */
export const named = (ids) => ids.map((id) => `<${id}>`).join('');

// wllama takes no ids, only a text. Every token is user-defined, because such names are found in a text before any
// merge of bytes.
const userDefined = 4;
const tokenizer = (vocabulary) => {
  const ids = Array.from({ length: vocabulary }, (_, id) => id);
  return {
    'tokenizer.ggml.model': string('gpt2'),
    'tokenizer.ggml.pre': string('gpt-2'),
    'tokenizer.ggml.tokens': list(valueTypes.string, ids.map((id) => text(named([id])))),
    'tokenizer.ggml.token_type': list(valueTypes.wholes, ids.map(() => number(userDefined, 4))),
    // llama.cpp refuses a file without merges; this one never applies.
    'tokenizer.ggml.merges': list(valueTypes.string, [text('< >')]),
    'tokenizer.ggml.bos_token_id': whole(vocabulary - 1),
    'tokenizer.ggml.eos_token_id': whole(vocabulary - 1),
  };
};

/** A positive number's bits in half precision. */
export function half(value) {
  const exponent = Math.max(Math.floor(Math.log2(value)), -14);
  return value > 0 ? Math.round(value * 2 ** (10 - exponent)) + ((exponent + 14) << 10) : 0;
}

// Of each 32 numbers the scale, then the whole numbers from -127 to 127.
function inBlocks(data) {
  const bytes = new Uint8Array((data.length / block) * (2 + block));
  const view = new DataView(bytes.buffer);
  for (let from = 0, at = 0; from < data.length; from += block, at += 2 + block) {
    let most = 0;
    for (let i = from; i < from + block; i++) most = Math.max(most, Math.abs(data[i]));
    const scale = most / 127;
    view.setUint16(at, half(scale), true);
    for (let i = 0; i < block && scale > 0; i++) view.setInt8(at + 2 + i, Math.round(data[from + i] / scale));
  }
  return bytes;
}

// The file keeps a matrix by its columns, because llama.cpp multiplies each with a row.
function turned({ shape: [rows, columns], data }) {
  const out = new Float32Array(data.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = data[r * columns + c];
  return { shape: [columns, rows], data: out };
}

// The parts of a layer: the names of the transformers library and those of GGUF.
const parts = { 'ln_1': 'attn_norm', 'attn.c_attn': 'attn_qkv', 'attn.c_proj': 'attn_output', 'ln_2': 'ffn_norm',
  'mlp.c_fc': 'ffn_up', 'mlp.c_proj': 'ffn_down' };

function renamed(name) {
  const [, layer, part, kind] = name.match(/^h\.(\d+)\.(.+)\.(weight|bias)$/) ?? [];
  if (part) return `blk.${layer}.${parts[part]}.${kind}`;
  return name.replace('wte', 'token_embd').replace('wpe', 'position_embd').replace('ln_f', 'output_norm');
}

/** The parts of the file, to be joined; `bytes` writes matrices and words as Q8_0, as llama.cpp's own tool does. */
export function gguf({ width, heads, layers, vocabulary, length }, tensors, { bytes = false } = {}) {
  const settings = {
    'general.architecture': string('gpt2'),
    'gpt2.context_length': whole(length),
    'gpt2.embedding_length': whole(width),
    'gpt2.block_count': whole(layers),
    'gpt2.feed_forward_length': whole(4 * width),
    'gpt2.attention.head_count': whole(heads),
    'gpt2.attention.layer_norm_epsilon': float(1e-5),
    ...tokenizer(vocabulary),
  };
  let at = 0;
  const data = [];
  const directory = Object.entries(tensors).map(([name, tensor]) => {
    const matrix = tensor.shape.length > 1;
    const small = bytes && matrix && name !== 'wpe.weight';
    const { shape, data: numbers } = matrix && name.startsWith('h.') ? turned(tensor) : tensor;
    const written = small ? inBlocks(numbers) : new Uint8Array(Float32Array.from(numbers).buffer);
    const place = at;
    const rest = -written.length & (alignment - 1);
    data.push(written, new Uint8Array(rest));
    at += written.length + rest;
    return joined(text(renamed(name)), number(shape.length, 4), ...shape.toReversed().map((n) => number(n, 8)),
      number(small ? tensorTypes.q8 : tensorTypes.float32, 4), number(place, 8));
  });
  const header = joined(new TextEncoder().encode('GGUF'), number(3, 4), number(directory.length, 8),
    number(Object.keys(settings).length, 8),
    ...Object.entries(settings).map(([key, [type, value]]) => joined(text(key), number(type, 4), value)),
    ...directory);
  return [header, new Uint8Array(-header.length & (alignment - 1)), ...data];
}
