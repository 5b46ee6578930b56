// SPDX-License-Identifier: Apache-2.0
import { isSelf, rowwise } from './measure.ts';

/**
 * The share of a row's weight on the first token, by all other tokens: a sink (Xiao et al. 2023, arXiv:2309.17453).
 * Where queries and keys are other tokens, all rows count.
 */
export const first = rowwise({
  id: 'first',
  unit: 'share',
  best: 'highest',
  lacks: () => 'second',
  ofRow: (map) => {
    const self = isSelf(map);
    return map.cols < 2 ? undefined : (row) => (self && row === 0 ? undefined : map.at(row, 0));
  },
});
