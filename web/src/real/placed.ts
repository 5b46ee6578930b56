// SPDX-License-Identifier: Apache-2.0
// Where the encoder's picture, card and facts stand on the page; what they are made of is fetched when they are shown.
import { html, nothing } from 'lit';
import { Later } from '../later.ts';
import type { Size } from '../shell/summary.ts';
import type { Store } from '../state/store.ts';
import { direction } from '../strings/language.ts';
import { isEncoder, modelIsHere, opening } from '../engine/encoder.ts';

const encoders = new Later(() =>
  Promise.all([import('./encoder.ts'), import('./facts.ts'), import('./back.ts')]), false);
const invites = new Later(() => Promise.all([import('./invite.ts'), import('../language/invite.ts')]));

export interface Placed {
  /** In place of the flow, as long as nobody asks how it was computed. */
  middle: unknown;
  card: unknown;
  facts: unknown;
}

/**
 * The encoder's parts, where the document is the encoder or is about to be; undefined otherwise. `messages`: what
 * the page has to say, `lesson`: the one under way; both stand above the picture.
 */
export function encoderNow(store: Store, host: { requestUpdate(): void }, size: Size,
  messages: (store: Store) => unknown, lesson: unknown): Placed | undefined {
  const { document } = store.documents;
  const coming = opening.value !== undefined && opening.value === document;
  if (!coming && !isEncoder(document)) return undefined;
  void encoders.wanted();
  if (!encoders.use(host)) return { middle: html`<main class="middle"></main>`, card: nothing, facts: nothing };
  const facts = html`<ap-encoder-facts></ap-encoder-facts>`;
  // As long as the encoder is on its way, "how" is about the document before.
  if (!coming && store.view.how)
    return { middle: undefined, card: undefined, facts: html`<ap-encoder-back></ap-encoder-back>${facts}` };
  return {
    middle: html`<main class="middle"><div class="scroll">${modelIsHere.value ? messages(store) : nothing}${
      lesson}<ap-encoder
      ?card=${size !== 'wide'}></ap-encoder></div></main>`,
    card: html`<ap-encoder-card></ap-encoder-card>`,
    facts,
  };
}

/** Below the first picture: an invitation to a real model. */
export function invitation(host?: { requestUpdate(): void }): unknown {
  return host && !invites.use(host) ? nothing : html`<ap-invite slot="doors" dir=${direction()}></ap-invite>
    <ap-language-model slot="doors" dir=${direction()}></ap-language-model>`;
}
