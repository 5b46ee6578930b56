// SPDX-License-Identifier: Apache-2.0
import type { Held } from '../engine/types.ts';
import { words } from './words.ts';

// The name of an output is a word, that of a step a formula, such as h_t.
const inLatex = (name: string): string => (/^[a-z]{2}[a-z_.\d-]*$/i.test(name)
  ? `\\text{${name.split('.').at(-1)!.replaceAll('_', ' ')}}` : name);

/** What a kept tensor is called: a formula, words and a formula, or words alone if the engine knows no name near it. */
export function nameOfHeld({ name, for: use, from, back = 0, grows }: Held): { said?: string; latex?: string } {
  if (use !== undefined) return { said: words().earlier(back), latex: use };
  if (name !== '') return { latex: inLatex(name) };
  if (from !== undefined) return { said: words().from, latex: inLatex(from) };
  return { said: grows ? words().rowsUnnamed : words().stateUnnamed };
}
