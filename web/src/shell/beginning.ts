// SPDX-License-Identifier: Apache-2.0
import { effect, untracked } from '@preact/signals-core';
import type { LitElement } from 'lit';
import type { Store } from '../state/store.ts';

interface Page extends LitElement {
  readonly store: Store;
}

// Each place of the page has one main column; some places are elements of their own.
function mainOf({ renderRoot }: Page): HTMLElement | null {
  return renderRoot.querySelector('main')
    ?? [...renderRoot.querySelectorAll('ap-train, ap-efficient')].map((place) =>
      place.shadowRoot?.querySelector('main') ?? null).find((main) => main !== null) ?? null;
}

async function begin(page: Page): Promise<void> {
  await page.updateComplete;
  const main = mainOf(page);
  if (!main) return;
  for (const column of [main, main.querySelector('.scroll'), page.renderRoot.querySelector('.left')])
    column?.scrollTo(0, 0);
  // Whoever reads by ear or by keys goes on from there, and not from the button that opened the gallery.
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/**
 * Keeps the keyboard on the page where undo took away what had the focus: otherwise whoever goes by keys would begin
 * again at the top of the window.
 */
export async function keepFocus(page: Page): Promise<void> {
  await page.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  if (page.renderRoot instanceof ShadowRoot && page.renderRoot.activeElement) return;
  const main = mainOf(page);
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/** Brings the reader to the beginning of each document that they open, wherever they were in the one before. */
export function followOpened(page: Page): () => void {
  let { opened: known } = page.store.view;
  return effect(() => {
    const { opened } = page.store.view;
    if (opened === known) return;
    known = opened;
    untracked(() => void begin(page));
  });
}
