// SPDX-License-Identifier: Apache-2.0
import measured from 'virtual:measured';
import type { Doc, JsonObject } from '../engine/types.ts';
import type { Store } from '../state/store.ts';

/** How well a trained model does on examples that it never saw. */
export interface Figures {
  /** The file of weights that was measured. */
  from: string;
  /** How many examples were kept apart. */
  heldOut: number;
  /** Shares: words right, rows that look most at what their word means, and at that or what it agrees with. */
  accuracy: number;
  alignment: number;
  agrees: number;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const weightsOf = (document: Doc): unknown => (document['parameters'] as JsonObject | undefined)?.['from'];

/** The figures that were measured of the document's weights, and whether the model around them still is that model. */
export function figuresOf(store: Store): { figures: Figures; holds: boolean } | undefined {
  const { documents: { document }, example } = store;
  if (weightsOf(document) !== measured.from) return undefined;
  return { figures: measured, holds: same(document['model'], example['model'])
    && same(document['parameters'], example['parameters']) };
}
