// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { type Frame } from '../elements/heat-element.ts';
import '../elements/heat-element.ts';
import type { Plane } from '../engine/result.ts';
import { Part, property } from '../part.ts';
import { type Cell, Desk, type Side } from './encoder-state.ts';
import { words } from './words.ts';

const LABELS = 84;
const ABOVE = 62;
const MOST_CELL = 46;

const unitOf = ({ cols }: Plane, width: number): number =>
  Math.max(8, Math.min(MOST_CELL, Math.floor((width - LABELS) / Math.max(1, cols))));
const tallOf = (shown: Plane, width: number): number =>
  Math.max(10, Math.min(unitOf(shown, width), 32)) * shown.rows;

/** How much height one head takes, its words included, before it is drawn. */
export const roomOf = (shown: Plane, width: number): number => ABOVE + tallOf(shown, width);

type At = readonly [row: number, col: number] | undefined;

/** One head enlarged: its words, its numbers, and the cell that is pointed at or locked. */
export class LargeHeadElement extends Part {
  @property({ type: Number }) side!: Side;
  @property({ type: Number }) width!: number;

  static override styles = css`
    :host { display: flow-root; direction: ltr; }
    ap-heat { width: max-content; }
  `;

  private get desk(): Desk {
    return Desk.of(this.store);
  }

  private get plane(): Plane | undefined {
    const [layer, head] = this.desk.head;
    return this.desk.plane(this.side, layer, head);
  }

  override render(): unknown {
    const shown = this.plane;
    if (!shown) return nothing;
    const { desk, side } = this;
    const pieces = desk.pieces(side);
    const { cell } = desk;
    const own = cell?.side === side ? cell : undefined;
    const [layer, head] = desk.head;
    const frames: Frame[] = own ? [{ cell: [own.row, 0], is: 'row' },
      { cell: [own.row, own.col], is: desk.pointed.value ? 'pointed' : 'locked' }] : [];
    return html`<ap-heat active data-side=${side} .plane=${shown} .kind=${'weights'} .domain=${[0, 1]}
        .w=${unitOf(shown, this.width) * shown.cols} .h=${tallOf(shown, this.width)}
        .names=${{ down: pieces, across: pieces, left: LABELS, top: ABOVE }} .frames=${frames}
        .label=${`${words().sentence(side + 1)}. ${words().mapSays(layer + 1, head + 1, shown.rows)}`}
        @cell-point=${(e: CustomEvent<At>) => this.point(e.detail)}
        @cell-hold=${(e: CustomEvent<[number, number]>) => this.lock({ side, row: e.detail[0], col: e.detail[1] })}
        @cell-release=${() => (desk.pointed.value = desk.locked.value = undefined)}
        @focusin=${() => (desk.side.value = side)}></ap-heat>
      <span class="unseen" role="status">${own && desk.side.value === side ? this.says(shown, own) : nothing}</span>`;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('ap-heat')?.focus();
  }

  private says(shown: Plane, { row, col }: Cell): string {
    const pieces = this.desk.pieces(this.side);
    const value = shown.at(row, col);
    let most = true;
    for (let j = 0; j < shown.cols; j++) most &&= shown.at(row, j) <= value;
    return `${words().cellSays(pieces[row] ?? '', pieces[col] ?? '', inCell(value, true))}${
      most ? `, ${words().largest}` : ''}`;
  }

  private point(at: At): void {
    const { pointed } = this.desk;
    const before = pointed.peek();
    if (at?.[0] === before?.row && at?.[1] === before?.col && (!at || before?.side === this.side)) return;
    pointed.value = at && { side: this.side, row: at[0], col: at[1] };
  }

  private lock(cell: Cell): void {
    const { locked } = this.desk;
    const same = locked.value?.side === cell.side && locked.value.row === cell.row && locked.value.col === cell.col;
    locked.value = same ? undefined : cell;
    this.desk.side.value = cell.side;
  }
}
customElements.define('ap-large-head', LargeHeadElement);
