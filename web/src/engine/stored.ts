// SPDX-License-Identifier: Apache-2.0
// Texts that the browser keeps, for every window of the page or for this window alone. Without storage, as in a
// sandboxed frame, nothing is kept.

type Where = 'localStorage' | 'sessionStorage';

/** What was kept under this key: another page of the same site may have written anything there. */
export function recalled(key: string, where: Where = 'localStorage'): string | undefined {
  try {
    return globalThis[where].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether the text was kept; without one, what was kept is removed. */
export function keepText(key: string, text: string | undefined, where: Where = 'localStorage'): boolean {
  try {
    if (text === undefined) globalThis[where].removeItem(key);
    else globalThis[where].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
