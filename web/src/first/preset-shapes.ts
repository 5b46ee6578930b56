// SPDX-License-Identifier: Apache-2.0
import shapes from 'virtual:preset-shapes';
import type { Doc } from '../engine/types.ts';
import { titleOf } from '../state/model.ts';
import { shapeSum } from './notice.ts';

/**
 * Whether a document has the title of a preset, and something else than it: someone changed it and kept the title.
 * Undefined where no preset has its title.
 */
export function isOtherPreset(document: Doc): boolean | undefined {
  const sum = shapes[titleOf(document) ?? ''];
  return sum === undefined ? undefined : sum !== shapeSum(document);
}
