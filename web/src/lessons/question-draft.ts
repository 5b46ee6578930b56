// SPDX-License-Identifier: Apache-2.0
import { type Signal, signal } from '@preact/signals-core';
import type { Store } from '../state/store.ts';
import { digits } from '../strings/numerals.ts';

/** How the page checks a question: a number that it computes, or an answer of the reader's. */
export const CHECKS = ['page', 'choice', 'number', 'word'] as const;

/** A question as far as it is written. */
export interface QuestionDraft {
  check: (typeof CHECKS)[number];
  /** What the reader sees above the task; empty for the general one. */
  title: string;
  task: string;
  sign: '>' | '<';
  bound: string;
  /** Answers to choose from, and the place of the right one. */
  choices: readonly string[];
  chosen: number | undefined;
  typed: string;
  /** As it was typed; none: the usual tolerance, in the language that is spoken when it is shown. */
  within: string | undefined;
  /** Right words, one per line. */
  word: string;
  /** What the reader sees after the right answer, and after a wrong one. */
  done: string;
  hint: string;
}

/** Half of the last of two places, as most numbers of the page are written. */
const TOLERANCE = 0.005;
const EMPTY: QuestionDraft = { check: 'page', title: '', task: '', sign: '>', bound: '', choices: ['', '', ''],
  chosen: undefined, typed: '', within: undefined, word: '', done: '', hint: '' };

const drafts = new WeakMap<Store, Signal<QuestionDraft>>();

/** The question that is being written on a page. It stays when the dialog that shows it is closed. */
export function questionDraft(store: Store): Signal<QuestionDraft> {
  let draft = drafts.get(store);
  if (!draft) drafts.set(store, draft = signal({ ...EMPTY }));
  return draft;
}

/** The tolerance as the field shows it. */
export const withinShown = ({ within }: Pick<QuestionDraft, 'within'>): string => within ?? digits(TOLERANCE, 1);

/** A task is written, with or without its number. */
export const isWritten = ({ task }: QuestionDraft): boolean => task.trim() !== '';
