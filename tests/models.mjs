// SPDX-License-Identifier: Apache-2.0
// Small models as other programs save them, made by the formats' own descriptions, for tests in Node and in browsers.

/** Numbers that look random, the same each time. */
export function drawn(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 2;
  };
}

const count = (shape) => shape.reduce((a, b) => a * b, 1);
const bytesOf = (numbers) => new Uint8Array(Float32Array.from(numbers).buffer);
const utf8 = (text) => new TextEncoder().encode(text);

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A little-endian number of 1, 2, 4 or 8 bytes. */
export function number(value, bytes) {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(value), true);
  else if (bytes === 4) view.setInt32(0, value, true);
  else if (bytes === 2) view.setUint16(0, value, true);
  else view.setUint8(0, value);
  return new Uint8Array(view.buffer);
}

/** A file of tensors { name: { shape, data } }; `change` may make its header lie. */
export function safetensors(tensors, change = () => undefined) {
  const header = {};
  const parts = [];
  let at = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const part = bytesOf(data);
    header[name] = { dtype: 'F32', shape, data_offsets: [at, (at += part.length)] };
    parts.push(part);
  }
  change(header);
  const text = utf8(JSON.stringify(header));
  return joined(number(text.length, 8), text, ...parts);
}

const listed = (next) => (shape, scale = 0.4, about = 0) =>
  ({ shape, data: Array.from({ length: count(shape) }, () => Math.fround(about + scale * next())) });

/** The tensors of a GPT-2, [in out]; the sizes that a config would say. `tensor` draws one, about a number. */
export function gpt2({ width = 16, layers = 2, vocabulary = 11, length = 12, seed = 5,
  tensor = listed(drawn(seed)) } = {}) {
  const tensors = { 'wte.weight': tensor([vocabulary, width]), 'wpe.weight': tensor([length, width]) };
  const linear = (name, from, to) => {
    tensors[`${name}.weight`] = tensor([from, to]);
    tensors[`${name}.bias`] = tensor([to]);
  };
  const norm = (name) => {
    tensors[`${name}.weight`] = tensor([width], 0.2, 1);
    tensors[`${name}.bias`] = tensor([width], 0.2);
  };
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

/**
 * The tensors of a Marian, with sinusoidal positions. Its last token begins and fills up texts, token 0 ends them. The
 * numbers are so large that the source decides about the target, and the bias so that texts end.
 */
export function marian({ width = 16, layers = 2, vocabulary = 14, seed = 17, tensor = listed(drawn(seed)) } = {}) {
  const tensors = { 'model.shared.weight': tensor([vocabulary, width], 0.6),
    'final_logits_bias': tensor([1, vocabulary]) };
  tensors['final_logits_bias'].data[0] += 4;
  const linear = (name, from, to) => {
    tensors[`${name}.weight`] = tensor([to, from], 1);
    tensors[`${name}.bias`] = tensor([to]);
  };
  const norm = (name) => {
    tensors[`${name}.weight`] = tensor([width], 0.2, 1);
    tensors[`${name}.bias`] = tensor([width], 0.2);
  };
  for (const side of ['encoder', 'decoder']) {
    for (let i = 0; i < layers; i++) {
      const at = `model.${side}.layers.${i}`;
      for (const attention of side === 'decoder' ? ['self_attn', 'encoder_attn'] : ['self_attn']) {
        for (const part of ['q_proj', 'k_proj', 'v_proj', 'out_proj'])
          linear(`${at}.${attention}.${part}`, width, width);
        norm(`${at}.${attention}_layer_norm`);
      }
      linear(`${at}.fc1`, width, 2 * width);
      linear(`${at}.fc2`, 2 * width, width);
      norm(`${at}.final_layer_norm`);
    }
  }
  return tensors;
}

/** Its settings, for that many heads. */
export const marianConfig = (tensors, heads) => {
  const [vocabulary] = tensors['model.shared.weight'].shape;
  return { model_type: 'marian', encoder_attention_heads: heads, decoder_attention_heads: heads,
    activation_function: 'swish', scale_embedding: true, max_position_embeddings: 24, eos_token_id: 0,
    pad_token_id: vocabulary - 1, decoder_start_token_id: vocabulary - 1 };
};

/** A tokenizer.json of the kind Unigram, as converted from SentencePiece: a text ends with </s>. */
export function unigram(pieces) {
  const marks = ['</s>', '<unk>', '<pad>'];
  const id = (text) => pieces.findIndex(([piece]) => piece === text);
  return {
    added_tokens: marks.filter((text) => id(text) >= 0).map((text) => ({ id: id(text), content: text, special: true })),
    normalizer: { type: 'Precompiled' },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' },
      { type: 'Metaspace', prepend_scheme: 'always' }] },
    post_processor: { type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A' } }, { SpecialToken: { id: '</s>' } }] },
    decoder: { type: 'Metaspace', prepend_scheme: 'always' },
    model: { type: 'Unigram', unk_id: 1, vocab: pieces },
  };
}

