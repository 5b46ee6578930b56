// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Earlier } from '../card/earlier.ts';
import type { Tensor } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { fixed, whole } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import type { Model } from './model-metadata.ts';
import { tick } from './likely-words.ts';
import { words } from './words.ts';
import '../image/image.ts';

const MOST = 10;

/** A class and its probability. */
export interface Told {
  id: number;
  label: string | undefined;
  probability: number;
}

/** The likeliest classes, the first of equal ones first; numbers stand for those that have no label. */
export function likeliest({ data }: Pick<Tensor, 'data'>, labels: readonly string[] | undefined,
  most = MOST): Told[] {
  return [...data].map((probability, id) => ({ id, label: labels?.[id], probability }))
    .toSorted((a, b) => b.probability - a.probability || a.id - b.id).slice(0, most);
}

/** The picture of a model that tells classes apart, and what it sees there. */
export class ClassesElement extends Part {
  @reactive model!: Model;
  @property() input!: string;
  // The probabilities of the same picture before the last change.
  private readonly earlier = new Earlier<Tensor['data']>((one, other) => one.length === other.length
    && one.every((value, k) => value === other[k]));

  static override styles = css`
    :host { display: block; }
    ol { display: grid; grid-template-columns: minmax(0, max-content) minmax(80px, 240px) max-content;
      gap: var(--space-1) var(--space-6); align-items: center; margin: var(--space-3) 0; padding: 0;
      list-style: none; }
    li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; align-items: center; }
    li > b { font-weight: 400; overflow-wrap: anywhere; }
    ol.changed { grid-template-columns: minmax(0, max-content) minmax(80px, 240px) max-content max-content; }
    li > div { position: relative; }
    .was { position: absolute; top: calc(-1 * var(--space-1)); bottom: calc(-1 * var(--space-1));
      border-inline-start: 2px solid var(--ink); }
    .bar { height: var(--space-4); background: var(--weight); border-radius: var(--radius); min-width: 1px; }
  `;

  override render(): unknown {
    const { picture } = this.model.writes;
    return html`<ap-image .input=${this.input} .how=${picture ?? {}}></ap-image>
      ${picture?.mean === undefined ? html`<p class="note" data-part="assumed">${words().assumed}</p>` : nothing}
      ${this.classes()}`;
  }

  private classes(): unknown {
    const { predicts, labels } = this.model.writes;
    const told = this.store.sessions.result?.whole(`${predicts}.probabilities`, 'outputs');
    if (!told) return nothing;
    const list = likeliest(told, labels);
    const { documents } = this.store;
    const before = this.earlier.of(documents.document.inputs[this.input], told.data, documents.held);
    const earlier = before ? likeliest({ data: before }, labels) : [];
    const first = new Set(earlier.map(({ id }) => id));
    const gone = earlier.filter(({ id }) => !list.some((one) => one.id === id));
    return html`<section data-part="classes"><h3>${words().classes}</h3>
      <ol class=${before ? 'changed' : ''}>${list.map(({ id, label, probability }) => html`<li
        data-class=${id}><b dir="auto">${
        label ?? words().classNumber(id + 1)}</b>
        <div aria-hidden="true"><div class="bar" ${place({ width: `${100 * probability}%` })}></div>${
          before ? tick(before[id]!) : nothing}</div>
        <span>${fixed(probability, 2)}</span>${before ? html`<span class="note" data-before=${id}>${
          words().before(fixed(before[id]!, 2))}${first.has(id) ? nothing : html`, ${words().entered}`}</span>`
          : nothing}</li>`)}</ol>
      ${before ? html`<p class="note" data-part="changed">${[words().beforeWhyClasses, ...(gone.length === 0 ? []
        : [words().gone(gone.map(({ id, label, probability }) => words().goneOne(
          label ?? words().classNumber(id + 1), fixed(probability, 2))))])].join(' ')}</p>` : nothing}
      <p class="note">${words().ofClasses(whole(list.length), told.data.length)}</p></section>`;
  }
}
customElements.define('ap-classes', ClassesElement);
