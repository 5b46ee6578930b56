// SPDX-License-Identifier: Apache-2.0
// The fast kernels called directly: against plain loops, and what wrong sizes are told.
import assert from "node:assert/strict";
import { test } from "node:test";

import { plainGradients, plainAttention, random } from "./plain-attention.mjs";
import { root } from "./engine.mjs";

const { loadFused } = await import(`${root}build/web/engine/fused.js`);
const fused = await loadFused();

const near = (actual, expected, what, tolerance = 2e-5) => {
  assert.equal(actual.length, expected.length, what);
  expected.forEach((value, i) =>
    assert.ok(Math.abs(actual[i] - value) <= tolerance * Math.max(1, Math.abs(value)),
    `${what} ${i}: ${actual[i]}, not ${value}`));
};

const cases = [
  { heads: 1, m: 1, n: 1, d: 1, dv: 1 },
  { heads: 2, m: 3, n: 5, d: 4, dv: 7 },
  { heads: 1, m: 0, n: 3, d: 2, dv: 2 },
  { heads: 1, m: 2, n: 0, d: 2, dv: 0 },
  { heads: 3, m: 17, n: 17, d: 16, dv: 16, causal: true },
  { heads: 1, m: 9, n: 33, d: 5, dv: 3, window: 2, offset: 11 },
  { heads: 2, m: 12, n: 12, d: 8, dv: 8, window: [3, 1] },
  { heads: 2, m: 6, n: 7, d: 8, dv: 4, bias: 2 * 6 * 7, mask: 7 },
  { heads: 2, m: 6, n: 7, d: 8, dv: 4, bias: 6 * 7, mask: 6 * 7, scale: 0.3 },
  { heads: 1, m: 70, n: 70, d: 64, dv: 64 },
];

function filled({ heads, m, n, d, dv, bias, mask, ...rest }, seed = 1) {
  return {
    heads, m, n, d, dv, ...rest,
    q: random(seed, heads * m * d), k: random(seed + 1, heads * n * d), v: random(seed + 2, heads * n * dv),
    ...(bias ? { bias: random(seed + 3, bias) } : {}),
    ...(mask ? { mask: random(seed + 4, mask).map((x) => (x > -0.5 ? 1 : 0)) } : {}),
  };
}

for (const shape of cases) {
  test(`attention of ${JSON.stringify(shape)}`, () => {
    const input = filled(shape);
    const { output, largest, sum } = fused.attention(input);
    near(output, plainAttention(input).output, "output");
    assert.equal(largest.length, shape.heads * shape.m);
    assert.equal(sum.length, shape.heads * shape.m);
    const out = new Float32Array(output.length);
    assert.equal(fused.attention({ ...input, out }).output, out);
    assert.deepEqual(out, output);
  });

  test(`gradients of ${JSON.stringify(shape)}`, () => {
    const input = { ...filled(shape), upstream: random(9, shape.heads * shape.m * shape.dv) };
    const expected = plainGradients(input);
    const found = fused.attentionGradient(input);
    near(found.output, plainAttention(input).output, "output");
    for (const name of ["dq", "dk", "dv", ...(input.bias ? ["dbias"] : [])])
      near(found[name], expected[name], name, 1e-4);
  });

  test(`rows of the weights of ${JSON.stringify(shape)}`, () => {
    const input = filled(shape);
    const { weights } = plainAttention(input);
    for (let head = 0; head < shape.heads; head++) {
      for (let row = 0; row < shape.m; row += 4) {
        const at = (head * shape.m + row) * shape.n;
        near(fused.attentionRow({ ...input, head, row }), weights.subarray(at, at + shape.n),
          `head ${head}, row ${row}`);
      }
    }
  });
}

test("sizes are found from lengths, and the numbers of a call do not leak into the next", () => {
  const input = filled({ heads: 1, m: 5, n: 6, d: 4, dv: 4 });
  const { q, k, v } = input;
  const first = fused.attention({ q, k, v, d: 4 }).output;
  near(first, plainAttention(input).output, "output");
  const other = filled({ heads: 1, m: 5, n: 6, d: 4, dv: 4 }, 50);
  const kept = first.slice();
  near(fused.attention({ q: other.q, k: other.k, v: other.v, d: 4 }).output, plainAttention(other).output, "second");
  assert.deepEqual(first, kept);
  fused.release();
  near(fused.attention(input).output, kept, "after release");
});

test("some rows of the queries", () => {
  const input = filled({ heads: 2, m: 7, n: 9, d: 4, dv: 3, causal: true });
  const whole = fused.attention(input);
  const part = fused.attention({ ...input, rows: [2, 5] });
  for (let h = 0; h < 2; h++) {
    near(part.output.subarray(h * 9, h * 9 + 9), whole.output.subarray(h * 21 + 6, h * 21 + 15), `head ${h}`, 1e-6);
    near(part.sum.subarray(h * 3, h * 3 + 3), whole.sum.subarray(h * 7 + 2, h * 7 + 5), `sum ${h}`, 1e-6);
  }
});

