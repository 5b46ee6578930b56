// SPDX-License-Identifier: Apache-2.0
import { get, set } from '../state/pointer.ts';
import type { Json } from '../engine/types.ts';
import type { TrainingDocument } from './messages.ts';
import type { words } from './words/en.ts';

/** A number of the document's `training` that a reader may move. */
export interface Setting {
  name: keyof typeof words & string;
  path: string;
  fallback: number;
  least: number;
  most: number;
  whole?: boolean;
  log?: boolean;
}

/** The optimisers of docs/training.md, in their own words. */
export const optimisers: Readonly<Record<string, string>> = { sgd: 'SGD', adam: 'Adam', adamw: 'AdamW' };

export const learning: readonly Setting[] = [
  { name: 'rate', path: '/training/optimiser/rate', fallback: 0.001, least: 0.0001, most: 0.1, log: true },
  { name: 'batch', path: '/training/batch', fallback: 32, least: 4, most: 128, whole: true, log: true },
  { name: 'steps', path: '/training/steps', fallback: 1000, least: 50, most: 10000, whole: true, log: true },
];
export const help: readonly Setting[] = [
  { name: 'wordDropout', path: '/training/word-dropout', fallback: 0, least: 0, most: 0.9 },
  { name: 'teacherForcing', path: '/training/teacher-forcing', fallback: 1, least: 0, most: 1 },
  { name: 'guide', path: '/training/guide', fallback: 0, least: 0, most: 2 },
];

export const valueOf = (document: TrainingDocument, { path, fallback }: Setting): number => {
  const value = get(document, path);
  return typeof value === 'number' ? value : fallback;
};

/** Where a value stands on its track, 0 to 1, and back. */
export const share = ({ least, most, log }: Setting, value: number): number =>
  log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
export function fromShare({ least, most, log, whole }: Setting, at: number): number {
  const value = log ? least * (most / least) ** at : least + at * (most - least);
  return whole ? Math.round(value) : Number(value.toPrecision(2));
}

/** The document with another value; the old one stays what it is. */
export function changed(document: TrainingDocument, path: string, value: Json): TrainingDocument {
  const copy = structuredClone(document);
  set(copy, path, value);
  return copy;
}
