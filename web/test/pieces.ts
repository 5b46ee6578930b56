// SPDX-License-Identifier: Apache-2.0
import type { Piece } from '../src/take/in-pieces.ts';

/** The text of a file that is written in pieces. */
export const textOf = (pieces: Iterable<Piece>): string => Array.from(pieces, ({ part }) => part).join('');

/** Its bytes, where it is no text. */
export const bytesOf = (pieces: Iterable<Piece>): Uint8Array =>
  Uint8Array.from(Array.from(pieces, ({ part }) => (typeof part === 'string' ? [] : [...part])).flat());
