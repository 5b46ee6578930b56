// SPDX-License-Identifier: Apache-2.0

/**
 * So many bytes of weights the page holds: the engine has them as their file has them, in at most 2 GB, and so has the
 * module that writes words (docs/import.md has what was measured).
 */
export const MOST_BYTES = 800_000_000;
/**
 * Weights of at most so many bytes take no time that anybody notices: the words that come next are computed without
 * being asked for, and the browser's copy is made at once.
 */
export const UNASKED = 64_000_000;
