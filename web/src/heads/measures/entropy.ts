// SPDX-License-Identifier: Apache-2.0
import { rowwise } from './measure.ts';

/**
 * The mean entropy of the rows in bits: 0 where each row gives all its weight to one key, log2(n) where all keys get
 * the same. A row is divided by its sum first, because some mechanisms give rows that do not sum to 1; a row with
 * negative weights, or without any, is no distribution and does not count.
 */
export const entropy = rowwise({
  id: 'entropy',
  unit: 'bits',
  best: 'lowest',
  ofRow: (map) => (row) => {
    let sum = 0;
    for (let col = 0; col < map.cols; col++) {
      const weight = map.at(row, col);
      if (!(weight >= 0)) return undefined;
      sum += weight;
    }
    if (sum === 0) return undefined;
    let bits = 0;
    for (let col = 0; col < map.cols; col++) {
      const share = map.at(row, col) / sum;
      if (share > 0) bits -= share * Math.log2(share);
    }
    return bits;
  },
});
