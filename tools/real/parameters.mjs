// SPDX-License-Identifier: Apache-2.0
// The parameters of document.json out of the package's tensors.

export const HEADS = 4;
const WIDE = 512;
const INNER = 1536;
// How names of tensors end that the graph puts together from parts.
const CONCAT = 'ConcatPartitions/concat';

/** Columns `from` to `from + count` of a matrix with rows of `width`. */
function columns(data, width, from, count) {
  const rows = data.length / width;
  const part = new Float32Array(rows * count);
  for (let row = 0; row < rows; row++)
    part.set(data.subarray(row * width + from, row * width + from + count), row * count);
  return part;
}

// Q, K and V lie side by side in one matrix, and in each of them the heads: every head becomes a matrix of its own.
function heads(data, width, part) {
  const own = width / 3 / HEADS;
  const all = new Float32Array(data.length / 3);
  for (let head = 0; head < HEADS; head++)
    all.set(columns(data, width, part * (width / 3) + head * own, own), head * (all.length / HEADS));
  return all;
}

function layer({ tensor }, k, dim) {
  const stack = `Layer_${k}/TransformerLayer`;
  const attention = `${stack}/MultiheadAttention`;
  const product = tensor(`${attention}/qkv_transform_single/kernel/part_0`, [dim, 3 * dim]);
  const shift = tensor(`${attention}/qkv_transform_single/bias/${CONCAT}`, [3 * dim]);
  const vector = (name, width) => ({ shape: [width], data: tensor(`${stack}/${name}/${CONCAT}`, [width]) });
  const norm = (at, width) => ({
    gamma: vector(`${at}layer_prepostprocess/layer_norm/layer_norm_scale`, width),
    beta: vector(`${at}layer_prepostprocess/layer_norm/layer_norm_bias`, width),
  });
  const [first, second] = [norm('', dim), norm('FFN/', WIDE)];
  const n = k + 1;
  const own = dim / HEADS;
  return {
    [`attention-norm-${n}.gamma`]: first.gamma,
    [`attention-norm-${n}.beta`]: first.beta,
    ...Object.fromEntries(['Q', 'K', 'V'].flatMap((letter, part) => [
      [`attention-${n}.heads.W_${letter}`, { shape: [HEADS, dim, own], data: heads(product, 3 * dim, part) }],
      [`attention-${n}.heads.b_${letter}`, { shape: [HEADS, own], data: shift.slice(part * dim, (part + 1) * dim) }],
    ])),
    [`attention-${n}.heads.W_O`]: { shape: [dim, WIDE],
      data: tensor(`${attention}/output_transform_single/kernel/part_0`, [dim, WIDE]) },
    [`attention-${n}.heads.b_O`]: { shape: [WIDE],
      data: tensor(`${attention}/output_transform_single/bias/${CONCAT}`, [WIDE]) },
    [`feed-forward-norm-${n}.gamma`]: second.gamma,
    [`feed-forward-norm-${n}.beta`]: second.beta,
    [`feed-forward-${n}.W1`]: { shape: [WIDE, INNER],
      data: tensor(`${stack}/FFN/conv1/Tensordot/Reshape_1`, [WIDE, INNER]) },
    [`feed-forward-${n}.b1`]: vector('FFN/conv1/bias', INNER),
    [`feed-forward-${n}.W2`]: { shape: [INNER, WIDE],
      data: tensor(`${stack}/FFN/conv2/Tensordot/Reshape_1`, [INNER, WIDE]) },
    [`feed-forward-${n}.b2`]: vector('FFN/conv2/bias', WIDE),
  };
}

/** @returns {Record<string, {shape: number[], data: Float32Array}>} float32, by the names of the document */
export function parametersOf(model) {
  const { tensor } = model;
  return {
    'tokens.E': { shape: [8002, 256], data: tensor('module/Embeddings_en', [8002, 256]) },
    ...layer(model, 0, 256),
    'wider.W': { shape: [256, WIDE],
      data: tensor(`Layer_0/TransformerLayer/dense/kernel/${CONCAT}`, [256, WIDE]) },
    'wider.b': { shape: [WIDE], data: tensor(`Layer_0/TransformerLayer/dense/bias/${CONCAT}`, [WIDE]) },
    ...layer(model, 1, WIDE),
    'dense.W': { shape: [WIDE, WIDE], data: tensor('hidden_layers/tanh_layer_0/weights', [WIDE, WIDE]) },
    'dense.b': { shape: [WIDE], data: tensor('hidden_layers/tanh_layer_0/bias', [WIDE]) },
    // An RMS norm with this gamma divides a row by its length.
    'sentence.gamma': { shape: [WIDE], data: new Float32Array(WIDE).fill(1 / Math.sqrt(WIDE)) },
  };
}
