// SPDX-License-Identifier: Apache-2.0
// The efficient forms called directly: against plain loops, and what wrong input is told.
import assert from "node:assert/strict";
import { test } from "node:test";

import { plainAttention, plainGradients, random } from "./plain-attention.mjs";
import { root } from "./engine.mjs";

const { bigBird, loadEfficient } = await import(`${root}build/web/engine/efficient.js`);
const efficient = await loadEfficient();

const near = (actual, expected, what, tolerance = 1e-4) => {
  assert.equal(actual.length, expected.length, what);
  expected.forEach((value, i) =>
    assert.ok(Math.abs(actual[i] - value) <= tolerance * Math.max(1, Math.abs(value)),
    `${what} ${i}: ${actual[i]}, not ${value}`));
};

const drawn = ({ heads = 2, n = 70, d = 5, dv = 3 } = {}) => ({
  heads, d, q: random(1, heads * n * d), k: random(2, heads * n * d), v: random(3, heads * n * dv),
  upstream: random(4, heads * n * dv),
});

const maskOf = (n, seen) => Float32Array.from({ length: n * n }, (_, at) => (seen(Math.floor(at / n), at % n) ? 1 : 0));

function check(input, plain) {
  const found = efficient.attentionGradient(input);
  const { upstream, ...forward } = input;
  const out = new Float32Array(found.output.length);
  assert.equal(efficient.attention({ ...forward, out }).output, out);
  assert.deepEqual(out, found.output);
  near(found.output, plainAttention(plain).output, "output");
  const slopes = plainGradients({ ...plain, upstream });
  for (const name of ["dq", "dk", "dv"]) near(found[name], slopes[name], name);
}

const lists = bigBird({ n: 70, size: 16, window: 1, global: 1, random: (b) => [(b * 3) % 5] });
const listed = (i, j) => lists.lists[Math.floor(i / 16)].includes(Math.floor(j / 16));
const patterns = {
  strided: [{ kind: "strided", l: 8 }, (i, j) => j <= i && (i - j <= 8 || (i - j) % 8 === 0)],
  "strided, second part": [{ kind: "strided", l: 8, part: "second" }, (i, j) => j <= i && (i - j) % 8 === 0],
  fixed: [{ kind: "fixed", l: 8, c: 2 }, (i, j) => j <= i && (Math.floor(i / 8) === Math.floor(j / 8) || j % 8 >= 6)],
  "fixed, first part": [{ kind: "fixed", l: 8, c: 2, part: "first" },
    (i, j) => j <= i && Math.floor(i / 8) === Math.floor(j / 8)],
  "BigBird": [lists, listed],
  "BigBird, causal": [{ ...lists, causal: true }, (i, j) => j <= i && listed(i, j)],
};

for (const [name, [form, seen]] of Object.entries(patterns)) {
  test(`${name}: attention under that mask, with gradients`, () => {
    const input = drawn();
    check({ ...input, form }, { ...input, m: 70, n: 70, dv: 3, mask: maskOf(70, seen) });
  });
}

test("mixed rows: attention over E k and G v", () => {
  const input = drawn({ heads: 1 });
  const [e, g] = [random(7, 4 * 70), random(8, 4 * 70)];
  const mixed = (by, x, width) => Float32Array.from({ length: 4 * width }, (_, at) => {
    let sum = 0;
    for (let j = 0; j < 70; j++) sum += by[Math.floor(at / width) * 70 + j] * x[j * width + (at % width)];
    return sum;
  });
  const { output } = efficient.attention({ ...input, form: { kind: "mixed", e, g } });
  near(output, plainAttention({ ...input, heads: 1, m: 70, n: 4, dv: 3, k: mixed(e, input.k, 5),
    v: mixed(g, input.v, 3) }).output, "output");
});

test("hashing with one bucket and one chunk: every token but itself, keys of length 1", () => {
  const { k, ...input } = drawn();
  const unit = input.q.map((x, at) => x / Math.hypot(...input.q.subarray(at - (at % 5), at - (at % 5) + 5)));
  const form = { kind: "hashed", planes: new Float32Array(2 * 5), rounds: 2, buckets: 2, chunk: 70 };
  const { output } = efficient.attention({ ...input, form });
  near(output, plainAttention({ ...input, k: unit, m: 70, n: 70, dv: 3, mask: maskOf(70, (i, j) => i !== j) }).output,
    "output");
});

