// SPDX-License-Identifier: Apache-2.0
import { entropy } from './entropy.ts';
import { first } from './first.ts';
import { induction } from './induction.ts';
import { itself } from './itself.ts';
import type { HeadMeasure } from './measure.ts';
import { previous } from './previous.ts';
import { same } from './same.ts';

/** All measures of a head, in the order in which the page and the digits 1 to 6 have them. */
export const measures: readonly HeadMeasure[] = [previous, first, itself, same, induction, entropy];
