// SPDX-License-Identifier: Apache-2.0
export * from './fused.mjs';
export { default } from './fused.mjs';
