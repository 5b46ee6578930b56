// SPDX-License-Identifier: Apache-2.0
import type { Size } from '../shell/summary.ts';

/** The page as a lesson leads through it. */
interface Taught extends Element {
  size: Size;
  open: boolean;
  tab: 'mechanism' | 'inputs';
}

/** Shows where a step is done: the menu has what a narrow page has no room for; the rest is scrolled to. */
export function lead(lesson: Element, at: string): void {
  const root = lesson.getRootNode() as ShadowRoot;
  const page = root.host as Taught;
  const { size } = page;
  if (at === 'controls' ? size !== 'wide' && size !== 'medium' : at === 'inputs' && size === 'narrow') {
    [page.open, page.tab] = [true, at === 'inputs' ? 'inputs' : 'mechanism'];
    return;
  }
  const column = root.querySelector('.middle > .scroll');
  const part = root.querySelector(`ap-${at}`);
  if (column && part && column.contains(part))
    column.scrollTop += part.getBoundingClientRect().top - column.getBoundingClientRect().top;
}
