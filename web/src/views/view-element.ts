// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { naming } from '../directory/naming.ts';
import { typed } from '../directory/typed.ts';
import type { Tensor } from '../engine/result.ts';
import { vocabularyIn } from '../state/vocabulary.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { viewsFor } from './all.ts';
import { patternStyles } from './pattern-styles.ts';
import type { Subject, View } from './view.ts';

const ROOM = { width: 280, height: 140 };

// What every tensor has, so that no menu is needed for them.
const PLAIN = new Set(['matrix', 'table']);

/** The views of a tensor with a menu, where there are more than a matrix and a table; otherwise the page's matrix. */
export function better(tensor: Tensor, matrix: unknown): unknown {
  const ids = viewsFor(typed(tensor), tensor.shape).map(({ id }) => id);
  return ids.every((id) => PLAIN.has(id)) ? matrix
    : html`<ap-view data-view=${tensor.name} .tensor=${tensor} .filled=${ids[0] === 'matrix'}>${
      ids[0] === 'matrix' ? matrix : nothing}</ap-view>`;
}

/** A tensor in one of the ways that it can be drawn; the reader chooses another, or saves the numbers. */
export class ViewElement extends Part {
  @reactive tensor!: Tensor;
  /** Whether the page's own matrix is inside, which can be pointed at and edited. */
  @reactive filled!: boolean;
  @reactive way: string | undefined;

  static override styles = [patternStyles, css`
    .pixel { fill: var(--background); stroke: var(--line); stroke-width: 0.5; }
    svg { display: block; overflow: visible; }
    .steps, .grid { display: flex; flex-wrap: wrap; gap: var(--space-4); }
    .steps span { font-size: var(--text-mark); color: var(--ink2); }
    select { margin-bottom: var(--space-3); }
  `];

  private get subject(): Subject | undefined {
    const { tensor } = this;
    const types = typed(tensor);
    const { result } = this.store.sessions;
    const { chosen } = this.store.selection;
    const vocabulary = vocabularyIn(this.store.book, this.store.pictured, tensor.within ?? '');
    return types && {
      tensor, typed: types, held: tensor.places.map((axis) => chosen[axis] ?? 0),
      labels: (axis) => result?.labels(tensor.places[axis] ?? ''),
      at: (axis) => this.followed(axis), word: (value) => vocabulary?.[value],
    };
  }

  // The row that is pointed at, here or in another tensor over the same rows.
  private followed(axis: number): number | undefined {
    const { tensor } = this;
    const { active } = this.store.selection;
    const from = active && this.store.sessions.result?.find(active.tensor, active.group);
    if (!from) return undefined;
    const place = tensor.places[axis] ?? '';
    const same = place === '' ? -1 : from.places.indexOf(place);
    const rows = from.dimensions?.findIndex(({ role }) => role === 'query') ?? -1;
    // Without words along them, as many queries are the same ones.
    const k = same >= 0 || from.shape[rows] !== tensor.shape[axis] ? same : rows;
    return k < 0 ? undefined : active.index[k];
  }

  override render(): unknown {
    const { subject } = this;
    if (!subject) return nothing;
    const views = viewsFor(subject.typed, subject.tensor.shape);
    const view = views.find(({ id }) => id === this.way) ?? views[0]!;
    return html`<select aria-label=${strings.viewAs}
      @change=${(event: Event) => (this.way = (event.target as HTMLSelectElement).value)}>
        ${views.map(({ id }) => html`<option value=${id}
          ?selected=${id === view.id}>${strings.pictures.names[id] ?? id}</option>`)}</select>
      <button class="icon" aria-label=${strings.pictures.save} title=${strings.pictures.save}
        @click=${() => this.save(view, subject)}>${icons.take}</button>
      ${view.id === 'matrix' && this.filled ? html`<slot></slot>` : view.draw(subject, ROOM)}`;
  }

  private save(view: View, subject: Subject): void {
    const { ending, text } = view.exports(subject);
    save(new Blob([text], { type: 'text/plain' }),
      savedName(this, ending, naming(subject.tensor).title));
  }
}
customElements.define('ap-view', ViewElement);