test("a multi-head module, with weights that are given and weights that are kept", () => {
  const [width, heads, m, n] = [12, 3, 5, 7];
  const weights = Object.fromEntries(["q", "k", "v", "o"].map((name, i) => [name, random(20 + i, width * width, 0.5)]));
  const [x, y] = [random(30, m * width), random(31, n * width)];
  const product = (a, b, rows) => Float32Array.from({ length: rows * width }, (_, at) => {
    const [i, j] = [Math.floor(at / width), at % width];
    return Array.from({ length: width }, (_, c) => a[i * width + c] * b[c * width + j]).reduce((s, t) => s + t, 0);
  });
  const split = (a, rows) => Float32Array.from(a, (_, at) => {
    const d = width / heads;
    const [h, i, c] = [Math.floor(at / (rows * d)), Math.floor(at / d) % rows, at % d];
    return a[i * width + h * d + c];
  });
  const merged = (a) => Float32Array.from(a, (_, at) => {
    const d = width / heads;
    const [i, h, c] = [Math.floor(at / width), Math.floor((at % width) / d), at % d];
    return a[(h * m + i) * d + c];
  });
  const [q, k, v] = [split(product(x, weights.q, m), m), split(product(y, weights.k, n), n),
    split(product(y, weights.v, n), n)];
  const context = plainAttention({ q, k, v, heads, m, n, d: width / heads, dv: width / heads }).output;
  const expected = product(merged(context), weights.o, m);
  near(fused.multiHead({ x, y, weights, heads, width }).output, expected, "given");
  const kept = fused.keep(weights, width);
  near(fused.multiHead({ x, y, weights: kept, heads, width }).output, expected, "kept");
  kept.free();
  assert.throws(() => fused.multiHead({ x, y, weights: kept, heads, width }), /weights/);
});

test("what is wrong is told with its field", () => {
  const good = filled({ heads: 2, m: 3, n: 4, d: 2, dv: 2 });
  const wrong = (change, pattern) =>
    assert.throws(() => fused.attention({ ...good, ...change }),
    (error) => error instanceof TypeError && pattern.test(error.message), JSON.stringify(change));
  wrong({ q: [1, 2] }, /^q: expected a Float32Array/);
  wrong({ q: new Float32Array(13) }, /^q: /);
  wrong({ k: new Float32Array(15) }, /^k: expected 16/);
  wrong({ v: new Float32Array(15) }, /^v: expected 16/);
  wrong({ heads: 0 }, /^heads: /);
  wrong({ d: 1.5 }, /^d: /);
  wrong({ d: undefined }, /^d: /);
  wrong({ scale: Number.NaN }, /^scale: /);
  wrong({ window: -1 }, /^window: /);
  wrong({ window: true }, /^window: expected a whole number of at least 0 or a pair of them, found true$/);
  wrong({ window: "3" }, /^window: .* found the text "3"$/);
  wrong({ window: null }, /^window: .* found null$/);
  wrong({ window: { before: 1 } }, /^window: .* found Object$/);
  wrong({ window: [1] }, /^window: expected a pair of whole numbers, found Array of 1$/);
  wrong({ window: [1, "2"] }, /^window: .* found the text "2"$/);
  wrong({ rows: 2 }, /^rows: expected a pair of whole numbers, found 2$/);
  wrong({ rows: null }, /^rows: .* found null$/);
  wrong({ heads: Object.create(null) }, /^heads: .* found an object$/);
  for (const nothing of [undefined, null, 3]) assert.throws(() => fused.attention(nothing), /^TypeError: input: /);
  wrong({ offset: 0.5 }, /^offset: /);
  wrong({ bias: new Float32Array(4) }, /^bias: /);
  wrong({ mask: new Float32Array(5) }, /^mask: /);
  wrong({ rows: [2, 4] }, /^rows: /);
  wrong({ out: new Float32Array(1) }, /^out: expected a Float32Array of 12, found Float32Array of 1/);
  assert.throws(() => fused.attentionGradient({ ...good, upstream: new Float32Array(2) }), /^TypeError: upstream: /);
  assert.throws(() => fused.attentionRow({ ...good, row: 3 }), /^TypeError: row: /);
  assert.throws(() => fused.attentionRow({ ...good, row: 0, head: "3" }),
    /^TypeError: head: expected a whole number of at least 0, found the text "3"$/);
  assert.throws(() => fused.multiHead({ x: new Float32Array(6), heads: 1, width: 3 }), /^TypeError: weights: /);
  assert.throws(() => fused.multiHead(undefined), /^TypeError: input: /);
  assert.throws(() => fused.multiHead({ x: new Float32Array(6), weights: {}, heads: 2, width: 3 }),
    /^TypeError: heads: /);
  assert.throws(() => fused.multiHead({ x: new Float32Array(6), weights: {}, heads: 1, width: 3 }),
    /^TypeError: weights.q: /);
  near(fused.attention(good).output, plainAttention(good).output, "the next call works");
});

test("results are the caller's: no two overlap, none is written again, and transferring one ends no later call",
  async () => {
  const input = filled({ heads: 2, m: 24, n: 24, d: 16, dv: 16 });
  const expected = fused.attention(input);
  const places = new Map();
  const held = Array.from({ length: 200 }, () => fused.attention(input)); // more than one buffer's worth
  for (const result of held) {
    for (const name of ["output", "largest", "sum"]) {
      const { buffer, byteOffset, byteLength } = result[name];
      const taken = places.get(buffer) ?? [];
      taken.push([byteOffset, byteOffset + byteLength]);
      places.set(buffer, taken);
    }
  }
  for (const taken of places.values()) {
    taken.sort(([a], [b]) => a - b);
    taken.forEach(([start], i) => assert.ok(i === 0 || start >= taken[i - 1][1], "two arrays overlap"));
  }
  for (const result of held) assert.deepEqual(result, expected);
  const { output } = fused.attention(input);
  structuredClone(output, { transfer: [output.buffer] });
  assert.equal(output.length, 0);
  assert.deepEqual(fused.attention(input), expected);
  const large = fused.attention(filled({ heads: 1, m: 300, n: 4, d: 4, dv: 64 })).output;
  assert.equal(large.byteLength, large.buffer.byteLength);
});
