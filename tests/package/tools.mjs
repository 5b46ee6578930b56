// SPDX-License-Identifier: Apache-2.0
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { works } from './browser.mjs';
import { command, project, tool } from './install.mjs';

const html = (script) => `<!doctype html><title>app</title><attention-playground `
  + `compact></attention-playground><script type="module" src="${script}"></script>`;

// What an app does with it: the element on the page, and the engine by itself.
const experiment = `{ schema: 'attention-playground/1', inputs: { x: { tokens: ['a', 'b'], features: { type: `
  + `'embedding', dim: 4 } } }, mechanism: { query: 'self-attention' } }`;
const uses = (before, options, fusedOptions) => `
${before}
import { load } from 'attention-playground';
import { loadFused } from 'attention-playground/fused';
import 'attention-playground/element';
const one = new Float32Array([1]);
const [result, fused] = await Promise.all([load(${options}).then((p) => p.run(${experiment})), loadFused(${
  fusedOptions})]);
if (fused.attention({ q: one, k: one, v: one,
  d: 1 }).output[0] === 1) document.title = 'rows ' + result.outputs.weights.shape.join();
`;
const plain = uses('', '{}', '{}');

async function inVite(app, name, serve) {
  const { createServer, build, preview } = await tool('vite');
  const root = project(app, name, { 'index.html': html('/main.js'), 'main.js': plain });
  const shared = { root, configFile: false, logLevel: 'error', optimizeDeps: { exclude: ['attention-playground'] },
    build: { target: 'es2022' } };
  if (serve) {
    const server = await createServer({ ...shared, server: { port: 0, host: '127.0.0.1', fs: { allow: [app] } } });
    await server.listen();
    return { address: `http://127.0.0.1:${server.httpServer.address().port}/`, close: () => server.close() };
  }
  await build(shared);
  const server = await preview({ ...shared, preview: { port: 0, host: '127.0.0.1' } });
  return { address: `http://127.0.0.1:${server.httpServer.address().port}/`, close: () => server.httpServer.close() };
}

export const tools = [
  {
    name: 'Node runs it',
    async run({ app }) {
      const folder = project(app, 'node',
        { 'main.js':
        `import { load } from 'attention-playground';\nimport { loadFused,
          loadPool } from 'attention-playground/fused';\nimport { readFileSync } from 'node:fs';
const input = { q: new Float32Array(4), k: new Float32Array(4), v: new Float32Array([1, 2, 3, 4]), d: 2 };
const pool = await loadPool({ threads: 2, from: 0 });
console.log((await loadFused()).attention(input).output.join(), pool.workers,
  (await pool.attention(input)).output.join());
const r = await (await load()).run(${experiment});\nconsole.log(r.outputs.weights.shape.join());
console.log(readFileSync(new URL(import.meta.resolve('attention-playground/attention.wasm'))).subarray(1,
  4).toString());` });
      const said = command('node', ['main.js'], folder).trim();
      if (said !== '2,3,2,3 1 2,3,2,3\n2,2\nasm') throw new Error(`Node says: ${said}`);
    },
  },
  {
    name: 'Vite serves it while developing',
    async run({ app }) {
      const server = await inVite(app, 'vite-dev', true);
      await works(server.address).finally(server.close);
    },
  },
  {
    name: 'Vite builds it',
    async run({ app }) {
      const server = await inVite(app, 'vite-build', false);
      await works(server.address).finally(server.close);
    },
  },
  {
    name: 'webpack bundles it',
    async run({ app }) {
      const { default: webpack } = await tool('webpack');
      const root = project(app, 'webpack', { 'main.js': plain });
      const config = { mode: 'production', context: root, entry: './main.js',
        output: { path: join(root, 'out'), module: true, filename: 'main.js' }, experiments: { outputModule: true },
        performance: { hints: false } };
      const stats = await new Promise((done, no) =>
        webpack(config, (error, result) => (error ? no(error) : done(result))));
      if (stats.hasErrors() || stats.hasWarnings())
        throw new Error(stats.toString({ all: false, errors: true, warnings: true }));
      project(app, 'webpack/out', { 'index.html': html('./main.js') });
      await works(join(root, 'out'));
    },
  },
  {
    name: 'esbuild bundles it, told where the WebAssembly is',
    async run({ app }) {
      const esbuild = await tool('esbuild');
      const before = `import wasmUrl from 'attention-playground/attention.wasm';
import fusedUrl from 'attention-playground/fused.wasm';
import translate from 'attention-playground/translate.safetensors';
import { configure } from 'attention-playground/element';
configure({ wasmUrl, weightsUrls: { 'translate.safetensors': translate } });`;
      const root = project(app, 'esbuild', { 'main.js': uses(before, '{ wasmUrl }', '{ wasmUrl: fusedUrl }') });
      const { warnings } = await esbuild.build({
        absWorkingDir: root, entryPoints: ['main.js'], bundle: true, splitting: true, format: 'esm', outdir: 'out',
        target: 'es2022', publicPath: '/', loader: { '.wasm': 'file', '.safetensors': 'file' }, logLevel: 'silent',
      });
      if (warnings.length > 0) throw new Error(JSON.stringify(warnings, null, 1));
      project(app, 'esbuild/out', { 'index.html': html('./main.js') });
      // It does not move the worker and the fonts: computed in the page's thread, in the system's font.
      await works(join(root, 'out'), { missing: /worker|woff2/ });
    },
  },
  {
    name: 'a bare page loads it by script type=module, under a strict policy',
    async run({ app }) {
      const root = project(app, 'bare',
        { 'main.js': plain.replaceAll(`'attention-playground'`, `'./package/index.js'`)
        .replaceAll(`'attention-playground/fused'`, `'./package/fused.js'`)
        .replaceAll(`'attention-playground/element'`, `'./package/element.js'`), 'index.html': html('./main.js') });
      mkdirSync(join(root, 'package'));
      cpSync(join(app, 'node_modules', 'attention-playground'), join(root, 'package'), { recursive: true });
      await works(root, { strict: true });
    },
  },
];
