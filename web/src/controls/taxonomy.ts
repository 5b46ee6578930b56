// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import { css, html, nothing } from 'lit';
import type { Coordinate, System } from '../engine/types.ts';
import { Later } from '../lazy-fetch.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { phrase, quote, said, withQuotes } from '../strings/quote.ts';
import { recordWords } from '../strings/records.ts';

const placesOf = (list: readonly Coordinate[]): string =>
  [...new Set(list.map(({ name, value, id }) => `${name} ${value ?? id}`))].toSorted().join('|');

/** Where each system stands: it is asked at every new number, and never changes. */
const places = new WeakMap<System, string>();
function placesOfSystem(system: System): string {
  let found = places.get(system);
  if (found === undefined) places.set(system, found = placesOf(system.computed));
  return found;
}

const facts = new Later(() => import('../gallery/facts.ts'));

/** Where the document stands in the survey's taxonomy, and which published systems stand exactly there. */
export class TaxonomyElement extends Part {
  static override styles = css`
    :host { display: block; }
    dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px var(--space-5);
      margin: 0 0 var(--space-3); }
    dt { color: var(--ink2); }
    dd { margin: 0; }
    p { margin: var(--space-1) 0; }
    ul { margin: 0; padding-inline-start: var(--space-7); }
  `;

  // Where the engine has no word, the mechanism's title is it.
  private wordOf({ value, id }: Coordinate): string {
    return value ?? this.store.book.find(undefined, id ?? undefined)?.title ?? '';
  }

  // Systems at exactly these places; where there is no word, the mechanism is the place.
  private systemsAt(coordinates: Coordinate[]): System[] {
    const here = placesOf(coordinates);
    return (this.store.book.catalogue.systems ?? []).filter((system) => placesOfSystem(system) === here);
  }

  // The one that differs least, and in what.
  private nearest(coordinates: Coordinate[]): string {
    const near = facts.use(this)?.systemsAt(this.store.book.catalogue.systems ?? [], coordinates);
    const [first] = near?.systems ?? [];
    if (!near || !first) return '';
    const names = facts.module!.apart(first.computed, coordinates).map(phrase);
    return strings.nearest(recordWords(this)?.systems[first.id]?.title ?? first.title, names);
  }

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    const taxonomy = this.store.sessions.result?.directory.taxonomy;
    if (!taxonomy) return nothing;
    const { book } = this.store;
    const { coordinates } = taxonomy;
    const systems = this.systemsAt(coordinates);
    const words = systems.length ? recordWords(this)?.systems : undefined;
    // What to notice is true of the system's own document, and of no other at its place.
    const only = systems.find(({ title }) => title === this.store.documents.document['title']);
    return html`<dl>${coordinates.map((one) =>
      html`<dt>${said(one.name)}</dt><dd>${one.value ? said(one.value) : this.wordOf(one)}</dd>`)}</dl>
      ${systems.length === 0
        ? book.whole ? html`<p>${strings.noSystem} ${this.nearest(coordinates)}</p>` : nothing
        : html`<p>${strings.thisIs}</p><ul>${systems.map(({ id, title, paper }) =>
        html`<li><a href=${paper.link} target="_blank"
        rel="noreferrer">${words?.[id]?.title ?? withQuotes(quote(title))}</a>${strings.comma}${paper.authors} ${
        paper.year}</li>`)}</ul>`}
      ${only ? html`<p class="note">${withQuotes(words?.[only.id]?.says ?? quote(only.says))}</p>` : nothing}`;
  }
}

customElements.define('ap-taxonomy', TaxonomyElement);
