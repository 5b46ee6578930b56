// SPDX-License-Identifier: Apache-2.0
import { type HeadMeasure, isSelf, lacksPositions, meanOfRows } from './measure.ts';

/** The share of a row's weight on the token before it; the first token has none. */
export const previous: HeadMeasure = {
  id: 'previous',
  unit: 'share',
  best: 'highest',
  lacks: lacksPositions,
  of: (map) => (isSelf(map) ? meanOfRows(map.rows, (row) => (row === 0 ? undefined : map.at(row, row - 1)))
    : undefined),
};