const maps = {
  given: (x) => x, "elu+1": (x) => (x > 0 ? x + 1 : Math.exp(x)), relu: (x) => Math.max(x, 0), exp: Math.exp,
  "1+x": (x) => 1 + x,
};
for (const [map, phi] of Object.entries(maps)) {
  for (const causal of [false, true]) {
    test(`features ${map}${causal ? ", causal" : ""}: the quotient of sums, and its slope along a direction`, () => {
      const input = drawn({ heads: 1 });
      for (const name of ["q", "k"]) input[name] = input[name].map((x) => Math.abs(x) + 0.1);
      const plain = ({ q, k, v }) => {
        const out = [];
        for (let i = 0; i < 70; i++) {
          const above = [0, 0, 0];
          let below = 0;
          for (let j = 0; j < (causal ? i + 1 : 70); j++) {
            let weight = 0;
            for (let c = 0; c < 5; c++) weight += phi(q[i * 5 + c]) * phi(k[j * 5 + c]);
            below += weight;
            for (let c = 0; c < 3; c++) above[c] += weight * v[j * 3 + c];
          }
          out.push(...above.map((x) => x / below));
        }
        return out;
      };
      const found = efficient.attentionGradient({ ...input, form: { kind: "features", map, causal } });
      near(found.output, plain(input), "output");
      const step = 1e-4;
      const moved = (sign) => plain(Object.fromEntries(
        ["q", "k", "v"].map((name) => [name, Array.from(input[name], (x, i) => x + sign * step * Math.cos(i))])));
      const [after, before] = [moved(1), moved(-1)];
      const expected = after.reduce((sum, x, i) => sum + ((x - before[i]) / (2 * step)) * input.upstream[i], 0);
      const along = ["q", "k", "v"].reduce((sum, name) =>
        sum + found[`d${name}`].reduce((part, x, i) => part + x * Math.cos(i), 0), 0);
      assert.ok(Math.abs(along - expected) < 1e-3 * Math.max(1, Math.abs(expected)), `${along}, not ${expected}`);
    });
  }
}

test("what is wrong is told by its field", () => {
  const input = drawn();
  const told = (change, pattern) =>
    assert.throws(() => efficient.attention({ ...input, ...change }),
    (problem) => problem instanceof TypeError && pattern.test(problem.message));
  told({ form: { kind: "unknown" } }, /^form\.kind: expected features/);
  told({ form: { kind: "features", map: "sine" } }, /^map: expected given/);
  told({ form: { kind: "features", map: "positive" } }, /^drawn: expected a Float32Array/);
  told({ form: { kind: "strided", l: 0 } }, /^l: expected a whole number of at least 1, found 0/);
  told({ form: { kind: "fixed", l: 4, c: 1.5 } }, /^c: /);
  told({ form: { kind: "blocks", size: 16, lists: [[0]] } }, /^lists: expected 5 lists/);
  told({ form: { kind: "blocks", size: 35, lists: [[0], [2]] } }, /^lists\[1\]: expected blocks below 2, found 2/);
  told({ form: { kind: "blocks", size: 35, lists: [[0], [1, 1]] } }, /^lists\[1\]: expected no block twice/);
  told({ form: { kind: "hashed", planes: random(1, 5), rounds: 1, buckets: 3, chunk: 4 } },
    /^buckets: expected an even number/);
  told({ form: { kind: "mixed", e: random(1, 71), g: random(1, 70) } }, /^e: expected a multiple of 70/);
  told({ form: { kind: "features" }, k: undefined }, /^k: expected a Float32Array/);
});

test("one token, and none", () => {
  for (const n of [1, 0]) {
    const input = drawn({ heads: 1, n });
    const forms = [{ kind: "features" }, { kind: "features", causal: true }, { kind: "strided", l: 3 },
      { kind: "fixed", l: 3, c: 1 }, { kind: "blocks", size: 4, lists: n ? [[0]] : [] }];
    for (const form of forms) near(efficient.attention({ ...input, form, ...(n ? {} : { v: input.v }) }).output,
      [...input.v], form.kind);
  }
});
