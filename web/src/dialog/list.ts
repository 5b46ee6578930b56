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
  presets: {
    title: () => strings.gallery.open,
    wide: true,
    load: () => import('../gallery/gallery.ts'),
    part: ({ store, theme }) => html`<ap-gallery .store=${store} .theme=${theme}></ap-gallery>`,
  },
  share: {
    title: () => strings.sharing.title,
    load: () => import('../share/share.ts'),
    part: ({ store }) => html`<ap-share .store=${store}></ap-share>`,
  },
  take: {
    title: () => strings.take.title,
    wide: true,
    load: () => import('../take/take.ts'),
    part: ({ store, theme }) => html`<ap-take .store=${store} .theme=${theme}></ap-take>`,
  },
  bring: {
    title: () => strings.bring.title,
    load: () => import('../bring/bring.ts'),
    part: ({ store, given }) => html`<ap-bring .store=${store} .given=${given}></ap-bring>`,
  },
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
  cost: {
    title: () => strings.cost.title,
    wide: true,
    load: () => import('../cost/cost.ts'),
    part: ({ store }) => html`<ap-cost .store=${store}></ap-cost>`,
  },
} satisfies Record<string, Entry> as Record<'presets' | 'share' | 'take' | 'bring' | 'embed' | 'learn' | 'cost', Entry>;

export type DialogName = keyof typeof dialogs;
