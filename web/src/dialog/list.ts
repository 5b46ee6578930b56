// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { words as models } from '../models/words.ts';
import { places } from '../places/places.ts';
import { strings } from '../strings/en.ts';

interface Entry {
  title: () => string;
  wide?: boolean;
  /** As large as the page. */
  whole?: boolean;
  /** It fills the window and brings its own title and way out. */
  bare?: boolean;
  load: () => Promise<unknown>;
  /** `given`: what it starts with, such as files that were dropped. */
  part: (given: unknown) => unknown;
}

/** Every dialog of the page. Add one here: its title, its module, its element. */
export const dialogs = {
  presets: {
    title: () => strings.gallery.open,
    whole: true,
    load: () => import('../gallery/gallery.ts'),
    part: (search) => html`<ap-gallery .search=${typeof search === 'string' ? search : ''}></ap-gallery>`,
  },
  share: {
    title: () => strings.sharing.title,
    load: () => import('../share/share.ts'),
    part: () => html`<ap-share></ap-share>`,
  },
  take: {
    title: () => strings.take.title,
    wide: true,
    load: () => import('../take/take.ts'),
    part: (tab) => html`<ap-take .tab=${tab === 'code' ? 'code' : 'picture'}></ap-take>`,
  },
  bring: {
    title: () => strings.bring.title,
    load: () => import('../bring/bring.ts'),
    part: (given) => html`<ap-bring .given=${given}></ap-bring>`,
  },
  model: {
    title: () => models().title,
    wide: true,
    load: () => import('../models/drop.ts'),
    part: (given) => html`<ap-drop .given=${given}></ap-drop>`,
  },
  embed: {
    title: () => strings.embed.title,
    wide: true,
    load: () => import('../embed/dialog.ts'),
    part: () => html`<ap-embed></ap-embed>`,
  },
  learn: {
    title: () => strings.learn.title,
    load: () => import('../lessons/list.ts'),
    part: (unknown) => html`<ap-lesson-list .unknown=${unknown}></ap-lesson-list>`,
  },
  lecture: {
    title: () => places().lecture,
    bare: true,
    load: () => import('../lecture/lecture.ts'),
    part: (given) => html`<ap-lecture .given=${given}></ap-lecture>`,
  },
  cost: {
    title: () => strings.cost.title,
    wide: true,
    load: () => import('../cost/cost.ts'),
    part: () => html`<ap-cost></ap-cost>`,
  },
} satisfies Record<string, Entry> as Record<'presets' | 'share' | 'take' | 'bring' | 'model' | 'embed' | 'learn'
  | 'cost' | 'lecture', Entry>;

export type DialogName = keyof typeof dialogs;
