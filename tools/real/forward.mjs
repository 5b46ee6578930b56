// SPDX-License-Identifier: Apache-2.0
// The encoder's forward pass, written by hand in double precision: what the tests compare the document with. It reads
// the parameters by name, and shares nothing with the engine.
import { HEADS } from './parameters.mjs';

const product = (x, { shape: [inner, width], data }, bias) => x.map((row) => {
  const out = bias ? Array.from(bias.data) : new Array(width).fill(0);
  for (let k = 0; k < inner; k++) for (let c = 0; c < width; c++) out[c] += row[k] * data[k * width + c];
  return out;
});

const norm = (x, gamma, beta) => x.map((row) => {
  const mean = row.reduce((a, b) => a + b, 0) / row.length;
  const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length;
  return row.map((value, c) => ((value - mean) / Math.sqrt(variance + 1e-6)) * gamma.data[c] + beta.data[c]);
});

const plus = (x, y) => x.map((row, i) => row.map((value, c) => value + y[i][c]));

function softmax(row) {
  const most = Math.max(...row);
  const powers = row.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

const ofHead = ({ shape: [, inner, width], data }, head) =>
  ({ shape: [inner, width], data: data.subarray(head * inner * width, (head + 1) * inner * width) });
const biasOf = ({ shape: [, width], data }, head) => ({ data: data.subarray(head * width, (head + 1) * width) });

function attention(p, n, x) {
  const of = (name) => p[`attention-${n}.heads.${name}`];
  const weights = [];
  const joined = x.map(() => []);
  for (let head = 0; head < HEADS; head++) {
    const [q, k, v] = ['Q', 'K', 'V'].map((letter) =>
      product(x, ofHead(of(`W_${letter}`), head), biasOf(of(`b_${letter}`), head)));
    const scale = Math.sqrt(q[0].length);
    const map = q.map((query) => softmax(k.map((key) => query.reduce((sum, a, c) => sum + a * key[c], 0) / scale)));
    weights.push(map);
    map.forEach((row, i) => joined[i].push(...v[0].map((_, c) => row.reduce((sum, a, j) => sum + a * v[j][c], 0))));
  }
  return { weights, output: product(joined, of('W_O'), of('b_O')) };
}

/** @returns {{weights: number[][][][], vector: number[]}} [layer][head][query][key], and the sentence's vector */
export function forward(p, ids) {
  const E = p['tokens.E'];
  const width = E.shape[1];
  const half = width / 2;
  const x = ids.map((id, t) => Array.from({ length: width }, (_, c) => {
    const angle = t * 10000 ** (-(c % half) / (half - 1));
    return 2 * E.data[id * width + c] + (c < half ? Math.sin(angle) : Math.cos(angle));
  }));
  const weights = [];
  let rows = x;
  for (const n of [1, 2]) {
    const found = attention(p, n, norm(rows, p[`attention-norm-${n}.gamma`], p[`attention-norm-${n}.beta`]));
    weights.push(found.weights);
    const before = n === 1 ? product(rows, p['wider.W'], p['wider.b']) : rows;
    const sum = plus(before, found.output);
    const hidden = product(norm(sum, p[`feed-forward-norm-${n}.gamma`], p[`feed-forward-norm-${n}.beta`]),
      p[`feed-forward-${n}.W1`], p[`feed-forward-${n}.b1`]).map((row) => row.map((value) => Math.max(0, value)));
    rows = plus(sum, product(hidden, p[`feed-forward-${n}.W2`], p[`feed-forward-${n}.b2`]));
  }
  const mean = [rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length)];
  const vector = product(mean, p['dense.W'], p['dense.b'])[0].map(Math.tanh);
  const length = Math.hypot(...vector);
  return { weights, vector: vector.map((value) => value / length) };
}
