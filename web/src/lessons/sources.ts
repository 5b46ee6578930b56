// SPDX-License-Identifier: Apache-2.0
// The papers that a step of a lesson is about, as the catalogue gives them.
import { html, nothing } from 'lit';
import type { Book } from '../state/catalogue.ts';
import { strings } from '../strings/en.ts';
import { words } from './words.ts';

export interface Source {
  authors: string;
  year: number;
  link: string;
  /** What of the page comes from it. */
  title: string;
}

/** The papers of these mechanisms and systems; those that this catalogue does not have are left out. */
export function papersOf(book: Book, ids: readonly string[]): Source[] {
  return ids.flatMap((id) => {
    const system = book.catalogue.systems?.find((one) => one.id === id);
    const mechanism = book.find(undefined, id);
    const source = system?.paper ?? mechanism?.source;
    const title = system?.title ?? mechanism?.title;
    return source && title !== undefined ? [{ authors: source.authors, year: source.year, link: source.link, title }]
      : [];
  });
}

export function sourcesShown(book: Book, ids: readonly string[] = []): unknown {
  const papers = papersOf(book, ids);
  return papers.length === 0 ? nothing : html`<p class="note" data-part="sources">${words().sources} ${
    papers.map(({ authors, year, link, title }, k) => html`${k > 0 ? strings.comma : nothing}<a href=${link}
      target="_blank" rel="noreferrer" title=${title} dir="auto">${authors} ${year}</a>`)}</p>`;
}
