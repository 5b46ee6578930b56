// SPDX-License-Identifier: Apache-2.0
/** The catalogue with its words, written by the build: catalogue.json as a module, so that bundlers find it. */
declare const catalogue: unknown;
export default catalogue;
