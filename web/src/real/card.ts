// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { full, inCell } from '../colour/numbers.ts';
import { Earlier } from '../card/earlier.ts';
import type { Plane, Result } from '../engine/result.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import '../strings/en-flow.ts';
import { place } from '../styles/place.ts';
import { type Cell, Desk } from './encoder-state.ts';
import { words } from './words.ts';
import { cosine } from './sentences.ts';

const WIDE = 128;
const NAMED = 4;
// Rows of softmax sum to 1 but for the rounding of single precision.
const CLOSE = 1e-3;

// All of a document but what it reads.
const model = ({ directory: { document: { inputs: _, ...computes } } }: Result): string => JSON.stringify(computes);

/** One weight: its row drawn to length, the same pair in all heads, and how alike the two sentences are. */
export class EncoderCardElement extends Part {
  /** The cosine of the same two sentences before the last change of the model. */
  private readonly cosines = new Earlier();

  static override styles = css`
    :host { display: block; padding: var(--space-6) var(--space-8); }
    header { display: flex; justify-content: space-between; gap: var(--space-4); align-items: baseline; }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); }
    h3 { margin-bottom: var(--space-3); }
    .value { font-size: var(--text-large); line-height: var(--leading-large); color: var(--weight); font-weight: 600; }
    section { border-top: 1px solid var(--line); padding: var(--space-5) 0; margin-top: var(--space-4); }
    .bar { display: flex; height: 20px; direction: ltr; gap: 1px; background: var(--line); overflow: hidden; }
    .bar span { background: var(--line2); }
    .bar span.most { background: var(--ink2); }
    .bar span.this { background: var(--weight); }
    li { display: grid; grid-template-columns: 1fr ${WIDE}px 40px; gap: var(--space-4); align-items: center; }
    li button { text-align: start; min-height: var(--press); }
    li .track { display: block; height: 12px; direction: ltr; }
    li .track span { display: block; height: 100%; background: var(--line2); }
    li.now { font-weight: 600; }
    li.now .track span { background: var(--weight); }
    li > :last-child, .fact b { text-align: end; }
    .fact { display: flex; justify-content: space-between; }
  `;

  override render(): unknown {
    const desk = Desk.of(this.store);
    const { cell } = desk;
    const [layer, head] = desk.head;
    const shown = cell && !desk.isEmpty(cell.side) ? desk.plane(cell.side, layer, head) : undefined;
    const inside = cell && shown && cell.row < shown.rows && cell.col < shown.cols;
    return html`${inside ? this.weight(desk, cell, shown) : html`<p class="note">${words().cardIdle}</p>`}
      ${this.alike(desk)}
      <section><h3>${words().mind}</h3><p class="note">${words().mindText}</p></section>`;
  }

  private weight(desk: Desk, cell: Cell, shown: Plane): unknown {
    const pieces = desk.pieces(cell.side);
    const [query, key] = [pieces[cell.row] ?? '', pieces[cell.col] ?? ''];
    const row = Array.from({ length: shown.cols }, (_, col) => ({ col, weight: shown.at(cell.row, col) }));
    const sum = row.reduce((all, { weight }) => all + weight, 0);
    const order = row.toSorted((a, b) => b.weight - a.weight);
    const most = order[0]!.col;
    const [named, rest] = [order.slice(0, NAMED), order.slice(NAMED)];
    const others = rest.reduce((all, { weight }) => all + weight, 0);
    return html`<header><h2>${words().cardTitle(query, key)}</h2>${desk.locked.value && !desk.pointed.value
        ? html`<button class="link" @click=${() => (desk.locked.value = undefined)}>${words().unlock}</button>`
        : nothing}</header>
      <p class="value" data-part="weight">${full(shown.at(cell.row, cell.col))}</p>
      <section><h3>${Math.abs(sum - 1) < CLOSE ? words().row : words().rowSum(full(sum))}</h3>
      <div class="bar" aria-hidden="true">${row.map(({ col, weight }) => html`<span
        class=${col === cell.col ? 'this' : col === most ? 'most' : ''}
        ${place({ flex: `${Math.max(0, weight)} 0 0` })}></span>`)}</div>
      <p class="note">${named.map(({ col, weight }) => `${pieces[col]} ${inCell(weight, true)}`).join(', ')}${
        rest.length > 0 ? `, ${words().others(rest.length, inCell(others, true))}` : ''}</p></section>
      <section><h3>${words().everyHead(query, key)}</h3><ul>${desk.layers().flatMap(({ heads }, layer) =>
        Array.from({ length: heads }, (_, head) => this.line(desk, cell, layer, head)))}</ul>
      <p class="note">${words().everyHeadNote}</p></section>`;
  }

  private line(desk: Desk, { side, row, col }: Cell, layer: number, head: number): unknown {
    const shown = desk.plane(side, layer, head);
    const value = shown && row < shown.rows && col < shown.cols ? shown.at(row, col) : undefined;
    const [l, h] = desk.head;
    const now = l === layer && h === head;
    return html`<li class=${now ? 'now' : ''}><button class="link" @click=${() => desk.choose(layer, head)}>${
      words().line(layer + 1, head + 1)}</button><span class="track"><span ${place({
      width: Math.round(Math.max(0, value ?? 0) * WIDE) })}></span></span><span dir="ltr">${
      value === undefined ? '…' : inCell(value, true)}</span></li>`;
  }

  private alike(desk: Desk): unknown {
    const [a, b] = [desk.result(0), desk.result(1)];
    const value = desk.isEmpty(0) || desk.isEmpty(1) ? undefined : cosine(a, b);
    if (value === undefined) return nothing;
    // One answer comes after the other: those of two models have no cosine that was ever on show.
    const before = model(a!) === model(b!) ? this.cosines.of(JSON.stringify([desk.pieces(0), desk.pieces(1)]), value,
      this.store.documents.held) : undefined;
    return html`<section><h3>${words().alike}</h3><p class="fact"><span>${words().cosine}</span>
      <b data-part="cosine" dir="ltr">${full(value)}</b></p>${before === undefined || full(before) === full(value)
        ? nothing : html`<p class="note" data-part="earlier">${strings.earlier(full(before))}</p>`}</section>`;
  }
}
customElements.define('ap-encoder-card', EncoderCardElement);
