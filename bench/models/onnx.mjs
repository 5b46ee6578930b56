// SPDX-License-Identifier: Apache-2.0
// ONNX files of the works, for onnxruntime-web. The field numbers are those of onnx.proto, version 8 of the format.
import protobuf from 'protobufjs';
import { work } from '../lib/work.mjs';

const types = protobuf.parse(`
  syntax = "proto2";
  message Model { optional int64 ir_version = 1; optional string producer_name = 2; optional Graph graph = 7;
    repeated Opset opset_import = 8; }
  message Opset { optional string domain = 1; optional int64 version = 2; }
  message Graph { repeated Node node = 1; optional string name = 2; repeated Tensor initializer = 5;
    repeated Value input = 11; repeated Value output = 12; }
  message Node { repeated string input = 1; repeated string output = 2; optional string name = 3;
    optional string op_type = 4; repeated Attribute attribute = 5; optional string domain = 7; }
  message Attribute { optional string name = 1; optional float f = 2; optional int64 i = 3; repeated int64 ints = 8;
    optional int32 type = 20; }
  message Tensor { repeated int64 dims = 1; optional int32 data_type = 2; optional string name = 8;
    optional bytes raw_data = 9; }
  message Value { optional string name = 1; optional Type type = 2; }
  message Type { optional TensorType tensor_type = 1; }
  message TensorType { optional int32 elem_type = 1; optional Shape shape = 2; }
  message Shape { repeated Dim dim = 1; }
  message Dim { optional int64 dim_value = 1; }`, { keepCase: true }).root;

export const float = 1;
const int8 = 3;
export const int64 = 7;
const attributeTypes = { f: 1, i: 2, ints: 7 };
/** Operators of onnxruntime's own. */
export const microsoft = 'com.microsoft';

const typeOf = (values) => (values instanceof BigInt64Array ? int64 : values instanceof Int8Array ? int8 : float);
const kindOf = (value) => (Array.isArray(value) ? 'ints' : Number.isInteger(value) ? 'i' : 'f');

export class Graph {
  nodes = [];
  constants = new Map();

  /** One of a name that is there already stays. */
  constant(name, dims, values) {
    const raw_data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    if (!this.constants.has(name)) this.constants.set(name, { dims, data_type: typeOf(values), name, raw_data });
    return name;
  }

  /** Adds a node and returns the name of what it makes; of several names the first. */
  node(op_type, input, output, { domain = '', ...attributes } = {}) {
    const attribute = Object.entries(attributes).map(([name, value]) =>
      ({ name, [kindOf(value)]: value, type: attributeTypes[kindOf(value)] }));
    const names = [output].flat();
    this.nodes.push({ input, output: names, name: names[0], op_type, attribute, domain });
    return names[0];
  }

  /** `inputs`: a shape, or { type, dims } where they are no floats. */
  file(inputs, outputs) {
    const values = (list) => Object.entries(list).map(([name, is]) => {
      const { type, dims } = Array.isArray(is) ? { type: float, dims: is } : is;
      const shape = { dim: dims.map((dim_value) => ({ dim_value })) };
      return { name, type: { tensor_type: { elem_type: type, shape } } };
    });
    const graph = { node: this.nodes, name: 'attention', initializer: [...this.constants.values()],
      input: values(inputs), output: values(outputs) };
    const model = { ir_version: 8, producer_name: 'attention-playground', graph,
      opset_import: [{ domain: '', version: 17 }, { domain: microsoft, version: 1 }] };
    const Model = types.lookupType('Model');
    return Model.encode(Model.fromObject(model)).finish();
  }
}

function attention(graph, q, k, v) {
  const turned = graph.node('Transpose', [k], 'keys_turned', { perm: [0, 2, 1] });
  const scores = graph.node('Mul', [graph.node('MatMul', [q, turned], 'products'), 'scale'], 'scores');
  const weights = graph.node('Softmax', [scores], 'weights', { axis: -1 });
  return graph.node('MatMul', [weights, v], 'context');
}

// The gradient written out: that of the softmax needs only the row sums of context times upstream.
function backward(graph) {
  const turn = (name) => graph.node('Transpose', [name], `${name}_turned`, { perm: [0, 2, 1] });
  graph.node('MatMul', [turn('weights'), 'upstream'], 'dv');
  const slopes = graph.node('MatMul', ['upstream', turn('v')], 'slopes');
  graph.constant('last', [1], BigInt64Array.of(-1n));
  const sums = graph.node('ReduceSum', [graph.node('Mul', ['upstream', 'context'], 'shares'), 'last'], 'sums',
    { keepdims: 1 });
  graph.node('Mul', ['weights', graph.node('Sub', [slopes, sums], 'centred')], 'dscores');
  graph.node('MatMul', ['dscores', graph.node('Mul', ['k', 'scale'], 'k_scaled')], 'dq');
  graph.node('MatMul', [turn('dscores'), graph.node('Mul', ['q', 'scale'], 'q_scaled')], 'dk');
}

function multiHead(graph, { n, heads, width, model, ...weights }) {
  graph.constant('heads_shape', [3], BigInt64Array.of(BigInt(n), BigInt(heads), BigInt(width)));
  graph.constant('model_shape', [2], BigInt64Array.of(BigInt(n), BigInt(model)));
  for (const name of ['wq', 'wk', 'wv', 'wo']) graph.constant(name, [model, model], weights[name]);
  const [q, k, v] = ['q', 'k', 'v'].map((name) => {
    const rows = graph.node('MatMul', ['x', `w${name}`], `${name}_rows`);
    return graph.node('Transpose', [graph.node('Reshape', [rows, 'heads_shape'], `${name}_split`)], name,
      { perm: [1, 0, 2] });
  });
  const merged = graph.node('Transpose', [attention(graph, q, k, v)], 'merged', { perm: [1, 0, 2] });
  graph.node('MatMul', [graph.node('Reshape', [merged, 'model_shape'], 'rows'), 'wo'], 'y');
}

export function onnx(id) {
  const task = work(id);
  const { n, heads, width, model, family, gradient } = task;
  const graph = new Graph();
  graph.constant('scale', [], Float32Array.of(1 / Math.sqrt(width)));
  if (family === 'full') {
    multiHead(graph, task);
    return graph.file({ x: [n, model] }, { y: [n, model] });
  }
  const shape = [heads, n, width];
  attention(graph, 'q', 'k', 'v');
  if (!gradient) return graph.file({ q: shape, k: shape, v: shape }, { context: shape });
  backward(graph);
  return graph.file({ q: shape, k: shape, v: shape, upstream: shape },
    { context: shape, dq: shape, dk: shape, dv: shape });
}
