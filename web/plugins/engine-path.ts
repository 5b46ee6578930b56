// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The WebAssembly module is built from C++ before the page is.
const built = fileURLToPath(new URL('../../build/wasm/bin/attention.mjs', import.meta.url));
const mock = fileURLToPath(new URL('../src/engine/mock/attention.mjs', import.meta.url));

export const enginePath = existsSync(built) ? built : mock;
