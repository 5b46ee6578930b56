// SPDX-License-Identifier: Apache-2.0
import { get, isObject, set } from '../engine/pointer.ts';
import type { JsonObject } from '../engine/types.ts';
import { typeOf } from '../state/catalogue.ts';
import { typedNumber } from '../strings/numerals.ts';
import type { TaskKnob, TrainingDocument } from './messages.ts';
import type { words } from './words/en.ts';

/** A number of the document's `training` that a reader may move. */
export interface Setting {
  name: string;
  path: string;
  fallback: number;
  least: number;
  most: number;
  whole?: boolean;
  log?: boolean;
  /** At this value there is no such setting. */
  none?: number;
  /** A share that readers know as a percentage. */
  percent?: boolean;
}

type Named = Setting & { name: keyof typeof words & string };

/** The optimisers of docs/training.md, in their own words. */
export const optimisers: Readonly<Record<string, string>> = { sgd: 'SGD', adam: 'Adam', adamw: 'AdamW' };
/** What of an optimiser's settings each of them has. */
const known: Readonly<Record<string, readonly string[]>> = {
  sgd: ['rate', 'momentum', 'nesterov', 'weight-decay'], adam: ['rate', 'beta1', 'beta2', 'eps', 'weight-decay'],
  adamw: ['rate', 'beta1', 'beta2', 'eps', 'weight-decay'],
};
/** How the rate goes, and how a drawn look may learn. */
export const schedules = ['constant', 'linear', 'cosine', 'inverse-square-root'] as const;
export const estimators = ['straight-through', 'reinforce', 'reinforce-baseline', 'moving-baseline'] as const;

export const learning: readonly Named[] = [
  { name: 'rate', path: '/training/optimiser/rate', fallback: 0.001, least: 0.0001, most: 0.1, log: true },
  { name: 'batch', path: '/training/batch', fallback: 32, least: 4, most: 128, whole: true, log: true },
  { name: 'steps', path: '/training/steps', fallback: 1000, least: 50, most: 10000, whole: true, log: true },
];
const momentum: Named = { name: 'momentum', path: '/training/optimiser/momentum', fallback: 0, least: 0, most: 0.99 };
const decay: Named =
  { name: 'weightDecay', path: '/training/optimiser/weight-decay', fallback: 0, least: 0, most: 0.5 };
const clip: Named = { name: 'clip', path: '/training/clip', fallback: 0, least: 0, most: 5, none: 0 };
const shares: Named =
  { name: 'shares', path: '/training/shares', fallback: 1, least: 1, most: 4, whole: true, none: 1 };
const warmup: Named =
  { name: 'warmup', path: '/training/schedule/warmup', fallback: 0, least: 0, most: 500, whole: true };
const end: Named = { name: 'rateAtEnd', path: '/training/schedule/end', fallback: 0, least: 0, most: 1 };
export const help: readonly Named[] = [
  { name: 'wordDropout', path: '/training/word-dropout', fallback: 0, least: 0, most: 0.9 },
  { name: 'dropout', path: '/training/dropout', fallback: 0, least: 0, most: 0.9 },
  { name: 'teacherForcing', path: '/training/teacher-forcing', fallback: 1, least: 0, most: 1 },
  { name: 'guide', path: '/training/guide', fallback: 0, least: 0, most: 2 },
];
const stopWords: Named =
  { name: 'stopWords', path: '/training/stop/accuracy', fallback: 0, least: 0, most: 1, none: 0, percent: true };
const stopLooks: Named =
  { name: 'stopLooks', path: '/training/stop/alignment', fallback: 0, least: 0, most: 1, none: 0,
    percent: true };
/** Every number that has words of its own. */
export const named: readonly Named[] = [...learning, ...help, momentum, decay, clip, shares, warmup,
  end, stopWords, stopLooks];

export const optimiserOf = (document: TrainingDocument): string =>
  typeOf(get(document, '/training/optimiser')) ?? 'adam';
export const scheduleOf = (document: TrainingDocument): string =>
  typeOf(get(document, '/training/schedule')) ?? 'constant';

/** What more can be set of how it learns, as far as the optimiser and the schedule at hand have it. */
export const finer = (document: TrainingDocument): readonly Named[] =>
  [...(optimiserOf(document) === 'sgd' ? [momentum] : []), decay, clip, shares];
export const finerOfSchedule = (document: TrainingDocument): readonly Named[] =>
  [warmup, ...(['linear', 'cosine'].includes(scheduleOf(document)) ? [end] : [])];
/** What it stops at: where it looks only where that is known. */
export const stops = (looks: boolean): readonly Named[] => (looks ? [stopWords, stopLooks] : [stopWords]);

/** A task's own number as a setting. */
export const ofTask = ({ name, default: usual, minimum, maximum, type }: TaskKnob): Setting =>
  ({ name, path: `/training/task/${name}`, fallback: Number(usual), least: minimum!, most: maximum!,
    whole: type === 'integer' });

// The engine's, where an optimiser has one of its own.
function fallbackOf(document: TrainingDocument, { path, fallback }: Setting): number {
  const type = optimiserOf(document);
  if (path === decay.path && type === 'adamw') return 0.01;
  return path === '/training/optimiser/rate' && type === 'sgd' ? 0.1 : fallback;
}

export const valueOf = (document: TrainingDocument, setting: Setting): number => {
  const value = get(document, setting.path);
  return typeof value === 'number' ? value : fallbackOf(document, setting);
};

/** What was typed for a setting: 95 and 95 % are the share 0.95. */
export function typed({ percent }: Setting, text: string): number {
  const value = typedNumber(percent ? text.replace(/[%٪]/, '') : text);
  return percent && (value > 1 || /[%٪]/.test(text)) ? value / 100 : value;
}

/** Where a value stands on its track, 0 to 1, and back. */
export const share = ({ least, most, log }: Setting, value: number): number =>
  log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least || 1);
export function fromShare({ least, most, log, whole }: Setting, at: number): number {
  const value = log ? least * (most / least) ** at : least + at * (most - least);
  return whole ? Math.round(value) : Number(value.toPrecision(2));
}

/** Another optimiser, with what it has in common with the one before. */
export function withOptimiser(document: TrainingDocument, type: string): JsonObject {
  const before = get(document, '/training/optimiser');
  const kept = Object.entries(isObject(before) ? before : {}).filter(([name]) => known[type]!.includes(name));
  return { type, ...Object.fromEntries(kept) };
}

/** Batches of fewer examples gain nothing from a second worker. */
const LEAST_DIVIDED = 16;

/** A new training, with its batches divided if two workers can train here and nothing in it needs a whole batch. */
export function divided(document: TrainingDocument, workers: number): TrainingDocument {
  const { training } = document;
  const { batch = 32, shares: given, estimator } = training as { batch?: number; shares?: number; estimator?: string };
  return workers < 2 || given !== undefined || batch < LEAST_DIVIDED || estimator === 'moving-baseline' ? document
    : { ...document, training: { ...training, shares: 2 } };
}

/** Removes a setting, and what held nothing but it. */
export function remove(document: JsonObject, path: string): void {
  set(document, path, undefined);
  const owner = path.slice(0, path.lastIndexOf('/'));
  const left = get(document, owner);
  if (owner !== '/training' && isObject(left) && Object.keys(left).length === 0) set(document, owner, undefined);
}
