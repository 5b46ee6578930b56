// SPDX-License-Identifier: Apache-2.0
// Attention and its gradients in plain loops and double, with every option of the fast kernels.

export function random(seed, count, scale = 1) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) / 2 ** 31 - 1) * scale;
  });
}

// Where a map of [heads m n], [m n] or [n] has the number of a pair.
const at = (map, h, i, j, { m, n, heads }) => {
  if (map.length === heads * m * n) return (h * m + i) * n + j;
  return map.length === m * n ? i * n + j : j;
};

export function plainAttention(input) {
  const { q, k, v, heads, m, n, d, dv, causal, bias, mask, offset = 0, scale = 1 / Math.sqrt(d) } = input;
  const [before, after] = Array.isArray(input.window) ? input.window
    : [input.window ?? Infinity, input.window ?? Infinity];
  const weights = new Float64Array(heads * m * n);
  const output = new Float64Array(heads * m * dv);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < m; i++) {
      const row = weights.subarray((h * m + i) * n, (h * m + i + 1) * n);
      for (let j = 0; j < n; j++) {
        const gap = j - i - offset;
        const seen = gap >= -before && gap <= (causal ? 0 : after) && !(mask && mask[at(mask, h, i, j, input)] === 0);
        let score = 0;
        for (let c = 0; c < d; c++) score += q[(h * m + i) * d + c] * k[(h * n + j) * d + c];
        row[j] = seen ? score * scale + (bias ? bias[at(bias, h, i, j, input)] : 0) : -Infinity;
      }
      const largest = Math.max(...row);
      if (largest === -Infinity) {
        row.fill(0);
        continue;
      }
      let sum = 0;
      for (let j = 0; j < n; j++) sum += row[j] = Math.exp(row[j] - largest);
      for (let j = 0; j < n; j++) {
        row[j] /= sum;
        for (let c = 0; c < dv; c++) output[(h * m + i) * dv + c] += row[j] * v[(h * n + j) * dv + c];
      }
    }
  }
  return { weights, output };
}

export function plainGradients(input) {
  const { q, k, v, upstream, heads, m, n, d, dv, bias, scale = 1 / Math.sqrt(d) } = input;
  const { weights } = plainAttention(input);
  const slopes = { dq: new Float64Array(q.length), dk: new Float64Array(k.length), dv: new Float64Array(v.length),
    dbias: new Float64Array(bias?.length ?? 0) };
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < m; i++) {
      const row = weights.subarray((h * m + i) * n, (h * m + i + 1) * n);
      const up = upstream.subarray((h * m + i) * dv, (h * m + i + 1) * dv);
      const toWeight = row.map((_, j) => up.reduce((sum, u, c) => sum + u * v[(h * n + j) * dv + c], 0));
      const mean = row.reduce((sum, w, j) => sum + w * toWeight[j], 0);
      for (let j = 0; j < n; j++) {
        const toScore = row[j] * (toWeight[j] - mean);
        if (bias) slopes.dbias[at(bias, h, i, j, input)] += toScore;
        for (let c = 0; c < d; c++) {
          slopes.dq[(h * m + i) * d + c] += toScore * scale * k[(h * n + j) * d + c];
          slopes.dk[(h * n + j) * d + c] += toScore * scale * q[(h * m + i) * d + c];
        }
        for (let c = 0; c < dv; c++) slopes.dv[(h * n + j) * dv + c] += row[j] * up[c];
      }
    }
  }
  return slopes;
}
