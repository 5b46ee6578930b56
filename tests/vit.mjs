// SPDX-License-Identifier: Apache-2.0
// A small ViT as transformers saves it, and its forward pass in plain loops.
import { drawn } from './models.mjs';

export const SIZES = { width: 12, layers: 2, heads: 3, hidden: 20, patch: 4, image: 8, classes: 4 };
export const CONFIG = { model_type: 'vit', hidden_size: SIZES.width, num_hidden_layers: SIZES.layers,
  num_attention_heads: SIZES.heads, intermediate_size: SIZES.hidden, patch_size: SIZES.patch, image_size: SIZES.image,
  num_channels: 3, hidden_act: 'relu', layer_norm_eps: 1e-12,
  id2label: { 0: 'cat', 1: 'dog <b>', 2: 'قطار', 3: 'house' } };

export function vit({ width, layers, hidden, patch, image, classes } = SIZES) {
  const next = drawn(11);
  const tensor = (shape, scale = 0.5, about = 0) => ({ shape,
    data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => Math.fround(about + scale * next())) });
  const tensors = {};
  const linear = (name, from, to) => {
    tensors[`${name}.weight`] = tensor([to, from]);
    tensors[`${name}.bias`] = tensor([to]);
  };
  const norm = (name) => {
    tensors[`${name}.weight`] = tensor([width], 0.2, 1);
    tensors[`${name}.bias`] = tensor([width], 0.2);
  };
  const e = 'vit.embeddings.';
  tensors[`${e}cls_token`] = tensor([1, 1, width]);
  tensors[`${e}position_embeddings`] = tensor([1, (image / patch) ** 2 + 1, width]);
  tensors[`${e}patch_embeddings.projection.weight`] = tensor([width, 3, patch, patch]);
  tensors[`${e}patch_embeddings.projection.bias`] = tensor([width]);
  for (let i = 0; i < layers; i++) {
    const p = `vit.encoder.layer.${i}.`;
    for (const s of ['query', 'key', 'value']) linear(`${p}attention.attention.${s}`, width, width);
    linear(`${p}attention.output.dense`, width, width);
    linear(`${p}intermediate.dense`, width, hidden);
    linear(`${p}output.dense`, hidden, width);
    norm(`${p}layernorm_before`);
    norm(`${p}layernorm_after`);
  }
  norm('vit.layernorm');
  linear('classifier', width, classes);
  return tensors;
}

const softmax = (row) => {
  const most = Math.max(...row);
  const all = row.map((v) => Math.exp(v - most));
  const sum = all.reduce((a, b) => a + b);
  return all.map((v) => v / sum);
};

/** The probabilities of the classes for the numbers [row][column][channel] of a picture. */
export function seen(tensors, picture, { width, layers, heads, patch, image } = SIZES) {
  const get = (name) => tensors[name].data;
  const times = (x, name) => {
    const { shape: [to, from], data } = tensors[`${name}.weight`];
    return x.map((row) => Array.from({ length: to }, (_, c) =>
      row.reduce((sum, v, r) => sum + v * data[c * from + r], get(`${name}.bias`)[c])));
  };
  const norm = (x, name) => x.map((row) => {
    const mean = row.reduce((a, b) => a + b) / width;
    const scale = 1 / Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / width + 1e-12);
    return row.map((v, c) => (v - mean) * scale * get(`${name}.weight`)[c] + get(`${name}.bias`)[c]);
  });
  const add = (x, y) => x.map((row, i) => row.map((v, c) => v + y[i][c]));
  const e = 'vit.embeddings.';
  const side = image / patch;
  const kernel = get(`${e}patch_embeddings.projection.weight`);
  const patches = Array.from({ length: side * side }, (_, t) => Array.from({ length: width }, (_, o) => {
    let sum = get(`${e}patch_embeddings.projection.bias`)[o];
    for (let c = 0; c < 3; c++) for (let i = 0; i < patch; i++) for (let j = 0; j < patch; j++) {
      const [y, x] = [Math.floor(t / side) * patch + i, (t % side) * patch + j];
      sum += picture[(y * image + x) * 3 + c] * kernel[((o * 3 + c) * patch + i) * patch + j];
    }
    return sum;
  }));
  let x = [get(`${e}cls_token`), ...patches].map((row, t) => row.map((v, c) =>
    v + get(`${e}position_embeddings`)[t * width + c]));
  for (let layer = 0; layer < layers; layer++) {
    const p = `vit.encoder.layer.${layer}.`;
    const normed = norm(x, `${p}layernorm_before`);
    const [q, k, v] = ['query', 'key', 'value'].map((s) => times(normed, `${p}attention.attention.${s}`));
    const d = width / heads;
    const context = x.map((_, i) => Array.from({ length: heads }, (_, head) => {
      const part = (row) => row.slice(head * d, (head + 1) * d);
      const weights = softmax(k.map((key) =>
        part(q[i]).reduce((sum, a, c) => sum + a * part(key)[c], 0) / Math.sqrt(d)));
      return Array.from({ length: d }, (_, c) => weights.reduce((sum, w, j) => sum + w * part(v[j])[c], 0));
    }).flat());
    x = add(x, times(context, `${p}attention.output.dense`));
    const inner = times(norm(x, `${p}layernorm_after`), `${p}intermediate.dense`)
      .map((row) => row.map((a) => Math.max(0, a)));
    x = add(x, times(inner, `${p}output.dense`));
  }
  return softmax(times(norm(x, 'vit.layernorm').slice(0, 1), 'classifier')[0]);
}

/** The same as timm saves it: the matrices of queries, keys and values are one. */
export function timm(sizes = SIZES) {
  const tensors = vit(sizes);
  const stored = {};
  const joined = (names) => names.reduce(({ shape, data }, name) => ({
    shape: [shape[0] + tensors[name].shape[0], ...tensors[name].shape.slice(1)],
    data: [...data, ...tensors[name].data] }), { shape: [0], data: [] });
  for (const [from, to] of [['cls_token', 'cls_token'], ['position_embeddings', 'pos_embed']])
    stored[to] = tensors[`vit.embeddings.${from}`];
  for (const end of ['weight', 'bias']) {
    stored[`patch_embed.proj.${end}`] = tensors[`vit.embeddings.patch_embeddings.projection.${end}`];
    stored[`norm.${end}`] = tensors[`vit.layernorm.${end}`];
    stored[`head.${end}`] = tensors[`classifier.${end}`];
    for (let i = 0; i < sizes.layers; i++) {
      const p = `vit.encoder.layer.${i}.`;
      stored[`blocks.${i}.attn.qkv.${end}`] =
        joined(['query', 'key', 'value'].map((s) => `${p}attention.attention.${s}.${end}`));
      for (const [from, to] of [['attention.output.dense', 'attn.proj'], ['intermediate.dense', 'mlp.fc1'],
        ['output.dense', 'mlp.fc2'], ['layernorm_before', 'norm1'], ['layernorm_after', 'norm2']])
        stored[`blocks.${i}.${to}.${end}`] = tensors[`${p}${from}.${end}`];
    }
  }
  return stored;
}
