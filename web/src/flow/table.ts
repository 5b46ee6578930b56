// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { exactly, inTable } from '../colour/numbers.ts';
import { maskOf } from '../directory/modules.ts';
import { type Plane, plane } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { inNumbers } from '../strings/inside.ts';
import { fixed } from '../strings/numerals.ts';
import { isWeights, naming } from '../directory/naming.ts';
import { factsOf } from './row-numbers.ts';

const MOST = 64;

/** The twin of a matrix picture: the numbers as a real table, for reading and copying. */
export class TableElement extends Part {
  @reactive plane!: Plane;
  @reactive mask: Plane | undefined;
  @property({ type: Number }) places: number | undefined;
  /** Of weights: what each row says, behind its numbers. */
  @property({ type: Boolean }) facts!: boolean;

  static override styles = css`
    :host { display: block; position: relative; }
    table { border-collapse: collapse; font-size: var(--text-note); }
    caption { text-align: left; font-weight: 600; padding-bottom: var(--space-2); white-space: nowrap; }
    th, td { padding: var(--space-1) var(--space-3); text-align: right; white-space: nowrap;
      border-bottom: 1px solid var(--line); }
    th { font-weight: 400; color: var(--ink2); position: sticky; left: 0; background: var(--background); }
    td.masked { color: var(--ink3); font-style: italic; }
    td.here { box-shadow: inset 0 0 0 2px var(--ink); }
  `;

  // Of weights of the page's result the mask is known, whoever shows the table.
  private get hides(): Plane | undefined {
    const { plane: shown, store: { sessions: { result }, selection } } = this;
    const mask = this.mask || !this.facts || result?.whole(shown.tensor.name) !== shown.tensor ? undefined
      : maskOf(result, shown.tensor);
    const over = mask ? plane(mask, selection.chosen) : this.mask;
    return over?.rows === shown.rows && over.cols === shown.cols ? over : this.mask;
  }

  override render(): unknown {
    const { hides, plane: { tensor } } = this;
    const rows = Math.min(MOST, this.plane.rows);
    const cols = Math.min(MOST, this.plane.cols);
    const labels = (which: 'row' | 'col') => this.store.sessions.result?.labels(this.plane.axis(which) ?? '');
    const [down, across] = [labels('row'), labels('col')];
    const { lock } = this.store.selection;
    const here = lock?.tensor === tensor.name && lock.group === tensor.group ? this.plane.cell(lock.index) : undefined;
    const written = (value: number) => (this.places === undefined ? exactly(value) : inTable(value, this.places));
    const cell = (i: number, j: number): unknown => {
      if (hides?.at(i, j) === 0)
        return html`<td class="masked"><span aria-hidden="true">–</span><span
        class="unseen">${strings.masked}</span></td>`;
      const mark = here && here[0] === i && here[1] === j ? 'here' : '';
      const target = { group: tensor.group, tensor: tensor.name, index: this.plane.index(i, j) };
      const value = this.plane.at(i, j);
      // Where digits are left out, the pointer finds them all.
      return html`<td class=${mark} title=${this.places === undefined ? nothing : exactly(value)}
        @click=${() => this.store.selection.hold(target)}>${written(value)}</td>`;
    };
    const facts = this.facts && isWeights(tensor);
    const less = rows < this.plane.rows || cols < this.plane.cols;
    return html`<table data-tensor=${tensor.name}>
        <caption>${naming(tensor).title}</caption>
        <thead><tr><td></td>${Array.from({ length: cols },
          (_, j) => html`<th scope="col">${across?.[j] ?? j + 1}</th>`)}${
          facts ? [strings.large.entropy, strings.large.above, strings.large.most].map((name) =>
          html`<th scope="col">${name}</th>`) : nothing}</tr></thead>
        <tbody>${Array.from({ length: rows }, (_, i) => html`<tr>
          <th scope="row">${down?.[i] ?? i + 1}</th>${Array.from({ length: cols }, (_, j) => cell(i, j))}${
            facts ? this.row(i, across) : nothing}</tr>`)}</tbody>
      </table>
      ${less ? html`<p class="note">${strings.tooLarge(this.plane.rows, this.plane.cols)}</p>` : nothing}`;
  }

  private row(i: number, across: readonly string[] | undefined): unknown {
    const { entropy, support, at, value } = factsOf(this.plane, i);
    return html`<td class="fact">${entropy === undefined ? '–' : fixed(entropy, 3)}</td><td
      class="fact">${support}</td><td
      class="fact">${inNumbers(across?.[at] ?? String(at + 1))} ${fixed(value, 3)}</td>`;
  }
}
customElements.define('ap-table', TableElement);
