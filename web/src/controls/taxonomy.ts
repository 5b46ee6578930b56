// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { said } from '../strings/quote.ts';
import { base } from '../styles/tokens.ts';

/** Where the document stands in the survey's taxonomy, and which published systems stand exactly there. */
export class TaxonomyElement extends Part {
  static override styles = [
    base,
    css`
      :host { display: block; }
      dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 10px; margin: 0 0 6px; }
      dt { color: var(--ink2); }
      dd { margin: 0; }
      p { margin: 2px 0; }
    `,
  ];

  // Where the engine has no word, the mechanism's title is it.
  private titleOf(id: string | null): string {
    return this.store.book.find(undefined, id ?? undefined)?.title ?? '';
  }

  override render(): unknown {
    const taxonomy = this.store.sessions.result?.directory.taxonomy;
    if (!taxonomy) return nothing;
    const { coordinates, systems } = taxonomy;
    return html`<dl>${coordinates.map(({ name, value, id }) => html`<dt>${said(name)}</dt><dd>${value ? said(value) : this.titleOf(id)}</dd>`)}</dl>
      ${systems.length === 0
        ? html`<p>${strings.noSystem}</p>`
        : systems.map(({ name, authors, year, link }) => html`<p>${strings.thisIs} <a href=${link} target="_blank" rel="noreferrer">${name}</a>, ${authors} ${year}</p>`)}`;
  }
}

customElements.define('ap-taxonomy', TaxonomyElement);
