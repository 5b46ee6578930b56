// SPDX-License-Identifier: Apache-2.0

/**
 * Brings what has come up above what can be seen into sight, within the page's own columns: a page around it is never
 * scrolled. What can be seen stays where it is.
 */
export function uncover(element: Element): void {
  const { top } = element.getBoundingClientRect();
  for (let at = above(element); at; at = above(at)) {
    if (at === document.scrollingElement || at.scrollTop === 0) continue;
    at.scrollTop -= Math.max(0, at.getBoundingClientRect().top - top);
    return;
  }
}

/** The element around this one, also where that is in another tree. */
export function above(element: Element): Element | undefined {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
}
