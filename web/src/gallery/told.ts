// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import type { System } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { cited, said } from '../strings/quote.ts';
import { sentences } from './facts.ts';
import { words } from './words.ts';

/** Whose paper it is. */
export const paperOf = ({ paper }: System): unknown =>
  html`${paper.authors} ${paper.year}${strings.comma}${cited(paper.where)}. <a href=${paper.link} target="_blank"
  rel="noreferrer">${words().paper}</a>`;

/** Above the picture of a system: its paper, one sentence to know, one thing to try. */
export function toldOf(store: Store, title: string | undefined): unknown {
  const system = store.book.catalogue.systems?.find((one) => one.title === title);
  if (!system) return nothing;
  const { know, tryIt } = sentences(system);
  return html`<div data-part="system"><h2 lang="en" dir="auto">${system.title}</h2><p class="who">${paperOf(system)}</p>
    <p><b>${words().what}:</b> ${said(know)} ${
      tryIt ? html`<b>${words().tryIt}:</b> ${said(tryIt)}` : nothing}</p></div>`;
}

/** Where the system of this title is simpler here than in its paper. */
export function simplifiedOf(store: Store, title: string | undefined): unknown {
  const simplified = store.book.catalogue.systems?.find((one) => one.title === title)?.simplified ?? [];
  if (simplified.length === 0) return nothing;
  return html`<section class="mech" data-part="simplified"><b>${words().simplified}</b>${
    simplified.map((one) => html`<p class="note">${said(one)}</p>`)}</section>`;
}
