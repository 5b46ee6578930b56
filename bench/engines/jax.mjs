// SPDX-License-Identifier: Apache-2.0
// jax-js on its wasm backend, compiled by its jit; gradients by its own vjp.
/** jax-js on its wasm backend, one thread, with its version. */
export async function opened() {
  // Where it finds shared memory it takes more threads.
  Object.defineProperty(globalThis, 'SharedArrayBuffer', { value: undefined, configurable: true });
  const folder = '/bench/node_modules/@jax-js/jax/';
  const jax = await import(`${folder}dist/index.js`);
  const { version } = await (await fetch(`${folder}package.json`)).json();
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  return { ...jax, version };
}

export async function create() {
  const { version, numpy: np, nn, jit, vjp } = await opened();

  const turned = (k) => np.transpose(k, [0, 2, 1]);
  const attention = (width) => (q, k, v) =>
    np.matmul(nn.softmax(np.matmul(q.mul(1 / Math.sqrt(width)), turned(k)), -1), v);
  const multiHead = ({ n, heads, width, model }) => (x, wq, wk, wv, wo) => {
    const split = (w, rows) => np.transpose(np.matmul(rows, w).reshape([n, heads, width]), [1, 0, 2]);
    const [q, k] = [split(wq, x.ref), split(wk, x.ref)];
    const context = attention(width)(q, k, split(wv, x));
    return np.matmul(np.transpose(context, [1, 0, 2]).reshape([n, model]), wo);
  };
  return {
    version: `jax-js ${version}`,
    can: () => true,
    async prepare(task) {
      const { n, heads, width, model, family, gradient } = task;
      const names = family === 'full' ? ['x', 'wq', 'wk', 'wv', 'wo']
        : ['q', 'k', 'v', ...(gradient ? ['upstream'] : [])];
      const inputs = names.map((name) =>
        np.array(task[name]).reshape(family !== 'full' ? [heads, n, width]
        : name === 'x' ? [n, model] : [model, model]));
      const forward = family === 'full' ? multiHead(task) : attention(width);
      const compute = jit(gradient
        ? (q, k, v, upstream) => {
          const [context, back] = vjp(forward, [q, k, v]);
          context.dispose();
          const slopes = back(upstream);
          back.dispose?.();
          return slopes;
        }
        : (...all) => [forward(...all)]);
      let last;
      return {
        run() {
          last = compute(...inputs.map((input) => input.ref)).map((result) => result.dataSync());
        },
        output: () => Float32Array.from(last.flatMap((data) => [...data])),
        free() {
          for (const input of inputs) input.dispose();
          compute.dispose?.();
        },
      };
    },
  };
}
