// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { firstPaint } from './plugins/first-paint.ts';
import { presets } from './plugins/presets.ts';
import { offline } from './plugins/offline.ts';
import { oembed } from './plugins/oembed.ts';
import { katexStyles } from './plugins/katex-styles.ts';
import { basicFonts } from './plugins/basic-fonts.ts';
import { cataloguePath, enginePath } from './plugins/engine-path.ts';

const SHARED = /node_modules\/(@?lit)|web\/src\/(part|later|colour|styles|state\/(catalogue|pointer)|strings\/en\.|engine\/result|flow\/(names|matrix|paint|dense|legend|highlight|modules|write)|card\/bars)/;

export default defineConfig({
  base: './',
  plugins: [basicFonts(), katexStyles(), firstPaint(), presets(), offline(), oembed()],
  resolve: {
    alias: {
      'attention-engine': enginePath,
      'attention-catalogue': cataloguePath,
      // The engine's module asks for it in Node only.
      'node:module': fileURLToPath(new URL('./src/engine/no-node.ts', import.meta.url)),
    },
  },
  server: { fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] } },
  worker: { format: 'es' },
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined assets would be data: addresses, which the page's policy forbids.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: ['index.html', 'embed.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      // What the first picture shares with parts that come later is one file, not ten: it packs better.
      output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] } },
    },
    modulePreload: { polyfill: false },
  },
});
