// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Later } from '../lazy-fetch.ts';
import type { Part } from '../part.ts';
import { words } from './words.ts';

const finding = new Later(() => import('../lessons/search.ts'), false);
// Of a word that many lessons use the first ones are enough: Questions has all of them.
const MOST = 3;

/** The lessons that the first search with any result finds: a task or an experiment is no entry of the gallery. */
export function lessonsFound(host: Part, searches: readonly string[],
  begin: (lesson: string) => void): unknown {
  if (searches[0]!.trim() === '') return nothing;
  void finding.wanted();
  const find = finding.use(host);
  const found = searches.map((search) => find?.lessonsHere(host.store, search).slice(0, MOST) ?? [])
    .find(({ length }) => length > 0) ?? [];
  return found.length === 0 ? nothing : html`<p class="lead" data-part="lessons"><b>${words().lessons}</b> ${
    found.map(({ id, title }) => html`<button class="link" data-lesson=${id} @click=${() => begin(id)}>${
      title}</button> `)}</p>`;
}
