// SPDX-License-Identifier: Apache-2.0
import ships from 'virtual:language';
import { words } from './words.ts';

// What people look for who have not read its name.
const CALLED = 'small language model gpt text writes generates next word austen novel characters pieces real';

/** Whether a search in the gallery means the small language model; an empty one means everything. */
export function asksForLanguage(search: string): boolean {
  if (!ships) return false;
  const text = `${words().title} ${CALLED}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).filter(Boolean).every((word) => text.includes(word));
}
