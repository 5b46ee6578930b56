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

// Output and slopes of a form with one head against plain loops over { q, k, v, more }.
function checkPlain(input, plain, more = {}) {
  const found = efficient.attentionGradient(input);
  const values = { q: input.q, k: input.k, v: input.v, ...more };
  near(found.output, plain(values), "output");
  const step = 1e-4;
  const way = (i) => Math.cos((i * i) % 17);
  const moved = (sign) => plain(Object.fromEntries(Object.entries(values).map(([name, list]) =>
    [name, Array.from(list, (x, i) => x + sign * step * way(i))])));
  const [after, before] = [moved(1), moved(-1)];
  const expected = after.reduce((sum, x, i) => sum + ((x - before[i]) / (2 * step)) * input.upstream[i], 0);
  const along = Object.keys(values).reduce((sum, name) =>
    sum + found[`d${name}`].reduce((part, x, i) => part + x * way(i), 0), 0);
  assert.ok(Math.abs(along - expected) < 2e-3 * Math.max(1, Math.abs(expected)), `${along}, not ${expected}`);
}

const weighed = (n, weight, v, share = (sum) => sum) => {
  const out = [];
  for (let i = 0; i < n; i++) {
    const above = [0, 0, 0];
    let below = 0;
    for (let j = 0; j < n; j++) {
      const one = weight(i, j);
      below += one;
      for (let c = 0; c < 3; c++) above[c] += one * v[j * 3 + c];
    }
    out.push(...above.map((x) => x / share(below)));
  }
  return out;
};
const dot = (a, i, b, j) => [0, 1, 2, 3, 4].reduce((sum, c) => sum + a[i * 5 + c] * b[j * 5 + c], 0);

test("spans: weights fade out over the ramp, with slopes of the spans", () => {
  for (const causal of [false, true]) {
    for (const z of [Float32Array.of(6.3), Float32Array.from({ length: 70 }, (_, i) => (i % 9) + 0.4)]) {
      const input = drawn({ heads: 1 });
      checkPlain({ ...input, form: { kind: "spans", z, ramp: 4, causal } }, ({ q, k, v, z: spans }) =>
        weighed(70, (i, j) => {
        const m = (4 + spans[spans.length === 1 ? 0 : i] - Math.abs(i - j)) / 4;
        return causal && j > i ? 0 : Math.min(Math.max(m, 0), 1) * Math.exp(dot(q, i, k, j) / Math.sqrt(5));
      }, v), { z });
    }
  }
});

test("fast weights, with and without the delta rule", () => {
  const phi = (x) => (x > 0 ? x + 1 : Math.exp(x));
  const features = (x) => {
    const f = Array.from(x, phi);
    return f.map((one, i) => one / f.slice(i - (i % 5), i - (i % 5) + 5).reduce((a, b) => a + b));
  };
  const recur = (rate) => ({ q, k, v, beta }) => {
    const [fq, fk, W, out] = [features(q), features(k), new Float64Array(15), []];
    for (let t = 0; t < 70; t++) {
      const stored = (c) => [0, 1, 2, 3, 4].reduce((sum, r) => sum + fk[t * 5 + r] * W[r * 3 + c], 0);
      const change = [0, 1, 2].map((c) => rate(beta, t, v[t * 3 + c], stored(c)));
      for (let r = 0; r < 5; r++) for (let c = 0; c < 3; c++) W[r * 3 + c] += fk[t * 5 + r] * change[c];
      out.push(...[0, 1, 2].map((c) => [0, 1, 2, 3, 4].reduce((sum, r) => sum + fq[t * 5 + r] * W[r * 3 + c], 0)));
    }
    return out;
  };
  const input = drawn({ heads: 1 });
  checkPlain({ ...input, form: { kind: "features", causal: true, divide: false, sumNorm: true } },
    recur((beta, t, v) => v));
  const beta = random(5, 70).map(Math.abs);
  checkPlain({ ...input, form: { kind: "delta", sumNorm: true, beta } },
    recur((rates, t, v, found) => rates[t] * (v - found)), { beta });
});

