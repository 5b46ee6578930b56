// SPDX-License-Identifier: Apache-2.0
import { ships } from './model.ts';
import { words } from './words.ts';

// What people call it who have not read its name.
const CALLED = 'sentence encoder embedding vectors similarity cosine pretrained real model bank google';

/** Whether a search in the gallery means the real model; an empty one means everything. */
export function asksForModel(search: string): boolean {
  if (!ships) return false;
  const text = `${ships.title} ${CALLED} ${words().invite} ${words().question}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).filter(Boolean).every((word) => text.includes(word));
}
