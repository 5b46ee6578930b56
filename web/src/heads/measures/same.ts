// SPDX-License-Identifier: Apache-2.0
import { type HeadMeasure, isSelf, meanOfRows } from './measure.ts';

/**
 * The share of a row's weight on equal tokens elsewhere. Only tokens that occur again count. Between two texts the
 * equal tokens of the other text count.
 */
export const same: HeadMeasure = {
  id: 'same',
  unit: 'share',
  best: 'highest',
  lacks: (map) => (!map.keys || !map.queries ? 'tokens' : isSelf(map) ? 'repeats' : 'shared'),
  of: (map) => {
    const { queries, keys } = map;
    if (!queries || !keys) return undefined;
    const self = isSelf(map);
    return meanOfRows(map.rows, (row) => {
      let [sum, found] = [0, false];
      for (let col = 0; col < map.cols; col++) {
        if ((self && col === row) || keys[col] !== queries[row]) continue;
        found = true;
        sum += map.at(row, col);
      }
      return found ? sum : undefined;
    });
  },
};
