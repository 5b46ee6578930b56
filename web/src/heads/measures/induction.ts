// SPDX-License-Identifier: Apache-2.0
import { type HeadMeasure, isSelf, meanOfRows } from './measure.ts';

/**
 * The share of a row's weight on the tokens that followed earlier occurrences of the row's own token: what a head does
 * that copies what came next the last time (Olsson et al. 2022, arXiv:2209.11895). Only tokens that occurred before
 * count. A token directly behind its own double follows it itself, which copies nothing.
 */
export const induction: HeadMeasure = {
  id: 'induction',
  unit: 'share',
  best: 'highest',
  lacks: (map) => (!map.keys ? 'tokens' : isSelf(map) ? 'earlier' : 'self'),
  of: (map) => {
    const { keys } = map;
    if (!keys || !isSelf(map)) return undefined;
    return meanOfRows(map.rows, (row) => {
      let [sum, found] = [0, false];
      for (let earlier = 0; earlier + 1 < row; earlier++) {
        if (keys[earlier] !== keys[row]) continue;
        found = true;
        sum += map.at(row, earlier + 1);
      }
      return found ? sum : undefined;
    });
  },
};
