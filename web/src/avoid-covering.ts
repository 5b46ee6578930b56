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

/**
 * Brings a part of an element, from `top` to `bottom` below its upper edge, into sight in its column: above a sheet
 * that lies over the end of it.
 */
export function showWithin(element: Element, top: number, bottom: number): void {
  let column = above(element);
  while (column && !(column.scrollHeight > column.clientHeight && column.clientHeight > 0
    && /auto|scroll/.test(getComputedStyle(column).overflowY))) column = above(column);
  if (!column || column === document.scrollingElement) return;
  const [box, at] = [column.getBoundingClientRect(), element.getBoundingClientRect().top];
  const sheet = (column.getRootNode() as ParentNode).querySelector('ap-sheet');
  const end = Math.min(box.bottom, sheet?.getBoundingClientRect().top ?? box.bottom);
  if (at + bottom > end) column.scrollTop += Math.min(at + bottom - end, at + top - box.top);
  else if (at + top < box.top) column.scrollTop -= box.top - at - top;
}

/** The element around this one, also where that is in another tree. */
export function above(element: Element): Element | undefined {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
}
