// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

// The WebAssembly module is built from C++ before the page is.
export const enginePath = fileURLToPath(
  new URL('../../build/wasm/bin/attention.mjs', import.meta.url),
);

// The same engine behind the functions of a training.
export const trainingPath = fileURLToPath(new URL('../../build/wasm/bin/training.mjs', import.meta.url));

// The readers of models from other programs.
export const importPath = fileURLToPath(new URL('../../build/wasm/bin/import.mjs', import.meta.url));

// The catalogue with its words, written by the same build.
export const cataloguePath = fileURLToPath(new URL('../../build/wasm/bin/catalogue.json', import.meta.url));

export const engineIsBuilt = (): boolean => existsSync(enginePath);

/** A page is built with the engine only. The development server answers from recordings without it (stand-in.ts). */
export function needsEngine(): Plugin {
  return {
    name: 'needs-engine',
    apply: 'build',
    configResolved() {
      if (engineIsBuilt()) return;
      throw new Error(`The engine is not built: ${enginePath} is missing. Run ./play --build once, or copy the folder `
        + 'build/wasm from a checkout in which it is built.');
    },
  };
}
