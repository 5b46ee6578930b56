// SPDX-License-Identifier: Apache-2.0

/**
 * So many weights the page holds. Its engine has 1 GB: a file of float32 stays there (4 bytes a weight), and each of
 * the two documents that it keeps, and a third while it is compiled, has float64 (8) and float32 (4) of them
 * (docs/import.md has what was measured).
 */
export const MOST_NUMBERS = 16_000_000;
/** The words that come next are computed without being asked for where the weights have at most so many bytes. */
export const UNASKED = 64_000_000;
