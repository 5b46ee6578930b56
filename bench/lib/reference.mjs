// SPDX-License-Identifier: Apache-2.0
// What an engine should have computed, in double and plain loops, and how far it is from that.

function product(a, b, rows, inner, columns) {
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let l = 0; l < inner; l++) {
      const x = a[i * inner + l];
      for (let j = 0; j < columns; j++) out[i * columns + j] += x * b[l * columns + j];
    }
  }
  return out;
}

const dot = (a, i, b, j, width) => {
  let sum = 0;
  for (let c = 0; c < width; c++) sum += a[i + c] * b[j + c];
  return sum;
};

// Weights of one query, whose row begins at `row` and whose head begins at `head`.
function weightsOf(q, k, row, head, n, width) {
  const weights = new Float64Array(n);
  let largest = -Infinity;
  for (let j = 0; j < n; j++) {
    weights[j] = dot(q, row, k, head + j * width, width) / Math.sqrt(width);
    largest = Math.max(largest, weights[j]);
  }
  let sum = 0;
  for (let j = 0; j < n; j++) sum += weights[j] = Math.exp(weights[j] - largest);
  return weights.map((w) => w / sum);
}

// The context of one query, into out.
function contextOf(weights, v, head, width, out, at) {
  for (let j = 0; j < weights.length; j++) {
    for (let c = 0; c < width; c++) out[at + c] += weights[j] * v[head + j * width + c];
  }
}

// [n heads width] to [heads n width], or back with the first two extents exchanged.
function exchanged(x, first, second, width) {
  const out = new Float64Array(x.length);
  for (let i = 0; i < first; i++) {
    for (let j = 0; j < second; j++) {
      for (let c = 0; c < width; c++) out[(j * first + i) * width + c] = x[(i * second + j) * width + c];
    }
  }
  return out;
}

/** Gradients to q, k and v, one after the other. */
export function gradients({ q, k, v, upstream, n, heads, width }) {
  const size = heads * n * width;
  const out = new Float64Array(3 * size);
  const scale = 1 / Math.sqrt(width);
  for (let head = 0; head < size; head += n * width) {
    for (let row = head; row < head + n * width; row += width) {
      const weights = weightsOf(q, k, row, head, n, width);
      const slopes = weights.map((_, j) => dot(upstream, row, v, head + j * width, width));
      const mean = weights.reduce((sum, w, j) => sum + w * slopes[j], 0);
      for (let j = 0; j < n; j++) {
        const key = head + j * width;
        const slope = weights[j] * (slopes[j] - mean) * scale;
        for (let c = 0; c < width; c++) {
          out[row + c] += slope * k[key + c];
          out[size + key + c] += slope * q[row + c];
          out[2 * size + key + c] += weights[j] * upstream[row + c];
        }
      }
    }
  }
  return out;
}

function full({ x, wq, wk, wv, wo, n, heads, width, model }) {
  const [q, k, v] = [wq, wk, wv].map((w) => exchanged(product(x, w, n, model, model), n, heads, width));
  const context = new Float64Array(n * model);
  for (let row = 0; row < q.length; row += width) {
    const head = row - (row % (n * width));
    contextOf(weightsOf(q, k, row, head, n, width), v, head, width, context, row);
  }
  return product(exchanged(context, heads, n, width), wo, n, model, model);
}

/**
 * The largest difference between an engine's output and the reference. Of large maps 64 rows a head are
 * compared. Gradients are those to q, k and v, one after the other.
 */
export function difference(work, output) {
  const { n, heads, width, family, gradient } = work;
  if (family === 'full' || gradient) return apart(output, family === 'full' ? full(work) : gradients(work));
  if (output.length !== heads * n * width) throw new Error(`${output.length} numbers, not ${heads * n * width}`);
  const step = Math.max(1, Math.floor(n / 64));
  let worst = 0;
  for (let h = 0; h < heads; h++) {
    const head = h * n * width;
    for (let i = 0; i < n; i += step) {
      const row = head + i * width;
      const expected = new Float64Array(width);
      contextOf(weightsOf(work.q, work.k, row, head, n, width), work.v, head, width, expected, 0);
      worst = Math.max(worst, apart(output.subarray(row, row + width), expected));
    }
  }
  return worst;
}

function apart(a, b) {
  if (a.length !== b.length) throw new Error(`${a.length} numbers, not ${b.length}`);
  let worst = 0;
  // Written so that a NaN counts as far away.
  for (let i = 0; i < a.length; i++) if (!(Math.abs(a[i] - b[i]) <= worst)) worst = Math.abs(a[i] - b[i]);
  return worst;
}
