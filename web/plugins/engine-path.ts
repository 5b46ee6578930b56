// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';

// The WebAssembly module is built from C++ before the page is.
export const enginePath = fileURLToPath(
  new URL('../../build/wasm/bin/attention.mjs', import.meta.url),
);
