// SPDX-License-Identifier: Apache-2.0
// The models of bench/training.py over the few operations that an engine in the browser gives (`ops`), so that two
// engines train one and the same thing: shapes of the parameters, and the loss of a batch.
export const vocabulary = 39, length = 8, batch = 32;

/** A Transformer's parameters: the names are torch's, shortened. */
function transformerShapes(width, inner) {
  const shapes = { source: [vocabulary, width], target: [vocabulary, width] };
  const attention = (name) => {
    for (const part of ['q', 'k', 'v', 'o']) {
      shapes[`${name}.${part}`] = [width, width];
      shapes[`${name}.${part}.bias`] = [width];
    }
  };
  const norm = (name) => Object.assign(shapes, { [`${name}.gain`]: [width], [`${name}.shift`]: [width] });
  for (const side of ['read', 'write']) {
    for (const layer of [0, 1]) {
      const name = `${side}${layer}`;
      attention(`${name}.self`);
      norm(`${name}.norm1`);
      if (side === 'write') {
        attention(`${name}.cross`);
        norm(`${name}.norm2`);
      }
      Object.assign(shapes, { [`${name}.in`]: [width, inner], [`${name}.in.bias`]: [inner] });
      Object.assign(shapes, { [`${name}.out`]: [inner, width], [`${name}.out.bias`]: [width] });
      norm(`${name}.norm3`);
    }
    norm(side);
  }
  return Object.assign(shapes, { out: [width, vocabulary], 'out.bias': [vocabulary] });
}

/** Rows of a table, as a product with ones and zeros: no engine here has the gradient of a gather in WebAssembly. */
const embedded = (ops, ones, table) =>
  ops.reshape(ops.matmul(ops.reshape(ones, [batch * length, vocabulary]), table), [batch, length, -1]);

const lines = (ops, x, rows) => ops.reshape(x, [rows, -1]);

function transformer(ops, p, { source, before }) {
  const width = 64, heads = 4, rows = batch * length;
  const linear = (x, name) => ops.add(ops.matmul(x, p[name]), p[`${name}.bias`]);
  const split = (x) => ops.transpose(ops.reshape(x, [batch, length, heads, width / heads]), [0, 2, 1, 3]);
  const attention = (name, x, memory, mask) => {
    const [q, k, v] = [['q', x], ['k', memory], ['v', memory]].map(([part, of]) =>
      split(linear(of, `${name}.${part}`)));
    const scores = ops.scale(ops.matmul(q, ops.transpose(k, [0, 1, 3, 2])), 1 / Math.sqrt(width / heads));
    const weights = ops.softmax(mask ? ops.add(scores, mask) : scores);
    return linear(lines(ops, ops.transpose(ops.matmul(weights, v), [0, 2, 1, 3]), rows), `${name}.o`);
  };
  const norm = (x, name) => ops.add(ops.mul(ops.standardise(x), p[`${name}.gain`]), p[`${name}.shift`]);
  const forward = (x, name) => linear(ops.relu(linear(x, `${name}.in`)), `${name}.out`);
  let x = lines(ops, embedded(ops, source, p.source), rows);
  for (const name of ['read0', 'read1']) {
    x = norm(ops.add(x, attention(`${name}.self`, x, x)), `${name}.norm1`);
    x = norm(ops.add(x, forward(x, name)), `${name}.norm3`);
  }
  const memory = norm(x, 'read');
  let y = lines(ops, embedded(ops, before, p.target), rows);
  for (const name of ['write0', 'write1']) {
    y = norm(ops.add(y, attention(`${name}.self`, y, y, ops.causal)), `${name}.norm1`);
    y = norm(ops.add(y, attention(`${name}.cross`, y, memory)), `${name}.norm2`);
    y = norm(ops.add(y, forward(y, name)), `${name}.norm3`);
  }
  return linear(norm(y, 'write'), 'out');
}

function rnnShapes(width) {
  const cell = (name, inputs) => ({ [`${name}.in`]: [inputs, 3 * width], [`${name}.in.bias`]: [3 * width],
    [`${name}.state`]: [width, 3 * width], [`${name}.state.bias`]: [3 * width] });
  return { source: [vocabulary, width], target: [vocabulary, width], ...cell('there', width), ...cell('back', width),
    first: [2 * width, width], 'first.bias': [width], query: [width, width], key: [2 * width, width],
    'key.bias': [width], score: [width, 1], ...cell('cell', 3 * width), out: [3 * width, vocabulary],
    'out.bias': [vocabulary] };
}

