// SPDX-License-Identifier: Apache-2.0
import { isSelf, lacksPositions, rowwise } from './measure.ts';

/** The share of a token's weight on itself. One token alone cannot do anything else, so it has no number. */
export const itself = rowwise({
  id: 'itself',
  unit: 'share',
  best: 'highest',
  lacks: lacksPositions,
  ofRow: (map) => (isSelf(map) && map.rows > 1 ? (row) => map.at(row, row) : undefined),
});
