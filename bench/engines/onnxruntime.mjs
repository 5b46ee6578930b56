// SPDX-License-Identifier: Apache-2.0
// onnxruntime-web on its CPU (wasm) backend, with plain ONNX operators: faster than its fused ones at most sizes.
const folder = '/bench/node_modules/onnxruntime-web/dist/';

export async function create({ threads = 1 } = {}) {
  const ort = await import(`${folder}ort.wasm.min.mjs`);
  ort.env.wasm.wasmPaths = new URL(folder, location.href).href;
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return {
    version: `onnxruntime-web ${ort.env.versions.web ?? ort.env.versions.common}`,
    can: () => true,
    async prepare({ id, n, heads, width, model, gradient, ...data }) {
      const file = new Uint8Array(await (await fetch(`/build/bench/models/${id}.onnx`)).arrayBuffer());
      const session = await ort.InferenceSession.create(file,
        { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
      const feeds = Object.fromEntries(session.inputNames.map((name) => {
        const shape = name === 'x' ? [n, model] : [heads, n, width];
        return [name, new ort.Tensor('float32', data[name], shape)];
      }));
      const wanted = gradient ? ['dq', 'dk', 'dv'] : session.outputNames;
      let last;
      return {
        run: async () => { last = await session.run(feeds); },
        output: () => Float32Array.from(wanted.flatMap((name) => [...last[name].data])),
        free: () => session.release(),
      };
    },
  };
}
