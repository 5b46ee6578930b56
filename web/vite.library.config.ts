// SPDX-License-Identifier: Apache-2.0
// The engine as ES modules for programs, in build/web/engine/: index.js with attention.mjs, its two builds and
// catalogue.json
// beside it, fused.js and efficient.js with the fast kernels' two builds.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const out = path('../build/web/engine/');

export default defineConfig({
  publicDir: false,
  plugins: [
    {
      name: 'copy-module',
      writeBundle() {
        for (const file of ['attention.mjs', 'attention.wasm', 'attention-relaxed.wasm', 'attention.d.ts',
          'catalogue.json',
          'fused.mjs', 'fused.wasm', 'fused-relaxed.mjs', 'fused-relaxed.wasm',
          'efficient.mjs', 'efficient.wasm', 'efficient-relaxed.mjs', 'efficient-relaxed.wasm']) {
          copyFileSync(path(`../build/wasm/bin/${file}`), out + file);
        }
        // As modules, so that bundlers find the files by themselves.
        writeFileSync(`${out}catalogue.mjs`,
          `export default ${readFileSync(`${out}catalogue.json`, 'utf8').trim()};\n`);
        writeFileSync(`${out}builds.mjs`,
          "export const relaxedUrl = () => new URL('attention-relaxed.wasm', import.meta.url).href;\n");
      },
    },
  ],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    lib: {
      entry: { index: path('src/library/index.ts'), worker: path('src/library/worker.ts'),
        fused: path('src/library/fused/index.ts'), efficient: path('src/library/fused/efficient/index.ts'),
        'fused-worker': path('src/library/fused/pool-worker.ts') },
      formats: ['es'],
      fileName: (_format, name) => `${name}.js`,
    },
    rollupOptions: { external: [/(attention|builds|catalogue|fused|fused-relaxed|efficient|efficient-relaxed)\.mjs$/] },
  },
});
