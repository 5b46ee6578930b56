// SPDX-License-Identifier: Apache-2.0
// The moments that the reader keeps for a lecture, in this browser where it lets us.
import { signal } from '@preact/signals-core';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { parse } from '../state/parse.ts';
import { type Moment, MOST, shortened } from '../state/lecture.ts';
import { keepText, recalled } from '../engine/stored.ts';

const KEY = 'attention-playground.lecture';
/** Browsers give a site about five million characters; the rest of the page needs some, too. */
const MOST_LETTERS = 1_000_000;

export type Kept = Moment;

/** A step of a training, under a name. */
export interface KeptStep {
  step: number;
  name: string;
}

interface Memory {
  moments: readonly Kept[];
  /** Steps of the training of this document. */
  training: string;
  steps: readonly KeptStep[];
}

const NOTHING: Memory = { moments: [], training: '', steps: [] };
const listIn = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? value.filter(isObject).slice(0, MOST) : []);

/** What of it can be trusted: another page of the same site may have written anything there. */
export function read(text: string | null): Memory {
  if (text === null) return NOTHING;
  try {
    const value = JSON.parse(text) as Json;
    if (!isObject(value)) return NOTHING;
    const moments = listIn(value['moments']).flatMap(({ name, document }) => {
      const found = parse(JSON.stringify(document));
      return 'document' in found ? [{ name: shortened(name), document: found.document }] : [];
    });
    const steps = listIn(value['steps']).flatMap(({ step, name }) =>
      (Number.isInteger(step) && Number(step) >= 0 ? [{ step: Number(step), name: shortened(name) }] : []));
    return { moments, training: typeof value['training'] === 'string' ? value['training'] : '', steps };
  } catch {
    return NOTHING;
  }
}

const memory = signal<Memory>(read(recalled(KEY) ?? null));
const lasts = signal(true);

function keep(next: Memory): void {
  memory.value = next;
  const text = JSON.stringify(next);
  lasts.value = text.length <= MOST_LETTERS && keepText(KEY, text);
}

/** Whether the browser has stored what was kept last. */
export const isStored = (): boolean => lasts.value;

export const moments = (): readonly Kept[] => memory.value.moments;

/** Keeps one more; false where there are as many as there may be. */
export function add(name: string, document: Doc): boolean {
  const { moments: all } = memory.peek();
  if (all.length >= MOST) return false;
  keep({ ...memory.peek(), moments: [...all, { name: shortened(name), document: structuredClone(document) }] });
  return true;
}

export function rename(at: number, name: string): void {
  const { moments: all } = memory.peek();
  keep({ ...memory.peek(), moments: all.map((one, k) => (k === at ? { ...one, name: shortened(name) } : one)) });
}

export function remove(at: number): void {
  keep({ ...memory.peek(), moments: memory.peek().moments.filter((_, k) => k !== at) });
}

/** Keeps all of these behind those that are there; false where there is no room for all. */
export function addAll(more: readonly Kept[]): boolean {
  if (memory.peek().moments.length + more.length > MOST) return false;
  for (const { name, document } of more) add(name, document);
  return true;
}

export const removeAll = (): void => keep({ ...memory.peek(), moments: [] });

/** The named steps of this training; another training begins with none. */
export const stepsOf = (training: string): readonly KeptStep[] =>
  (memory.value.training === training ? memory.value.steps : []);

/** Names a step of a training, or forgets its name. */
export function nameStep(training: string, step: number, name: string | undefined): void {
  const others = stepsOf(training).filter((one) => one.step !== step);
  const steps = name === undefined ? others : [...others, { step, name: shortened(name) }];
  keep({ ...memory.peek(), training, steps: steps.slice(-MOST) });
}