function rnnsearch(ops, p, { source, before }) {
  const width = 32;
  const linear = (x, name) => ops.add(ops.matmul(x, p[name]), p[`${name}.bias`]);
  // One product for the inputs of all words, as cuDNN and torch do it.
  const gru = (name, input, state) => {
    const own = linear(state, `${name}.state`);
    const [r, z] = [0, 1].map((i) => ops.sigmoid(
      ops.add(ops.columns(input, i * width, width), ops.columns(own, i * width, width))));
    const n = ops.tanh(ops.add(ops.columns(input, 2 * width, width), ops.mul(r, ops.columns(own, 2 * width, width))));
    return ops.add(n, ops.mul(z, ops.sub(state, n)));
  };
  const words = embedded(ops, source, p.source);
  const read = (name, order) => {
    const inputs = ops.reshape(linear(lines(ops, words, batch * length), `${name}.in`), [batch, length, -1]);
    const states = [];
    let state = ops.zeros([batch, width]);
    for (const t of order) states[t] = state = gru(name, ops.step(inputs, t), state);
    return [states, state];
  };
  const order = Array.from({ length }, (_, t) => t);
  const [there, last] = read('there', order);
  const [back, first] = read('back', order.toReversed());
  const memory = ops.stack(order.map((t) => ops.concat([there[t], back[t]])));             // [batch, length, 2 width]
  const keys = ops.reshape(linear(lines(ops, memory, batch * length), 'key'), [batch, length, width]);
  const asked = embedded(ops, before, p.target);
  let state = ops.tanh(linear(ops.concat([last, first]), 'first'));
  const said = [];
  for (const t of order) {
    const query = ops.reshape(ops.matmul(state, p.query), [batch, 1, width]);
    const mixed = ops.reshape(ops.tanh(ops.add(keys, query)), [batch * length, width]);
    const weights = ops.softmax(ops.reshape(ops.matmul(mixed, p.score), [batch, 1, length]));
    const context = ops.reshape(ops.matmul(weights, memory), [batch, 2 * width]);
    state = gru('cell', linear(ops.concat([ops.step(asked, t), context]), 'cell.in'), state);
    said.push(linear(ops.concat([state, context]), 'out'));
  }
  return ops.reshape(ops.stack(said), [batch * length, vocabulary]);
}

export const models = {
  rnnsearch: { shapes: rnnShapes(32), logits: rnnsearch },
  transformer: { shapes: transformerShapes(64, 256), logits: transformer },
};

/** The mean of -log p(word) over a batch, of shape []. */
export function loss(ops, model, parameters, words) {
  const logits = models[model].logits(ops, parameters, words);
  const right = ops.reshape(words.source, [batch * length, vocabulary]);
  return ops.scale(ops.sum(ops.mul(right, ops.logSoftmax(logits))), -1 / (batch * length));
}

/** Numbers from a seed, the same for every engine (Lehmer's generator). */
export function drawn(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Parameters as arrays: uniform within 1/sqrt(width), gains one. */
export function start(model) {
  const random = drawn(1);
  return Object.fromEntries(Object.entries(models[model].shapes).map(([name, shape]) => {
    const count = shape.reduce((a, b) => a * b, 1);
    const bound = 1 / Math.sqrt(shape.at(-1));
    return [name, { shape, data: Float32Array.from({ length: count },
      () => (name.endsWith('.gain') ? 1 : bound * (2 * random() - 1))) }];
  }));
}

/** A batch of words to copy, as ones and zeros [batch, length, vocabulary], and what the decoder reads. */
export function batchOf(random) {
  const source = new Float32Array(batch * length * vocabulary), before = source.slice();
  for (let row = 0; row < batch; row++) {
    let last = 0;
    for (let t = 0; t < length; t++) {
      const place = (row * length + t) * vocabulary, word = 3 + Math.floor(random() * (vocabulary - 3));
      source[place + word] = 1;
      before[place + last] = 1;
      last = word;
    }
  }
  return { source, before };
}
