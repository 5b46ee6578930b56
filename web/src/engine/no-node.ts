// SPDX-License-Identifier: Apache-2.0

/** Stands for `node:module` in the browser, where the engine's module never calls it. */
export function createRequire(): never {
  throw new Error('there is no require in a browser');
}
