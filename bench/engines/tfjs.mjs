// SPDX-License-Identifier: Apache-2.0
// tfjs-backend-wasm, tuned: one product of matrices a head and turned keys, the way that reaches XNNPACK; the
// gradient by hand, since its own is many times slower.
const folder = '/bench/node_modules/@tensorflow/';

const script = (address) => new Promise((resolve, reject) => {
  const element = Object.assign(document.createElement('script'),
    { src: address, onload: resolve, onerror: () => reject(new Error(address)) });
  document.head.append(element);
});

function attention(tf, q, k, v) {
  const scores = tf.matMul(tf.mul(q, 1 / Math.sqrt(q.shape[1])), tf.transpose(k));
  const weights = tf.softmax(scores);
  return { weights, context: tf.matMul(weights, v) };
}

function backward(tf, q, k, v, upstream) {
  const scale = 1 / Math.sqrt(q.shape[1]);
  const { weights, context } = attention(tf, q, k, v);
  const slopes = tf.matMul(upstream, tf.transpose(v));
  const sums = tf.sum(tf.mul(upstream, context), -1, true);
  const scores = tf.mul(tf.mul(weights, tf.sub(slopes, sums)), scale);
  return [tf.matMul(scores, k), tf.matMul(tf.transpose(scores), q), tf.matMul(tf.transpose(weights), upstream)];
}

/** tfjs on its wasm backend, one thread; the gradients of its operations are in the whole package only. */
export async function opened({ gradients = false } = {}) {
  await script(folder + (gradients ? 'tfjs/dist/tf.min.js' : 'tfjs-core/dist/tf-core.min.js'));
  await script(`${folder}tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(`${folder}tfjs-backend-wasm/dist/`);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tf.setBackend('wasm');
  await tf.ready();
  return tf;
}

export async function create() {
  const tf = await opened();
  const each = (parts, f) => tf.stack(parts[0].map((_, h) => f(...parts.map((part) => part[h]))));
  const split = (x, { n, heads, width }) => tf.unstack(tf.transpose(tf.reshape(x, [n, heads, width]), [1, 0, 2]));
  return {
    version: `tfjs-backend-wasm ${tf.wasm.version_wasm}`,
    can: () => true,
    async prepare(task) {
      const { n, heads, width, model, family, gradient } = task;
      const names = family === 'full' ? ['x', 'wq', 'wk', 'wv', 'wo']
        : ['q', 'k', 'v', ...(gradient ? ['upstream'] : [])];
      const inputs = names.map((name) =>
        tf.tensor(task[name], family !== 'full' ? [heads, n, width] : name === 'x' ? [n, model] : [model, model]));
      const compute = () => {
        if (family === 'full') {
          const [x, wq, wk, wv, wo] = inputs;
          const parts = [wq, wk, wv].map((w) => split(tf.matMul(x, w), task));
          const context = each(parts, (...head) => attention(tf, ...head).context);
          return [tf.matMul(tf.reshape(tf.transpose(context, [1, 0, 2]), [n, model]), wo)];
        }
        const parts = heads === 1 ? inputs.map((input) => [tf.reshape(input, [n, width])])
          : inputs.map((input) => tf.unstack(input));
        if (!gradient) return [heads === 1 ? attention(tf, ...parts.flat()).context
          : each(parts, (...head) => attention(tf, ...head).context)];
        const all = parts[0].map((_, h) => backward(tf, ...parts.map((part) => part[h])));
        return [0, 1, 2].map((i) => (heads === 1 ? all[0][i] : tf.stack(all.map((one) => one[i]))));
      };
      let last;
      return {
        run() {
          const results = tf.tidy(compute);
          last = results.map((result) => result.dataSync());
          for (const result of results) result.dispose();
        },
        output: () => Float32Array.from(last.flatMap((data) => [...data])),
        free: () => { for (const input of inputs) input.dispose(); },
      };
    },
  };
}
