// SPDX-License-Identifier: Apache-2.0
// The GGUF file that the benchmarks give to llama.cpp, read by the format's description, and the comparison of the
// likeliest words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { weights } from "../../bench/models/gpt.mjs";
import { gguf, half, named } from "../../bench/models/gpt_gguf.mjs";
import { apart } from "../../bench/parts/models.mjs";

const shape = { width: 32, heads: 2, layers: 1, vocabulary: 7, length: 12 };
const tensors = weights(shape);

// The settings and tensors of a GGUF file of version 3.
function readFile(parts) {
  const file = Buffer.concat(parts);
  let at = 0;
  const take = (method, bytes) => Number(file[method]((at += bytes) - bytes));
  const whole = () => take("readUInt32LE", 4);
  const long = () => take("readBigUInt64LE", 8);
  const text = () => file.toString("utf8", at + 8, (at += 8 + Number(file.readBigUInt64LE(at))));
  const value = (type) => {
    if (type === 6) return take("readFloatLE", 4);
    if (type === 8) return text();
    if (type !== 9) return whole();
    const inner = whole();
    return Array.from({ length: long() }, () => value(inner));
  };
  assert.equal(file.toString("latin1", 0, (at = 4)), "GGUF");
  assert.equal(whole(), 3);
  const [count, keys] = [long(), long()];
  const settings = Object.fromEntries(Array.from({ length: keys }, () => [text(), value(whole())]));
  const list = Array.from({ length: count }, () => ({ name: text(),
    extents: Array.from({ length: whole() }, long), type: whole(), offset: long() }));
  const start = Math.ceil(at / 32) * 32;
  return { settings, tensors: Object.fromEntries(list.map(({ name, extents, type, offset }) => {
    assert.equal(offset % 32, 0, name);
    const size = extents.reduce((a, b) => a * b);
    const bytes = file.subarray(start + offset, start + offset + (type === 8 ? size / 32 * 34 : size * 4));
    return [name, { extents, type, bytes }];
  })) };
}

const floats = ({ bytes }) => new Float32Array(Uint8Array.from(bytes).buffer);

test("a GGUF file has the sizes, the names of the tokens, and each matrix by its columns", () => {
  const { settings, tensors: read } = readFile(gguf(shape, tensors));
  assert.equal(settings["general.architecture"], "gpt2");
  assert.deepEqual(["context_length", "embedding_length", "block_count", "feed_forward_length", "attention.head_count"]
    .map((key) => settings[`gpt2.${key}`]), [12, 32, 1, 128, 2]);
  assert.equal(settings["tokenizer.ggml.tokens"].join(""), named([0, 1, 2, 3, 4, 5, 6]));
  assert.equal(Object.keys(read).length, 16);
  assert.deepEqual(floats(read["token_embd.weight"]), tensors["wte.weight"].data);
  assert.deepEqual(floats(read["blk.0.ffn_up.bias"]), tensors["h.0.mlp.c_fc.bias"].data);
  const { extents } = read["blk.0.attn_qkv.weight"];
  const written = floats(read["blk.0.attn_qkv.weight"]);
  assert.deepEqual(extents, [32, 96]);
  for (const [row, column] of [[0, 0], [31, 2], [5, 95]])
    assert.equal(written[column * 32 + row], tensors["h.0.attn.c_attn.weight"].data[row * 96 + column]);
});

test("Q8_0 has a scale for each 32 numbers; positions, biases and norms stay float32", () => {
  const { tensors: read } = readFile(gguf(shape, tensors, { bytes: true }));
  const small = Object.entries(read).filter(([, { type }]) => type === 8).map(([name]) => name);
  assert.deepEqual(small, ["token_embd.weight", "blk.0.attn_qkv.weight", "blk.0.attn_output.weight",
    "blk.0.ffn_up.weight", "blk.0.ffn_down.weight"]);
  const { bytes } = read["token_embd.weight"];
  for (let row = 0; row < 7; row++) {
    const numbers = tensors["wte.weight"].data.subarray(32 * row, 32 * row + 32);
    const scale = Math.max(...numbers.map(Math.abs)) / 127;
    assert.equal(bytes.readUInt16LE(34 * row), half(scale));
    numbers.forEach((number, i) => assert.ok(Math.abs(bytes.readInt8(34 * row + 2 + i) * scale - number)
      <= 0.501 * scale));
  }
});

test("half precision", () => {
  const bits = [[0, 0], [1, 0x3c00], [0.5, 0x3800], [65504, 0x7bff], [2 ** -14, 0x0400], [2 ** -24, 1],
    [1 + 2 ** -10, 0x3c01], [2 - 2 ** -12, 0x4000]];
  for (const [value, expected] of bits) assert.equal(half(value), expected, String(value));
});

test("likeliest words are compared over those that both lists name", () => {
  const list = [[4, 0.4], [7, 0.3], [1, 0.2], [9, 0.1]];
  assert.equal(apart(list, list), 0);
  assert.ok(Math.abs(apart([[7, 0.4], [4, 0.3], [1, 0.2], [9, 0.1]], list) - 0.1) < 1e-12);
  // The last word is another one; the others have the same ratios.
  assert.ok(apart([[4, 0.36], [7, 0.27], [1, 0.18], [2, 0.19]], list) < 1e-12);
  assert.equal(apart([[4, 0.9], [2, 0.05], [3, 0.03], [5, 0.02]], list), 1);
});
