// SPDX-License-Identifier: Apache-2.0

const KEY = 'attention-playground.lessons';
let here = new Set<string>();

/** The ids of the lessons that were finished; kept by the browser where it lets us. */
export function recall(): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (Array.isArray(kept)) here = new Set([...here, ...kept.map(String)]);
  } catch {
    // In a frame without an origin there is no storage; then it lasts as long as the page.
  }
  return here;
}

export function remember(id: string): void {
  here = recall().add(id);
  try {
    localStorage.setItem(KEY, JSON.stringify([...here]));
  } catch {
    // As above.
  }
}
