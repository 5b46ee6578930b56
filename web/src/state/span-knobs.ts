// SPDX-License-Identifier: Apache-2.0
import type { Knob } from '../engine/types.ts';

/**
 * What a level is cut by: over the tokens, or over the parts that another cut made. The contract gives these knobs
 * their names.
 */
export const OVER: Readonly<Record<string, 'tokens' | 'spans'>> = { spans: 'tokens', documents: 'spans' };

/** Whether a knob holds spans, which are set beside the words and not in the panel. */
export const isCut = ({ name, type }: Knob): boolean => type === 'matrix' && OVER[name] !== undefined;
