// SPDX-License-Identifier: Apache-2.0
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { css, html, nothing } from 'lit';
import { exactly } from '../colour/numbers.ts';
import type { Domain, Kind } from '../colour/scale.ts';
import { heatOf } from '../elements/heat.ts';
import { drawHeat } from '../elements/heat-canvas.ts';
import { showWithin } from '../avoid-covering.ts';
import { cellUnder, keyed } from '../elements/pointing.ts';
import { type Plane, samePlane } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import { InSight } from '../in-sight.ts';
import { Part, property, reactive } from '../part.ts';
import { painted } from '../performance-marks.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import { speaking } from '../strings/live.ts';
import { typedNumber } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import { base } from '../styles/tokens.ts';
import { rank, type Rank } from '../turns.ts';
import { inWords } from './highlight.ts';
import { isWeights, kindOf, naming } from '../directory/naming.ts';
import './outlines.ts';
import { isTrained } from '../state/writer.ts';
import { editable, write } from './write.ts';

// A move of a slider gives every matrix another plane; only those that show other numbers are drawn again.
const numbers = property({ attribute: false, hasChanged: (now?: Plane, before?: Plane) => !samePlane(now, before) });
const ends = property({ attribute: false, hasChanged: (now?: Domain, before?: Domain) =>
  now?.join() !== before?.join() });

/** One matrix on a canvas: one tab stop, arrows inside, a click locks, F2 or a digit edits. */
export class MatrixElement extends Part {
  @numbers plane!: Plane;
  @numbers mask: Plane | undefined;
  /** What masked cells say. */
  @reactive marks: ((row: number, col: number) => string) | undefined;
  @ends domain: Domain | undefined;
  @property({ type: Number }) w!: number;
  @property({ type: Number }) h!: number;
  @property({ type: Boolean }) transposed = false;
  @property({ type: Boolean }) empty = false;
  @property({ type: Boolean }) still = false;
  /** Cells to be drawn faintly: those that a step left as they were. */
  @reactive faded: ((index: number[]) => boolean) | undefined;
  /** Which scale the numbers are drawn on, where the name does not say it. */
  @property() kind: Kind | undefined;
  /** Signed numbers with two places, as weights have. */
  @property({ type: Boolean }) fine = false;
  /** The row and the column of the cell that is pointed at are framed. */
  @property({ type: Boolean }) cross = false;
  /** So is what the lens shows. */
  @property({ type: Boolean }) lens = false;
  /** The cells that these stand for, where the matrix is no tensor of the result. */
  @numbers stand: Plane | undefined;
  @reactive at: [number, number] = [0, 0];
  @reactive typing: string | undefined = undefined;
  private can: ReadonlySignal<boolean> | undefined;
  private painted: HTMLCanvasElement | undefined;
  private looked: unknown[] = [];
  // It may paint long after it was drawn, when another element's language is spoken.
  private readonly sight = new InSight(this, () => speaking(this.tongue, () => this.paint()), this.rank);

  // Its own input has the size of a cell.
  protected static override ground = base;
  static override styles = css`
    :host { display: block; position: relative; direction: ltr; touch-action: pan-x pan-y; }
    .stop { position: absolute; inset: 0; cursor: pointer; }
    .stop:focus-visible { outline-offset: 3px; }
    canvas { display: block; width: 100%; height: 100%; pointer-events: none; }
    input {
      position: absolute; min-width: 64px; height: 24px; border: 1px solid var(--ink);
      border-radius: var(--radius); background: var(--raised); font-size: var(--text-note);
      padding: 0 var(--space-2); z-index: 3;
      transform: translate(-50%, -50%);
    }
  `;

  protected override get rank(): Rank {
    return rank.picture;
  }

