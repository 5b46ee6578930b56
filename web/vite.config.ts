// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { firstFile } from './plugins/first-files.ts';
import { firstPreloads } from './plugins/first-preloads.ts';
import { firstPaint } from './plugins/first-paint.ts';
import { presets } from './plugins/presets.ts';
import { presetShapes } from './plugins/preset-shapes.ts';
import { offline } from './plugins/offline.ts';
import { oneByte } from './plugins/one-byte.ts';
import { oembed } from './plugins/oembed.ts';
import { katexStyles } from './plugins/katex-styles.ts';
import { basicFonts } from './plugins/basic-fonts.ts';
import { devPolicy } from './plugins/dev-policy.ts';
import { doors } from './plugins/doors.ts';
import { measured } from './plugins/measured.ts';
import { real } from './plugins/real.ts';
import { language } from './plugins/language.ts';
import { languages } from './plugins/languages.ts';
import { learned } from './plugins/learned.ts';
import { engineFiles } from './plugins/engine-files.ts';
import { cataloguePath, engineIsBuilt, enginePath, importPath, needsEngine, trainingPath }
  from './plugins/engine-path.ts';
import { standIn } from './plugins/stand-in.ts';

const built = engineIsBuilt();

export default defineConfig({
  base: './',
  // The pictures of trained systems and models are computed, so the recordings have none of these.
  plugins: [needsEngine(), standIn(), basicFonts(), katexStyles(), firstPaint(), measured(), doors(), real(built),
    learned(built), language(built), languages(), engineFiles(), presets(), presetShapes(), oneByte(), firstPreloads(),
    offline(), oembed(), devPolicy()],
  resolve: {
    alias: {
      ...(built ? { 'attention-engine': enginePath, 'attention-training': trainingPath,
        'attention-import': importPath, 'attention-catalogue': cataloguePath } : {}),
      // The engine's module asks for it in Node only.
      'node:module': fileURLToPath(new URL('./src/engine/no-node.ts', import.meta.url)),
    },
  },
  server: { fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] } },
  worker: { format: 'es', plugins: () => [oneByte()] },
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined assets would be data: addresses, which the page's policy forbids.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: ['index.html', 'embed.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      output: { codeSplitting: { groups: [{ name: firstFile, debugName: 'first' }] } },
    },
    modulePreload: false,
  },
});
