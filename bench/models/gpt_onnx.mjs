// SPDX-License-Identifier: Apache-2.0
// A model of GPT-2's shape as onnxruntime-web runs it: float32, or products of int8 with a scale for each column.
import { Graph, int64, microsoft } from './onnx.mjs';

/** Whole numbers from -127 to 127 and the scale of each column. */
function byColumn({ shape: [rows, columns], data }) {
  const scale = new Float32Array(columns);
  for (let i = 0; i < data.length; i++) scale[i % columns] = Math.max(scale[i % columns], Math.abs(data[i]) / 127);
  const whole = new Int8Array(rows * columns);
  for (let i = 0; i < data.length; i++) whole[i] = Math.round(data[i] / scale[i % columns]);
  return { whole, scale };
}

/**
 * The model as onnxruntime-web runs it: `ids` [rows] behind `past` earlier rows, whose keys and values are inputs
 * [heads past width/heads]; results are the last row's logits and the keys and values of all rows.
 */
export function onnx({ width, heads, layers, vocabulary }, tensors, { rows, past, bytes = false }) {
  const graph = new Graph();
  const deep = width / heads;
  const floats = (name, dims, values) => graph.constant(name, dims, Float32Array.from(values));
  const counts = (name, values) => graph.constant(name, [values.length], BigInt64Array.from(values.map(BigInt)));
  const kept = (name) => graph.constant(name, tensors[name].shape, tensors[name].data);
  const node = (type, input, name, attributes) => graph.node(type, input, name, attributes);
  const linear = (x, name) => {
    const bias = kept(`${name}.bias`);
    if (!bytes) return node('Add', [node('MatMul', [x, kept(`${name}.weight`)], `${name}.product`), bias], name);
    const { whole, scale } = byColumn(tensors[`${name}.weight`]);
    graph.constant(`${name}.whole`, tensors[`${name}.weight`].shape, whole);
    graph.constant(`${name}.scale`, [scale.length], scale);
    return node('DynamicQuantizeMatMul', [x, `${name}.whole`, `${name}.scale`, '', bias], name, { domain: microsoft });
  };
  const norm = (x, name) => node('LayerNormalization', [x, kept(`${name}.weight`), kept(`${name}.bias`)], name,
    { axis: -1, epsilon: 1e-5 });
  const inHeads = (x, name) => node('Transpose', [node('Reshape', [x, 'apart'], `${name}.apart`)], name,
    { perm: [1, 0, 2] });
  counts('apart', [rows, heads, deep]);
  counts('together', [rows, width]);
  floats('root', [1], [deep ** -0.5]);
  counts('thirds', [width, width, width]);
  counts('places', Array.from({ length: rows }, (_, i) => past + i));
  counts('last', [rows - 1]);
  if (rows > 1)
    floats('future', [rows, past + rows], Array.from({ length: rows * (past + rows) },
      (_, i) => (i % (past + rows) > past + Math.floor(i / (past + rows)) ? -1e9 : 0)));
  let x = node('Add', [node('Gather', [kept('wte.weight'), 'ids'], 'words'),
    node('Gather', [kept('wpe.weight'), 'places'], 'positions')], 'x');
  const inputs = { ids: { type: int64, dims: [rows] } };
  const outputs = {};
  for (let i = 0; i < layers; i++) {
    const h = `h.${i}`;
    node('Split', [linear(norm(x, `${h}.ln_1`), `${h}.attn.c_attn`), 'thirds'],
      ['q', 'k', 'v'].map((name) => `${h}.${name}_row`), { axis: 1 });
    const q = inHeads(`${h}.q_row`, `${h}.q`);
    const [k, v] = ['k', 'v'].map((n) => {
      const fresh = inHeads(`${h}.${n}_row`, past ? `${h}.${n}_new` : `${h}.${n}`);
      outputs[`${h}.${n}`] = [heads, past + rows, deep];
      if (!past) return fresh;
      inputs[`${h}.${n}_past`] = [heads, past, deep];
      return node('Concat', [`${h}.${n}_past`, fresh], `${h}.${n}`, { axis: 1 });
    });
    const turned = node('Transpose', [k], `${h}.turned`, { perm: [0, 2, 1] });
    let scores = node('Mul', [node('MatMul', [q, turned], `${h}.products`), 'root'], `${h}.scores`);
    if (rows > 1) scores = node('Add', [scores, 'future'], `${h}.causal`);
    const context = node('MatMul', [node('Softmax', [scores], `${h}.weights`, { axis: -1 }), v], `${h}.context`);
    const merged = node('Reshape', [node('Transpose', [context], `${h}.rows`, { perm: [1, 0, 2] }), 'together'],
      `${h}.merged`);
    x = node('Add', [x, linear(merged, `${h}.attn.c_proj`)], `${h}.attended`);
    const inner = node('FastGelu', [linear(norm(x, `${h}.ln_2`), `${h}.mlp.c_fc`)], `${h}.inner`,
      { domain: microsoft });
    x = node('Add', [x, linear(inner, `${h}.mlp.c_proj`)], `${h}.out`);
  }
  const row = node('Gather', [norm(x, 'ln_f'), 'last'], 'row');
  node('MatMul', [row, node('Transpose', ['wte.weight'], 'classes', { perm: [1, 0] })], 'logits');
  return graph.file(inputs, { logits: [1, vocabulary], ...outputs });
}
