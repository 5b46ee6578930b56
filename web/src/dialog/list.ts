// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';

export interface Shown {
  store: Store;
  theme: 'light' | 'dark';
  given: unknown;
}

interface Entry {
  title: () => string;
  wide?: boolean;
  load: () => Promise<unknown>;
  part: (shown: Shown) => unknown;
}

/** Every dialog of the page. Add one here: its title, its module, its element. */
export const dialogs = {
  embed: {
    title: () => strings.embed.title,
    load: () => import('../embed/dialog.ts'),
    part: ({ store }) => html`<ap-embed .store=${store}></ap-embed>`,
  },
  learn: {
    title: () => strings.learn.title,
    load: () => import('../lessons/list.ts'),
    part: ({ store }) => html`<ap-lesson-list .store=${store}></ap-lesson-list>`,
  },
} satisfies Record<string, Entry> as Record<'embed' | 'learn', Entry>;

export type DialogName = keyof typeof dialogs;
