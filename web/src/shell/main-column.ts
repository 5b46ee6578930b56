// SPDX-License-Identifier: Apache-2.0
import { effect, untracked } from '@preact/signals-core';
import type { LitElement } from 'lit';
import type { Store } from '../state/store.ts';

export interface Page extends LitElement {
  readonly store: Store;
}

// Each place of the page has one main column; some places are elements of their own.
function mainOf({ renderRoot }: Page): HTMLElement | null {
  return renderRoot.querySelector('main')
    ?? [...renderRoot.querySelectorAll('ap-train, ap-efficient')].map((place) =>
      place.shadowRoot?.querySelector('main') ?? null).find((main) => main !== null) ?? null;
}

/** Whoever reads by ear or by keys goes on from the main column, and not from what they left. */
export function focusMain(page: Page): HTMLElement | null {
  const main = mainOf(page);
  if (main) main.tabIndex = -1;
  main?.focus({ preventScroll: true });
  return main;
}

async function begin(page: Page): Promise<void> {
  await page.updateComplete;
  const main = focusMain(page);
  for (const column of [main, main?.querySelector('.scroll'), page.renderRoot.querySelector('.left')])
    column?.scrollTo(0, 0);
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
