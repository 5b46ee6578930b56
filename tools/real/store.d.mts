// SPDX-License-Identifier: Apache-2.0
import type { Matrix } from './parameters.mjs';

export declare function bytesByColumn(matrix: Matrix): { bytes: Int8Array; scale: Matrix };
