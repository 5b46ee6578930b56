// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { languages } from './plugins/languages.ts';
import { presetShapes } from './plugins/preset-shapes.ts';

// These define elements of the page or change what the whole page has, its language or its letters: each gets its
// own page. All others share one page per thread, cleared between files, because making a page for each file takes
// longer than the tests themselves.
const ALONE = ['catalogue-views', 'colour', 'lecture-parts', 'paint', 'prepare', 'take-whole', 'timeline', 'today',
  'true', 'words-missing'].map((name) => `test/${name}.test.ts`);

const common = { environment: 'happy-dom', testTimeout: 60_000, pool: 'threads' as const,
  setupFiles: ['test/at-once.ts'] };

export default defineConfig({
  plugins: [languages(), presetShapes()],
  // What the build knows of the real model: here it does not ship.
  resolve: { alias: { 'virtual:real': join(import.meta.dirname, 'test/no-model.ts') } },
  test: {
    projects: [
      { extends: true, test: { ...common, name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          ...common, name: 'together', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false,
          setupFiles: ['test/at-once.ts', 'test/cleared.ts'],
        },
      },
    ],
  },
});
