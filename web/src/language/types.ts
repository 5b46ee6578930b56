// SPDX-License-Identifier: Apache-2.0

/** What a head may attend to: its own piece, the one before, the first, the same piece before, what came after it. */
export type Look = 'itself' | 'before' | 'first' | 'same' | 'after';

/** Of one look the head that gives most weight to it, on average over so many rows. */
export interface LookingHead {
  /** The name of the map in the result: "layer-2.attention.weights". */
  map: string;
  /** Counted from 0. */
  head: number;
  look: Look;
  weight: number;
  rows: number;
}

/** What data/language.json holds: tools/language/train.mjs measures it. Shares are from 0 to 1. */
export interface Measured {
  numbers: number;
  bytes: number;
  /** How many different pieces it knows, and how many it was trained on. */
  pieces: number;
  read: number;
  steps: number;
  seconds: number;
  /** Passages that no step learned from, and the share of their pieces that it foretells. */
  heldOut: number;
  accuracy: number;
  bitsPerCharacter: number;
  /** Over so many passages: its share of right pieces, and that of a table of pairs. */
  passages: number;
  right: number;
  byPairs: number;
  /** Of a list of words that is read twice: the share that is right the second time. */
  repeated: number;
  heads: LookingHead[];
  /** A held-out passage, how the model goes on, and how the book does. */
  example: { begins: string; goesOn: string; book: string };
  seeds?: Record<string, { accuracy: number; repeated: number; heads: LookingHead[] }>;
}
