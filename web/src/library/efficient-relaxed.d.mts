// SPDX-License-Identifier: Apache-2.0
export * from './efficient.mjs';
export { default } from './efficient.mjs';
