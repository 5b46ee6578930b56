// SPDX-License-Identifier: Apache-2.0

const NEAR = '300px';
const LONGEST_DOCUMENT = 8_000_000;

/** Calls back once the element comes near the window; returns how to stop waiting. */
export function whenSeen(element: Element, then: () => void): () => void {
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    then();
  }, { rootMargin: NEAR });
  watcher.observe(element);
  return () => watcher.disconnect();
}

/** The text at an address, or undefined when there is none to be had. */
export async function fetched(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(address, { credentials: 'omit' });
    if (!response.ok) return undefined;
    const text = await response.text();
    return text.length <= LONGEST_DOCUMENT ? text : undefined;
  } catch {
    return undefined;
  }
}
