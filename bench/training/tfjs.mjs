// SPDX-License-Identifier: Apache-2.0
// tfjs-backend-wasm trains: its own gradients and its own Adam.
import { opened } from '../engines/tfjs.mjs';
import { batch, batchOf, drawn, length, loss, start, vocabulary } from './models.mjs';

export async function create() {
  const tf = await opened({ gradients: true });
  const causal = tf.tensor(Float32Array.from({ length: length ** 2 },
    (_, i) => (i % length > Math.floor(i / length) ? -1e9 : 0)), [length, length]);
  const ops = {
    causal,
    zeros: (shape) => tf.zeros(shape),
    reshape: (x, shape) => tf.reshape(x, shape),
    transpose: (x, order) => tf.transpose(x, order),
    matmul: (x, y) => tf.matMul(x, y),
    add: (x, y) => tf.add(x, y),
    sub: (x, y) => tf.sub(x, y),
    mul: (x, y) => tf.mul(x, y),
    scale: (x, factor) => tf.mul(x, factor),
    sum: (x) => tf.sum(x),
    tanh: (x) => tf.tanh(x),
    sigmoid: (x) => tf.sigmoid(x),
    relu: (x) => tf.relu(x),
    softmax: (x) => tf.softmax(x),
    logSoftmax: (x) => tf.sub(x, tf.logSumExp(x, -1, true)),
    standardise(x) {
      const centred = tf.sub(x, tf.mean(x, -1, true));
      return tf.mul(centred, tf.rsqrt(tf.add(tf.mean(tf.mul(centred, centred), -1, true), 1e-5)));
    },
    step: (x, t) => tf.reshape(tf.slice(x, [0, t, 0], [-1, 1, -1]), [batch, -1]),
    columns: (x, from, count) => tf.slice(x, [0, from], [-1, count]),
    concat: (parts) => tf.concat(parts, -1),
    stack: (parts) => tf.stack(parts, 1),
  };
  return {
    version: `tfjs-backend-wasm ${tf.wasm.version_wasm}`,
    open(model) {
      const parameters = Object.fromEntries(Object.entries(start(model))
        .map(([name, { shape, data }]) => [name, tf.variable(tf.tensor(data, shape))]));
      const optimiser = tf.train.adam(1e-3, 0.9, 0.999, 1e-8);
      const random = drawn(2);
      return {
        step: () => tf.tidy(() => {
          const words = Object.fromEntries(Object.entries(batchOf(random))
            .map(([name, data]) => [name, tf.tensor(data, [batch, length, vocabulary])]));
          return optimiser.minimize(() => loss(ops, model, parameters, words), true).dataSync()[0];
        }),
        close() {
          for (const one of Object.values(parameters)) one.dispose();
          optimiser.dispose();
        },
      };
    },
  };
}
