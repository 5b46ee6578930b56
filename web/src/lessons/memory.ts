// SPDX-License-Identifier: Apache-2.0
import { keep, recalled } from '../state/recalled.ts';

const KEY = 'attention-playground.lessons';
let here = new Set<string>();

/** The ids of the lessons that were finished; kept by the browser where it lets us. */
export function recall(): Set<string> {
  here = new Set([...here, ...recalled(KEY)]);
  return here;
}

export function remember(id: string): void {
  here = recall().add(id);
  keep(KEY, here);
}
