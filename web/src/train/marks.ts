// SPDX-License-Identifier: Apache-2.0
import { words } from './words.ts';

/** What the two kinds of marked cells mean in a task: the answer itself, and what else it depends on. */
export interface Marks {
  means: string;
  agrees: string;
}

/** The marks of a task by its id; without one of its own, those of a translation. */
export function marksOf(task: string | undefined): Marks {
  const own: Partial<Record<string, Partial<Marks>>> = words().marks;
  return { means: words().means, agrees: words().agrees, ...own[(task ?? '').replace(/^task-/, '')] };
}
