// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite files of the works, for LiteRT.js. Numbers of fields, operators and options are those of the
// format's schema (schema.fbs, version 3); whatever is left out there has its default.
import { Builder } from 'flatbuffers';
import { work } from '../lib/work.mjs';

// code: of the operator; options: which member of the union of options, with how many fields; version: of the operator.
const operators = {
  fullyConnected: { code: 9, options: 8, fields: 4, version: 1 },
  multiply: { code: 18, options: 21, fields: 1, version: 1 },
  reshape: { code: 22, options: 17, fields: 1, version: 1 },
  softmax: { code: 25, options: 9, fields: 1, version: 1 },
  transpose: { code: 39, options: 26, fields: 0, version: 1 },
  batchProduct: { code: 126, options: 101, fields: 3, version: 2 },
};
const oldestLimit = 127; // codes above it stand in the newer field only

class Model {
  tensors = [];
  buffers = [undefined]; // the first is the empty one of everything that is computed
  steps = [];
  kinds = [];

  tensor(shape, values) {
    const buffer = values ? this.buffers.push(new Uint8Array(values.buffer)) - 1 : 0;
    return this.tensors.push({ shape, buffer, type: values instanceof Int32Array ? 2 : 0 }) - 1;
  }

  /** Adds a step and returns the tensor that it makes. */
  step(kind, inputs, shape, write = () => {}) {
    if (!this.kinds.includes(kind)) this.kinds.push(kind);
    const output = this.tensor(shape);
    this.steps.push({ kind, inputs, output, write });
    return output;
  }

  file(inputs, outputs) {
    const b = new Builder(1 << 16);
    const vector = (items, add) => {
      b.startVector(4, items.length, 4);
      for (const item of items.toReversed()) add(item);
      return b.endVector();
    };
    const ints = (items) => vector(items, (x) => b.addInt32(x));
    const offsets = (items) => vector(items, (x) => b.addOffset(x));
    const table = (fields, write) => {
      b.startObject(fields);
      write();
      return b.endObject();
    };
    const buffers = this.buffers.map((bytes) => {
      const data = bytes && this.#bytes(b, bytes);
      return table(1, () => data && b.addFieldOffset(0, data, 0));
    });
    const tensors = this.tensors.map(({ shape, buffer, type }, i) => {
      const name = b.createString(`t${i}`);
      const extents = ints(shape);
      return table(4, () => {
        b.addFieldOffset(0, extents, 0);
        b.addFieldInt8(1, type, 0);
        b.addFieldInt32(2, buffer, 0);
        b.addFieldOffset(3, name, 0);
      });
    });
    const steps = this.steps.map(({ kind, inputs: from, output, write }) => {
      const [read, made] = [ints(from), ints([output])];
      const options = table(operators[kind].fields, () => write(b));
      return table(5, () => {
        b.addFieldInt32(0, this.kinds.indexOf(kind), 0);
        b.addFieldOffset(1, read, 0);
        b.addFieldOffset(2, made, 0);
        b.addFieldInt8(3, operators[kind].options, 0);
        b.addFieldOffset(4, options, 0);
      });
    });
    const parts = [offsets(tensors), ints(inputs), ints(outputs), offsets(steps)];
    const graph = table(4, () => parts.forEach((part, i) => b.addFieldOffset(i, part, 0)));
    const codes = offsets(this.kinds.map((kind) => {
      const { code, version } = operators[kind];
      return table(4, () => {
        b.addFieldInt8(0, Math.min(code, oldestLimit), 0);
        b.addFieldInt32(2, version, 1);
        b.addFieldInt32(3, code, 0);
      });
    }));
    const [graphs, data] = [offsets([graph]), offsets(buffers)];
    const model = table(5, () => {
      b.addFieldInt32(0, 3, 0);
      b.addFieldOffset(1, codes, 0);
      b.addFieldOffset(2, graphs, 0);
      b.addFieldOffset(4, data, 0);
    });
    b.finish(model, 'TFL3');
    return b.asUint8Array();
  }

  // Aligned by 16, as XNNPACK wants its weights.
  #bytes(b, bytes) {
    b.startVector(1, bytes.length, 16);
    for (let i = bytes.length - 1; i >= 0; i--) b.addInt8((bytes[i] << 24) >> 24);
    return b.endVector();
  }
}

function attention(model, { heads, n, width }, q, k, v) {
  const scale = model.tensor([1], Float32Array.of(1 / Math.sqrt(width)));
  const scaled = model.step('multiply', [q, scale], [heads, n, width]);
  const scores = model.step('batchProduct', [scaled, k], [heads, n, n],
    (b) => b.addFieldInt8(1, 1, 0)); // the second is turned
  const weights = model.step('softmax', [scores], [heads, n, n], (b) => b.addFieldFloat32(0, 1, 0));
  return model.step('batchProduct', [weights, v], [heads, n, width]);
}

function turned(matrix, size) {
  return Float32Array.from(matrix, (_, i) => matrix[(i % size) * size + Math.floor(i / size)]);
}

export function tflite(id) {
  const task = work(id);
  const { n, heads, width, model: size, family } = task;
  const model = new Model();
  if (family !== 'full') {
    const inputs = ['q', 'k', 'v'].map(() => model.tensor([heads, n, width]));
    return model.file(inputs, [attention(model, task, ...inputs)]);
  }
  const exchange = model.tensor([3], Int32Array.of(1, 0, 2));
  const split = model.tensor([3], Int32Array.of(n, heads, width));
  const joined = model.tensor([2], Int32Array.of(n, size));
  const project = (x, name) => {
    const weights = model.tensor([size, size], turned(task[name], size));
    return model.step('fullyConnected', [x, weights, -1], [n, size]); // -1: no bias
  };
  const x = model.tensor([n, size]);
  const parts = ['wq', 'wk', 'wv'].map((name) => {
    const rows = model.step('reshape', [project(x, name), split], [n, heads, width]);
    return model.step('transpose', [rows, exchange], [heads, n, width]);
  });
  const merged = model.step('transpose', [attention(model, task, ...parts), exchange], [n, heads, width]);
  const rows = model.step('reshape', [merged, joined], [n, size]);
  return model.file([x], [project(rows, 'wo')]);
}
