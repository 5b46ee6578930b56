// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';

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
