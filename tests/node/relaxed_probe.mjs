// SPDX-License-Identifier: Apache-2.0
// Ends well where this Node has relaxed SIMD: the build with it can then be run.
// (func (param v128 v128) (result v128) local.get 0 local.get 1 i8x16.relaxed_swizzle)
const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const types = [1, 7, 1, 0x60, 2, 0x7b, 0x7b, 1, 0x7b];
const functions = [3, 2, 1, 0];
const code = [10, 11, 1, 9, 0, 0x20, 0, 0x20, 1, 0xfd, 0x80, 0x02, 0x0b];
process.exit(WebAssembly.validate(new Uint8Array([...header, ...types, ...functions, ...code])) ? 0 : 1);
