// SPDX-License-Identifier: Apache-2.0
import type { Tensor } from '../engine/result.ts';

/** The loss of the whole document, where that of its only module is the same number. */
export function secondLoss(all: readonly Tensor[]): Tensor | undefined {
  const losses = all.filter(({ role, shape }) => role === 'loss' && shape.length === 0);
  return losses.length === 2 && losses[0]!.data[0] === losses[1]!.data[0] ? losses.find(({ within }) => !within)
    : undefined;
}
