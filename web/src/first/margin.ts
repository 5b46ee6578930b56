// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { css, html, nothing } from 'lit';
import type { Box } from '../elements/shapes.ts';
import type { Tensor } from '../engine/result.ts';
import { weightsOf } from '../directory/modules.ts';
import { Part, reactive } from '../part.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { isTrained } from '../state/writer.ts';
import { place } from '../styles/place.ts';
import { hasFirstWords, isFirstModel, showsTrained } from './first.ts';
import { divided, filled, weight } from './notice.ts';
import { rank, type Rank } from '../turns.ts';

/** What is to be seen in some rows of a map. */
export interface MarginNote {
  from: number;
  to: number;
  text: string;
}

export interface Margin {
  tensor: Tensor;
  notes: MarginNote[];
  /** The note whose rows are outlined before anybody pointed at one. */
  begin: number;
}

/** Where a map stands in its picture, in CSS pixels. */
export interface Framed extends Box {
  /** How wide the notes beside it may be. */
  room?: number;
}

// The rows that the example's notes speak of; the words are `strings.first.notes`.
const ROWS: readonly (readonly [number, number])[] = [[1, 1], [2, 2], [3, 4], [5, 5]];
// The second is where to begin: one row that looks at two words for two reasons.
const BEGIN = 2;

/**
 * What stands beside the weights of a trained model: of the first sentence four notes, of any other its rows of
 * highest entropy. A note whose numbers are no longer so is left out.
 */
export function marginOf(store: Store): Margin | undefined {
  const { sessions: { result }, comparison } = store;
  const tensor = result && weightsOf(result);
  if (!tensor || comparison.on || !showsTrained(store)) return undefined;
  const [rows = 0, cols = 0] = tensor.shape.slice(-2);
  // Of several heads nobody says which one is to be read.
  if (tensor.data.length !== rows * cols) return undefined;
  const notes = hasFirstWords(store) && isFirstModel(store)
    ? ROWS.map(([from, to], k) => ({ from, to, text: filled(strings.first.notes[k] ?? '', result) ?? '' }))
      .filter(({ to, text }) => text !== '' && to < rows)
    : divided(result, {}).map(({ row, query, keys: [one, other], values: [most, next] }) => ({ from: row, to: row,
      text: strings.story.divided(query, one, weight(most), other, weight(next)) }));
  if (notes.length === 0) return undefined;
  return { tensor, notes, begin: Math.max(0, notes.findIndex(({ from }) => from === BEGIN)) };
}

// Between two notes, in CSS pixels.
const GAP = 8;

/**
 * The weights that stand alone: those with notes, and those of a trained model whose mechanism was changed, so that the
 * picture stays where it is.
 */
export function shownAlone(store: Store): Tensor | undefined {
  const { sessions: { result }, comparison, documents } = store;
  const changed = showsTrained(store) && isTrained(documents.base) && !comparison.on;
  return marginOf(store)?.tensor ?? (changed && result ? weightsOf(result) : undefined);
}

/**
 * Where notes of these heights begin that would begin at `wanted`: as near to it as they can without touching, and
 * above `floor` where there is room for all.
 */
export function spread(wanted: readonly number[], heights: readonly number[], floor: number): number[] {
  const tops = [...wanted];
  for (let k = 1; k < tops.length; k++) tops[k] = Math.max(tops[k]!, tops[k - 1]! + heights[k - 1]! + GAP);
  let below = floor;
  for (let k = tops.length - 1; k >= 0 && tops[k]! + heights[k]! > below; k--) {
    tops[k] = Math.max(below - heights[k]!, 0);
    below = tops[k]! - GAP;
  }
  // Without room for all they go on below the floor.
  for (let k = 1; k < tops.length; k++) tops[k] = Math.max(tops[k]!, tops[k - 1]! + heights[k - 1]! + GAP);
  return tops;
}

// Which note is pointed at; before that the one to begin with, unless a cell was locked.
function active(store: Store, { begin }: Margin): number | undefined {
  return store.view.noted ?? (store.selection.lock === undefined ? begin : undefined);
}