  // Of the document of the picture: a slider that moves changes no picture before its numbers have come.
  private get editable(): boolean {
    return (this.can ??= computed(() => {
      const { result } = this.store.sessions;
      return result !== undefined && editable(this.plane.tensor, result);
    })).value;
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('plane')) this.can = undefined;
  }

  private get shape(): [number, number] {
    const { rows, cols } = this.plane;
    return this.transposed ? [cols, rows] : [rows, cols];
  }

  private target(row: number, col: number): Target {
    const stand = this.stand ?? this.plane;
    const index = this.transposed ? stand.index(col, row) : stand.index(row, col);
    return { group: stand.tensor.group, tensor: stand.tensor.name, index };
  }

  override render(): unknown {
    const [rows, cols] = this.shape;
    const { title } = naming(this.plane.tensor);
    const can = this.editable;
    void this.theme;
    if (this.still) return html`<canvas aria-hidden="true"></canvas>`;
    return html`<div
        class="stop" tabindex="0" role="application"
        aria-roledescription=${strings.matrixRole}
        aria-label="${title}, ${rows} × ${cols}. ${strings.matrixHelp} ${can ? strings.editable : ''}"
        @pointerdown=${this.aim} @pointermove=${this.move} @pointerleave=${() => this.store.selection.point(undefined)}
        @click=${this.press} @dblclick=${() => this.edit('')} @keydown=${this.key}
        @focus=${(e: Event) => (e.target as Element).matches(':focus-visible') && this.look()}
        @blur=${() => this.store.selection.point(undefined)}
      ><canvas></canvas><ap-outlines .plane=${this.stand ?? this.plane} .w=${this.w} .h=${this.h}
        .transposed=${this.transposed} .cross=${this.cross} .lens=${this.lens}></ap-outlines></div>
      ${this.typing === undefined ? nothing : this.editor(rows, cols)}`;
  }

  private editor(rows: number, cols: number): unknown {
    const [row, col] = this.at;
    return html`<input
      aria-label=${inWords(this.store, this.target(row, col))} .value=${this.typing ?? ''}
      ${place({ left: ((col + 0.5) * this.w) / cols, top: ((row + 0.5) * this.h) / rows })}
      @keydown=${this.editorKey} @blur=${() => (this.typing = undefined)} />`;
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('w')) this.style.width = `${this.w}px`;
    if (changed.has('h')) this.style.height = `${this.h}px`;
    if (this.typing === undefined || !changed.has('typing')) this.sight.ask();
    if (changed.has('typing') && this.typing !== undefined) {
      const input = this.renderRoot.querySelector('input');
      input?.focus();
      if (this.typing.length !== 1) input?.select();
    }
  }

  private paint(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    if (!canvas) return;
    const looks = this.looks();
    if (this.painted === canvas && looks.every((part, k) => part === this.looked[k])) return;
    this.painted = canvas;
    this.looked = looks;
    const { plane, mask, marks, domain, fine, faded, empty, theme } = this;
    drawHeat(canvas, this.w, this.h, heatOf(plane, { theme, kind: this.kind, domain, mask, marks,
      transposed: this.transposed, fine, empty, faded: faded && ((i, j) => faded(plane.index(i, j))) }));
    if (!empty) painted();
  }

  // Everything that the picture depends on; where it is as it was, nothing is painted anew.
  private looks(): unknown[] {
    const { plane, mask, domain } = this;
    return [plane.tensor.data, plane.held.join(), mask?.tensor.data, mask?.held.join(), this.marks,
      domain?.join(), this.w, this.h, this.theme, language(), this.transposed, this.empty,
      this.faded, kindOf(plane.tensor) + String(this.kind), devicePixelRatio];
  }

  private cellAt(event: PointerEvent | MouseEvent): [number, number] | undefined {
    const [rows, cols] = this.shape;
    const cell = cellUnder(event, this.getBoundingClientRect(), { rows, cols });
    return cell && [...cell];
  }

  private move(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    const cell = this.cellAt(event);
    this.store.selection.point(cell && this.target(...cell));
  }

  // What is pressed takes the focus, which comes to this cell and not to the one where the keyboard was.
  private aim(event: PointerEvent): void {
    this.at = this.cellAt(event) ?? this.at;
  }

  private press(event: MouseEvent): void {
    const cell = this.cellAt(event);
    if (!cell) return;
    this.at = cell;
    this.store.selection.hold(this.target(...cell));
  }

  private look(): void {
    const [rows, cols] = this.shape;
    this.at = [Math.min(this.at[0], rows - 1), Math.min(this.at[1], cols - 1)];
    this.store.selection.point(this.target(...this.at));
  }

  private key(event: KeyboardEvent): void {
    const [rows, cols] = this.shape;
    const { selection } = this.store;
    if (keyed(event, { rows, cols, at: this.at, hold: (cell) => selection.hold(this.target(...cell)),
      release: () => selection.hold(undefined), point: (cell) => {
        this.at = [...cell];
        this.look();
        // With the rows beside it, so that the next is seen, too.
        const row = this.h / rows;
        showWithin(this, (this.at[0] - 1) * row, (this.at[0] + 2) * row);
      } })) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.toLowerCase() === 't') this.store.view.show({ table: this.plane.tensor.name });
    else if (event.key.toLowerCase() === 'l' && !this.stand) this.store.view.show({ large: this.plane.tensor.name });
    else if (event.key === 'F2') this.edit('');
    else if (/^[-−\d.,]$/.test(event.key)) this.edit(event.key);
    else return;
    event.preventDefault();
  }

  private edit(start: string): void {
    const target = this.target(...this.at);
    if (!this.editable) {
      const { documents, view } = this.store;
      const byHand = isWeights(this.plane.tensor) && isTrained(documents.document);
      view.show({ notice: [byHand ? { key: 'readOnlyWeight', train: 'setByHand' } : { key: 'readOnly' }] });
      this.store.selection.hold(target);
      return;
    }
    this.typing = start || exactly(this.store.numberAt(target) ?? 0);
  }

  private editorKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Enter') {
      const text = (event.target as HTMLInputElement).value.trim().replace('−', '-');
      const value = typedNumber(text);
      if (!Number.isFinite(value)) this.store.view.show({ notice: [{ key: 'numberWanted', values: [text] }] });
      else write(this.store, this.plane.tensor, this.target(...this.at).index, value);
    }
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    this.typing = undefined;
    this.renderRoot.querySelector<HTMLElement>('.stop')?.focus();
  }
}
customElements.define('ap-matrix', MatrixElement);
