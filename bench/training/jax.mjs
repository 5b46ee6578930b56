// SPDX-License-Identifier: Apache-2.0
// jax-js on its wasm backend trains: gradient and Adam in one function that its jit compiles.
import { opened } from '../engines/jax.mjs';
import { batch, batchOf, drawn, length, loss, start, vocabulary } from './models.mjs';

const rate = 1e-3, first = 0.9, second = 0.999, small = 1e-8;

export async function create() {
  const { version, numpy: np, nn, jit, valueAndGrad } = await opened();
  const rows = Array.from({ length }, (_, i) => Array.from({ length }, (_, j) => (j > i ? -1e9 : 0)));
  // An operand is used up unless a reference is taken: a value may be read twice here.
  const ops = {
    get causal() { return np.array(rows); },
    zeros: (shape) => np.zeros(shape),
    reshape: (x, shape) => x.ref.reshape(shape),
    transpose: (x, order) => np.transpose(x.ref, order),
    matmul: (x, y) => np.matmul(x.ref, y.ref),
    add: (x, y) => x.ref.add(y.ref),
    sub: (x, y) => x.ref.sub(y.ref),
    mul: (x, y) => x.ref.mul(y.ref),
    scale: (x, factor) => x.ref.mul(factor),
    sum: (x) => np.sum(x.ref),
    tanh: (x) => np.tanh(x.ref),
    sigmoid: (x) => nn.sigmoid(x.ref),
    relu: (x) => nn.relu(x.ref),
    softmax: (x) => nn.softmax(x.ref, -1),
    logSoftmax: (x) => nn.logSoftmax(x.ref, -1),
    standardise: (x) => nn.standardize(x.ref, -1),
    step: (x, t) => x.ref.slice([], t),
    columns: (x, from, count) => x.ref.slice([], [from, from + count]),
    concat: (parts) => np.concatenate(parts.map((part) => part.ref), -1),
    stack: (parts) => np.stack(parts.map((part) => part.ref), 1),
  };
  return {
    version: `jax-js ${version}`,
    open(model) {
      const begun = start(model), names = Object.keys(begun);
      const cost = (parameters, source, before) =>
        loss(ops, model, Object.fromEntries(names.map((name, i) => [name, parameters[i]])), { source, before });
      const update = jit((parameters, means, squares, scale, source, before) => {
        const [value, slopes] = valueAndGrad(cost)(parameters.map((p) => p.ref), source, before);
        const m = means.map((mean, i) => mean.mul(first).add(slopes[i].ref.mul(1 - first)));
        const v = squares.map((square, i) => square.mul(second).add(slopes[i].ref.mul(slopes[i]).mul(1 - second)));
        const [toMean, toSquare] = [scale.ref.slice(0), scale.slice(1)];
        const next = parameters.map((p, i) => p.sub(m[i].ref.mul(toMean.ref)
          .div(np.sqrt(v[i].ref.mul(toSquare.ref)).add(small))));
        return [value, next, m, v];
      });
      const random = drawn(2);
      let [parameters, means, squares] = [({ data, shape }) => np.array(data).reshape(shape),
        ({ shape }) => np.zeros(shape), ({ shape }) => np.zeros(shape)].map((make) => Object.values(begun).map(make));
      let steps = 0;
      return {
        step() {
          ++steps;
          const scale = np.array([rate / (1 - first ** steps), 1 / (1 - second ** steps)]);
          const { source, before } = batchOf(random);
          const words = [source, before].map((data) => np.array(data).reshape([batch, length, vocabulary]));
          let value;
          [value, parameters, means, squares] = update(parameters, means, squares, scale, ...words);
          return value.dataSync()[0];
        },
        close() {
          for (const one of [parameters, means, squares].flat()) one.dispose();
          update.dispose?.();
        },
      };
    },
  };
}
