// SPDX-License-Identifier: Apache-2.0
// The engine as ES modules for programs, in build/web/engine/: index.js with attention.mjs and attention.wasm beside it, fused.js
// with the fast kernels' two builds.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const out = path('../build/web/engine/');

// Each build of the small module with a loader of its own, which names its file: so bundlers find both.
function copyFused(preset: string, name: string): void {
  const from = path(`../build/${preset}/bin/`);
  copyFileSync(`${from}fused.wasm`, `${out}${name}.wasm`);
  writeFileSync(`${out}${name}.mjs`, readFileSync(`${from}fused.mjs`, 'utf8').replaceAll('"fused.wasm"', `"${name}.wasm"`));
}

export default defineConfig({
  publicDir: false,
  plugins: [
    {
      name: 'copy-module',
      writeBundle() {
        for (const file of ['attention.mjs', 'attention.wasm', 'attention.d.ts']) {
          copyFileSync(path(`../build/wasm/bin/${file}`), out + file);
        }
        copyFused('wasm', 'fused');
        copyFused('wasm-relaxed', 'fused-relaxed');
      },
    },
  ],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    lib: {
      entry: { index: path('src/library/index.ts'), worker: path('src/library/worker.ts'), fused: path('src/library/fused/index.ts'), 'fused-worker': path('src/library/fused/pool-worker.ts') },
      formats: ['es'],
      fileName: (_format, name) => `${name}.js`,
    },
    rollupOptions: { external: [/(attention|fused|fused-relaxed)\.mjs$/] },
  },
});
