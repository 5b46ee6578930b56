// SPDX-License-Identifier: Apache-2.0

/**
 * So many weights the page holds. Its engine has 1 GB: it takes a file of float32 in (4 bytes a weight), reads it as
 * float64 (8), and computes in float32 (4), and a text needs room beside them (docs/import.md has what was measured).
 */
export const MOST_NUMBERS = 44_000_000;
/** The words that come next are computed without being asked for where the weights have at most so many bytes. */
export const UNASKED = 64_000_000;
