// SPDX-License-Identifier: Apache-2.0
import type { Matrix } from './parameters.mjs';

export declare function forward(p: Record<string, Matrix>, ids: number[]): {
  /** [layer][head][query][key] */
  weights: number[][][][];
  vector: number[];
};
