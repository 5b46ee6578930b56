// SPDX-License-Identifier: Apache-2.0
// Short lists that the browser keeps from visit to visit. Where it keeps nothing, as in a sandboxed frame, a list lasts
// as long as the page.

/** The words that were kept under this key: another page of the same site may have written anything there. */
export function recalled(key: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function keep(key: string, words: Iterable<string>): void {
  try {
    localStorage.setItem(key, JSON.stringify([...words]));
  } catch {
    // Then it is forgotten when the page is closed.
  }
}
