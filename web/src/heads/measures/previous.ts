// SPDX-License-Identifier: Apache-2.0
import { isSelf, lacksPositions, rowwise } from './measure.ts';

/** The share of a row's weight on the token before it; the first token has none. */
export const previous = rowwise({
  id: 'previous',
  unit: 'share',
  best: 'highest',
  lacks: lacksPositions,
  ofRow: (map) => (isSelf(map) ? (row) => (row === 0 ? undefined : map.at(row, row - 1)) : undefined),
});
