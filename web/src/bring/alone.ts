// SPDX-License-Identifier: Apache-2.0
// Numbers that the open document has no use for, because its model looks words up: a document of their own.
import type { Doc } from '../engine/types.ts';
import type { Found } from './input-data.ts';

export type Matrix = Extract<Found, { kind: 'matrix' }>;

/**
 * The rows of a matrix attend to one another. Nothing is projected, so that every number of the page comes from those
 * that were given.
 */
export const aloneOf = ({ rows, labels }: Matrix, title: string): Doc => ({
  schema: 'attention-playground/1', title, seed: 1,
  inputs: { query: labels ? { tokens: labels, features: { type: 'matrix', matrix: rows } } : { matrix: rows } },
  mechanism: { type: 'attention', query: 'query-basic', score: 'scaled-dot', alignment: 'softmax' },
});
