// SPDX-License-Identifier: Apache-2.0
// LiteRT.js: TensorFlow Lite with XNNPACK. It has no gradients.
const folder = '/bench/node_modules/@litertjs/core/';

export async function create({ threads = 1 } = {}) {
  const { loadLiteRt, loadAndCompile, Tensor } = await import(`${folder}dist/index.js`);
  await loadLiteRt(`${folder}wasm/`, { threads: threads > 1 });
  const { version } = await (await fetch(`${folder}package.json`)).json();
  return {
    version: `LiteRT.js ${version}`,
    can: ({ gradient }) => !gradient,
    async prepare({ id, family, n, heads, width, model, x, q, k, v }) {
      const compiled = await loadAndCompile(`/build/bench/models/${id}.tflite`,
        { accelerator: 'wasm', cpuOptions: { numThreads: threads } });
      const inputs = family === 'full' ? [new Tensor(x, [n, model])]
        : [q, k, v].map((data) => new Tensor(data, [heads, n, width]));
      let last;
      return {
        async run() {
          const [result] = await compiled.run(inputs);
          last = result.toTypedArray().slice();
          result.delete();
        },
        output: () => last,
        free() {
          for (const input of inputs) input.delete();
          compiled.delete();
        },
      };
    },
  };
}
