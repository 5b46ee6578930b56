// SPDX-License-Identifier: Apache-2.0
// What is asked about a cell once somebody points at one: where it comes from by its parts, and what it goes into.
export { apart } from './shared-numbers.ts';
export { onward } from './dependents.ts';