test("random sines and cosines, over all keys, causal and gated", () => {
  const drawnRows = random(6, 8 * 5).map((x) => x / 2);
  const gates = random(7, 70).map((x) => Math.min(0.9, Math.abs(x)));
  const length = (a, i) => Math.sqrt(dot(a, i, a, i));
  for (const [causal, gated] of [[false, false], [true, false], [true, true]]) {
    const weight = (q, k, open) => (i, j) => {
      if (causal && j > i) return 0;
      let sum = 0;
      for (let r = 0; r < 8; r++)
        sum += Math.cos(dot(q, i, drawnRows, r) / length(q, i) - dot(k, j, drawnRows, r) / length(k, j)) / 8;
      if (gated) sum *= 1 - open[j];
      for (let t = j + 1; t <= i && gated; t++) sum *= open[t];
      return sum;
    };
    const form = { kind: "features", map: "fourier", drawn: drawnRows, causal, ...(gated ? { gates } : {}) };
    checkPlain({ ...drawn({ heads: 1 }), form }, ({ q, k, v, gates: open }) => weighed(70, weight(q, k, open), v),
      gated ? { gates } : {});
  }
});

test("clusters share the row of their mean, and one landmark is a kernel of rank 1", () => {
  const input = drawn({ heads: 1 });
  const of = Array.from({ length: 70 }, (_, i) => (i * 5) % 7);
  checkPlain({ ...input, form: { kind: "clusters", clusters: 7, of } }, ({ q, k, v }) => {
    const belongs = (i, at) => i % 5 === at % 5 && of[Math.floor(i / 5)] === Math.floor(at / 5);
    const means = Array.from({ length: 35 }, (_, at) =>
      Array.from(q).reduce((sum, x, i) => (belongs(i, at) ? sum + x / 10 : sum), 0));
    return weighed(70, (i, j) => Math.exp(dot(means, of[i], k, j) / Math.sqrt(5)), v);
  });
  checkPlain({ ...input, form: { kind: "landmarks", landmarks: [100], ridge: 0.5 } }, ({ q, k, v }) => {
    const gap = (x, i) => [0, 1, 2, 3, 4].reduce((sum, c) => sum + (x[i * 5 + c] - k[150 + c]) ** 2, 0);
    const kernel = (x, i) => Math.exp(-gap(x, i) / Math.sqrt(5) / 2);
    return weighed(70, (i, j) => (kernel(q, i) * kernel(k, j)) / 1.5, v, () => 1);
  });
});

// The memory of a module that has made one call, less what it was given and gives: bytes.
async function beyond(call, given) {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...all) => {
    const made = await instantiate.call(WebAssembly, ...all);
    memory = Object.values(made.instance.exports).find((one) => one instanceof WebAssembly.Memory);
    return made;
  };
  try {
    call(await loadEfficient());
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  return memory.buffer.byteLength - given;
}

test("hashing 16,384 tokens takes at most 8 MB beyond inputs and outputs, and so do its gradients", async () => {
  const [n, d] = [16_384, 64];
  const planes = random(4, 4 * d * (n / 64));
  const input = { q: random(1, n * d), v: random(3, n * d), d,
    form: { kind: "hashed", planes, rounds: 4, buckets: n / 32, chunk: 64 } };
  const tensor = 4 * n * d;
  const most = 8 * 2 ** 20;
  const forward = await beyond((engine) => engine.attention(input), 3 * tensor + planes.byteLength);
  assert.ok(forward <= most, `${forward} bytes`);
  const backward = await beyond((engine) => engine.attentionGradient({ ...input, upstream: random(5, n * d) }),
    6 * tensor + planes.byteLength);
  assert.ok(backward <= most, `${backward} bytes`);
});

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
  told({ form: { kind: "features", map: "positive", drawn: random(1, 5), divide: false } }, /^divide: expected true/);
  told({ form: { kind: "features", gates: random(1, 70) } }, /^gates: expected a causal form/);
  told({ form: { kind: "features", causal: true, gates: new Float32Array(70).fill(2) } },
    /^gates: expected numbers from 0 to 1, found 2/);
  told({ form: { kind: "delta", map: "fourier" } }, /^map: expected given/);
  told({ form: { kind: "spans", z: random(1, 3), ramp: 1 } }, /^z: expected 1, 2 or 140 numbers/);
  told({ form: { kind: "spans", z: random(1, 1), ramp: 0 } }, /^ramp: expected a number above 0, found 0/);
  told({ form: { kind: "clusters", clusters: 2, of: [0, 1] } }, /^of: expected 70 numbers/);
  told({ form: { kind: "clusters", clusters: 2, of: new Array(70).fill(2) } },
    /^of\[0\]: expected a number below 2, found 2/);
  told({ form: { kind: "landmarks", landmarks: [] } }, /^landmarks: expected at least one/);
  told({ form: { kind: "landmarks", landmarks: [140] } }, /^landmarks\[0\]: expected a number below 140/);
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
