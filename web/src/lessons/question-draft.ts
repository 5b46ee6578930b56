// SPDX-License-Identifier: Apache-2.0
import { type Signal, signal } from '@preact/signals-core';
import type { Store } from '../state/store.ts';

/** A question as far as it is written. */
export interface QuestionDraft {
  /** What the reader sees above the task; empty for the general one. */
  title: string;
  task: string;
  sign: '>' | '<';
  bound: string;
}

const drafts = new WeakMap<Store, Signal<QuestionDraft>>();

/** The question that is being written on a page. It stays when the dialog that shows it is closed. */
export function questionDraft(store: Store): Signal<QuestionDraft> {
  let draft = drafts.get(store);
  if (!draft) drafts.set(store, draft = signal<QuestionDraft>({ title: '', task: '', sign: '>', bound: '' }));
  return draft;
}

/** A task is written, with or without its number. */
export const isWritten = ({ task }: QuestionDraft): boolean => task.trim() !== '';
