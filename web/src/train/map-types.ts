// SPDX-License-Identifier: Apache-2.0
import type { Dimension } from '../engine/types.ts';
import type { MapEntry } from './messages.ts';

const DIMENSIONS: readonly Dimension[] = [{ role: 'head' }, { role: 'query' }, { role: 'key' }];

/** A map of a pinned example, with the types that a result's directory would give it. */
export const typedMap = (entry: MapEntry): MapEntry => ({ role: 'weights', kind: 'probability',
  dimensions: [...DIMENSIONS], ...entry });
