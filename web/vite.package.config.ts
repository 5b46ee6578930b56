// SPDX-License-Identifier: Apache-2.0
// The npm package, ready to be packed: build/npm/. Runs after vite.library.config.ts, whose files it takes.
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vite';
import { engineFiles } from './plugins/engine-files.ts';
import { gather } from './plugins/gather.ts';
import { language } from './plugins/language.ts';
import { learned } from './plugins/learned.ts';
import { real } from './plugins/real.ts';
import page from './vite.config.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
// Each worker is built by itself and knows nothing of the others' names, so that a name given twice would overwrite a
// file: a worker whose folder is not listed stops the build.
const WORKERS = { train: 'training-worker.js', efficient: 'tiles-worker.js', models: 'models-worker.js',
  engine: 'element-worker.js' };
const worker = ({ facadeModuleId }: { facadeModuleId?: string | null }) => {
  const folder = /\/src\/([^/]+)\//.exec(facadeModuleId ?? '')?.[1];
  const file = WORKERS[folder as keyof typeof WORKERS];
  if (!file) throw new Error(`vite.package.config.ts: no file for the worker ${facadeModuleId}`);
  return file;
};
const { build: _pageBuild, plugins, ...shared } = page as Record<string, unknown>;

export default defineConfig(mergeConfig(shared, {
  publicDir: false,
  plugins: [...(plugins as unknown[]).filter((p) =>
    !['offline', 'oembed', 'real', 'learned', 'language', 'engine-files'].includes((p as { name: string }).name)),
    real(false), learned(false), language(false), engineFiles(true), gather(path('../build/npm/'))],
  worker: { format: 'es', rollupOptions:
    { output: { entryFileNames: worker, assetFileNames: '[name][extname]',
    chunkFileNames: 'chunks/[name]-[hash].js' } } },
  build: {
    outDir: path('../build/npm/'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: { element: path('src/package/element.ts'), anywidget: path('src/package/anywidget.ts') },
      preserveEntrySignatures: 'strict',
      output: {
        format: 'es',
        entryFileNames: (chunk: { name: string }) => (chunk.name === 'anywidget' ? 'anywidget.mjs' : '[name].js'),
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: (asset: { names?: string[] }) =>
          (asset.names?.some((n) => n.endsWith('.woff2')) ? 'fonts/[name][extname]' : '[name][extname]'),
      },
    },
  },
}));