/** What a GPT-2 predicts after the last of these tokens: its forward pass in plain loops, in double precision. */
export function predicted(tensors, ids, heads) {
  const get = (name) => tensors[name].data;
  const width = tensors['wte.weight'].shape[1];
  const vocabulary = tensors['wte.weight'].shape[0];
  const times = (x, name) => {
    const { shape: [from, to], data } = tensors[`${name}.weight`];
    const bias = get(`${name}.bias`);
    return x.map((row) => Array.from({ length: to }, (_, c) => {
      let sum = bias[c];
      for (let r = 0; r < from; r++) sum += row[r] * data[r * to + c];
      return sum;
    }));
  };
  const norm = (x, name) => x.map((row) => {
    const mean = row.reduce((a, b) => a + b) / width;
    const scale = 1 / Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / width + 1e-5);
    return row.map((v, c) => (v - mean) * scale * get(`${name}.weight`)[c] + get(`${name}.bias`)[c]);
  });
  const add = (x, y) => x.map((row, i) => row.map((v, c) => v + y[i][c]));
  const softmax = (row) => {
    const most = Math.max(...row);
    const all = row.map((v) => Math.exp(v - most));
    const sum = all.reduce((a, b) => a + b);
    return all.map((v) => v / sum);
  };
  const gelu = (v) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)));
  let x = ids.map((id, i) => Array.from({ length: width }, (_, c) =>
    get('wte.weight')[id * width + c] + get('wpe.weight')[i * width + c]));
  for (let layer = 0; tensors[`h.${layer}.ln_1.weight`]; layer++) {
    const all = times(norm(x, `h.${layer}.ln_1`), `h.${layer}.attn.c_attn`);
    const d = width / heads;
    const context = x.map(() => []);
    for (let head = 0; head < heads; head++) {
      const part = (row, which) => row.slice(which * width + head * d, which * width + (head + 1) * d);
      all.forEach((row, i) => {
        const weights = softmax(all.slice(0, i + 1).map((key) =>
          part(row, 0).reduce((sum, v, c) => sum + v * part(key, 1)[c], 0) / Math.sqrt(d)));
        for (let c = 0; c < d; c++) context[i].push(weights.reduce((sum, w, j) => sum + w * part(all[j], 2)[c], 0));
      });
    }
    x = add(x, times(context, `h.${layer}.attn.c_proj`));
    const inner = times(norm(x, `h.${layer}.ln_2`), `h.${layer}.mlp.c_fc`).map((row) => row.map(gelu));
    x = add(x, times(inner, `h.${layer}.mlp.c_proj`));
  }
  const [last] = norm(x, 'ln_f').slice(-1);
  return softmax(Array.from({ length: vocabulary }, (_, v) =>
    last.reduce((sum, value, c) => sum + value * get('wte.weight')[v * width + c], 0)));
}

/** Bytes that merge into " ab": a tokenizer.json of GPT-2's kind with 11 tokens. */
export const tokenizer = (more = []) => ({ added_tokens: [],
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
  decoder: { type: 'ByteLevel' }, model: { type: 'BPE', merges: ['Ġ a', 'Ġa b'],
    vocab: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'Ġ', '.', 'Ġa', 'Ġab', '!', ...more]
      .map((piece, i) => [piece, i])) } });

