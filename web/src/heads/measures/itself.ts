// SPDX-License-Identifier: Apache-2.0
import { type HeadMeasure, isSelf, lacksPositions, meanOfRows } from './measure.ts';

/** The share of a token's weight on itself. One token alone cannot do anything else, so it has no number. */
export const itself: HeadMeasure = {
  id: 'itself',
  unit: 'share',
  best: 'highest',
  lacks: lacksPositions,
  of: (map) => (isSelf(map) && map.rows > 1 ? meanOfRows(map.rows, (row) => map.at(row, row)) : undefined),
};
