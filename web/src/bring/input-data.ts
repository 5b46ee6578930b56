// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '../engine/types.ts';
import type { Arrived } from '../state/parse.ts';

/** What was understood of a text or file. */
export type Found =
  | { kind: 'words'; tokens: string[] }
  | { kind: 'matrix'; rows: number[][]; labels?: string[] | undefined; columns?: string[] | undefined }
  | { kind: 'tensor'; shape: number[]; data: number[] }
  | { kind: 'inputs'; given: { name: string; rows: number[][] }[] }
  | ({ kind: 'document' } & Arrived)
  | { kind: 'lesson'; value: JsonObject; title: string }
  | { kind: 'wrong'; why: string };

export const MOST_ROWS = 512;
export const MOST_NUMBERS = 65_536;
export const LONGEST_TEXT = 4_000_000;
/** A saved experiment holds its trained weights, too. */
export const LONGEST_FILE = 16_000_000;
