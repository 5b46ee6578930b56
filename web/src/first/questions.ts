// SPDX-License-Identifier: Apache-2.0
import type { DialogName } from '../dialog/list.ts';
import type { strings } from '../strings/en.ts';

export interface Door {
  id: keyof typeof strings.doors;
  lesson?: string;
  dialog?: DialogName;
  place?: 'train';
}

/** The questions that most people come with, and the lesson, the place or the dialog that answers each. */
export const DOORS: readonly Door[] = [
  { id: 'root', lesson: 'divide-by-root-d' },
  { id: 'softOrHard', lesson: 'hard-and-soft' },
  { id: 'mask', lesson: 'causal' },
  { id: 'learn', place: 'train' },
  { id: 'heads', lesson: 'heads' },
  { id: 'embed', dialog: 'embed' },
];