/** The frame around the rows that a note speaks of, over the map. */
export class MarginFrameElement extends Part {
  @reactive box!: Framed;

  static override styles = css`
    :host { position: absolute; inset: 0; pointer-events: none; z-index: 1; }
    div { position: absolute; box-sizing: border-box; border: 2px solid var(--weight); border-radius: var(--radius); }
  `;

  // What is said of the picture comes with it.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const margin = marginOf(this.store);
    const note = margin?.notes[active(this.store, margin) ?? -1];
    if (!margin || !note) return nothing;
    const { box } = this;
    const row = box.h / (margin.tensor.shape.at(-2) ?? 1);
    return html`<div data-part="begin" ${place({ left: box.x - 3, top: box.y + note.from * row - 3, width: box.w + 5,
      height: (note.to - note.from + 1) * row + 5 })}></div>`;
  }
}
customElements.define('ap-margin-frame', MarginFrameElement);

/** The notes themselves: beside their rows, or one below the other where there is no room. */
export class MarginElement extends Part {
  /** Where the map stands that they are set beside; without it they stand below one another. */
  @reactive box: Framed | undefined;
  private frame: number | undefined;

  static override styles = css`
    :host { display: block; }
    li { display: flex; }
    button { display: flex; align-items: center; text-align: start; color: var(--ink2); font-size: var(--text);
      line-height: var(--leading); padding-block: var(--space-1); padding-inline: var(--space-6) var(--space-3);
      max-width: 60ch; min-height: var(--press); border-inline-start: 2px solid var(--line2); }
    button[aria-current] { color: var(--ink); border-color: var(--weight); }
    :host([beside]) li { position: absolute; }
    :host(:not([beside])) ul { display: grid; gap: var(--space-5); margin: var(--space-2) 0 var(--space-8); }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    // Letters of another width break the lines elsewhere.
    void document.fonts?.ready.then(() => this.settle());
  }

  override willUpdate(): void {
    this.toggleAttribute('beside', this.box !== undefined);
  }

  // With the frame, which lays the page out anyway.
  override updated(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.settle();
    });
  }

  // A note may be higher than the rows that it speaks of: the next one makes room.
  private settle(): void {
    const { box } = this;
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>('li')];
    if (!box) return items.forEach((item) => item.style.removeProperty('translate'));
    const wanted = items.map((item) => item.offsetTop);
    const tops = spread(wanted, items.map((item) => item.offsetHeight), box.y + box.h);
    items.forEach((item, k) => (item.style.translate = `0 ${tops[k]! - wanted[k]!}px`));
  }

  // What is said of the picture comes with it.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const { store, box } = this;
    const margin = marginOf(store);
    if (!margin) return nothing;
    const now = active(store, margin);
    const row = (box?.h ?? 0) / (margin.tensor.shape.at(-2) ?? 1);
    const beside = ({ from, to }: MarginNote) => (box ? { left: box.x + box.w + 18, top: box.y + from * row + 2,
      'min-height': (to - from + 1) * row - 5, width: box.room } : {});
    const point = (at: number | undefined) => () => store.view.show({ noted: at });
    return html`<ul aria-label=${strings.story.notes}>${margin.notes.map((note, k) => html`<li dir=${direction()}
      ${place(beside(note))}>
      <button aria-current=${k === now ? 'true' : nothing} data-note=${note.from}
        @pointerenter=${point(k)} @pointerleave=${point(undefined)} @focus=${point(k)} @blur=${point(undefined)}
        @click=${() => this.lock(margin, note)}><span>${note.text}</span></button></li>`)}</ul>`;
  }

  // A note that is pressed asks how the largest weight of its row came about.
  private lock({ tensor }: Margin, { from }: MarginNote): void {
    const [rows = 0, cols = 0] = tensor.shape.slice(-2);
    if (from >= rows) return;
    const row = Array.from(tensor.data.slice(from * cols, (from + 1) * cols));
    const index = [...tensor.shape.slice(0, -2).map(() => 0), from, row.indexOf(maximum(row))];
    this.store.selection.hold({ group: tensor.group, tensor: tensor.name, index });
  }
}
customElements.define('ap-margin', MarginElement);
