// SPDX-License-Identifier: Apache-2.0
import type { Model } from './package.mjs';

export interface Matrix {
  shape: number[];
  data: Float32Array;
}
export declare const HEADS: number;
export declare function parametersOf(model: Model): Record<string, Matrix>;
