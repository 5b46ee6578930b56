// SPDX-License-Identifier: Apache-2.0
/** Where the build with relaxed SIMD lies; written by the build beside the module, so that bundlers find the file. */
export function relaxedUrl(): string;
