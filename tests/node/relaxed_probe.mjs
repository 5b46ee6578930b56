// SPDX-License-Identifier: Apache-2.0
// Ends well where this Node has relaxed SIMD: the build with it can then be run.
import { readFileSync } from "node:fs";

const file = new URL("../../build/wasm/bin/attention-relaxed.wasm", import.meta.url);
process.exit(WebAssembly.validate(readFileSync(file)) ? 0 : 1);