/** A model of llama2.c, version 0, and the scored pieces of its tokenizer. */
export function llama2c({ dim = 16, hidden = 24, layers = 2, heads = 4, groups = 2, vocabulary = 23,
  length = 32 } = {}) {
  const next = drawn(9);
  const some = (n, about = 0) => bytesOf(Array.from({ length: n }, () => about + 0.4 * next()));
  const kv = groups * (dim / heads);
  return joined(...[dim, hidden, layers, heads, groups, vocabulary, length].map((n) => number(n, 4)),
    some(vocabulary * dim), some(layers * dim, 1), some(layers * dim * dim), some(layers * kv * dim),
    some(layers * kv * dim), some(layers * dim * dim), some(layers * dim, 1), some(layers * hidden * dim),
    some(layers * dim * hidden), some(layers * hidden * dim), some(dim, 1), some(length * (dim / heads)));
}

export function scoredPieces(pieces) {
  const coded = pieces.map((text) => utf8(text));
  return joined(number(Math.max(...coded.map((one) => one.length)), 4), ...coded.flatMap((one, i) =>
    [bytesOf([-i]), number(one.length, 4), one]));
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crc = (bytes) => (bytes.reduce((c, byte) => CRC[(c ^ byte) & 255] ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) | 0;

/** An archive whose members are stored as they are. */
export function zip(members) {
  const [locals, entries] = [[], []];
  let at = 0;
  for (const [name, bytes] of Object.entries(members)) {
    const called = utf8(name);
    const sizes = [number(crc(bytes), 4), number(bytes.length, 4), number(bytes.length, 4), number(called.length, 2),
      number(0, 2)];
    const local = joined(utf8('PK\x03\x04'), number(20, 2), new Uint8Array(8), ...sizes, called, bytes);
    entries.push(joined(utf8('PK\x01\x02'), number(20, 2), number(20, 2), new Uint8Array(8), ...sizes,
      new Uint8Array(10), number(at, 4), called));
    locals.push(local);
    at += local.length;
  }
  const list = joined(...entries);
  const total = number(entries.length, 2);
  return joined(...locals, list, utf8('PK\x05\x06'), new Uint8Array(4), total, total, number(list.length, 4),
    number(at, 4), new Uint8Array(2));
}

const text = (value) => joined(utf8('X'), number(utf8(value).length, 4), utf8(value));
const whole = (value) => joined(utf8('J'), number(value, 4));
const tuple = (...parts) => joined(utf8('('), ...parts, utf8('t'));
const named = (module, name) => utf8(`c${module}\n${name}\n`);

/** What torch.save writes of tensors; `first` are opcodes that come before everything else. */
export function torch(tensors, first = new Uint8Array(0)) {
  const members = {};
  const pairs = Object.entries(tensors).map(([name, { shape, data }], k) => {
    members[`model/data/${k}`] = bytesOf(data);
    const strides = shape.map((_, i) => count(shape.slice(i + 1)));
    const storage = joined(tuple(text('storage'), named('torch', 'FloatStorage'), text(String(k)), text('cpu'),
      whole(data.length)), utf8('Q'));
    return joined(text(name), named('torch._utils', '_rebuild_tensor_v2'), tuple(storage, whole(0),
      tuple(...shape.map(whole)), tuple(...strides.map(whole)), Uint8Array.of(0x89), joined(utf8('}'))), utf8('R'));
  });
  const pickle = joined(Uint8Array.of(0x80, 2), first, utf8('}('), ...pairs, utf8('u.'));
  return zip({ 'model/data.pkl': pickle, 'model/version': utf8('3\n'), ...members });
}

/** Opcodes that would call os.system, where a reader ran them. */
export const harm = joined(named('os', 'system'), tuple(text('true')), utf8('R0'));

export const json = (value) => utf8(JSON.stringify(value));
