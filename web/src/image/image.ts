// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { type Plane, Plane as PlaneOf } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import { isMap } from '../directory/typed.ts';
import { measured } from '../measured.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { slider } from '../styles/slider.ts';
import { palette } from '../styles/tokens.ts';
import { ownTouch } from '../styles/touch.ts';
import '../flow/legend.ts';
import '../flow/matrix.ts';
import { DEPENDS, depends, saysDepending } from './depends.ts';
import { decode, NoImage, type Problem, type Remark } from './decode.ts';
import type { Motif } from './draw.ts';
import { type Filters, filtersIn, filtersOn, saysFilters, stepOf } from './filters.ts';
import { Brush, numbersOf, putDrawn, putPixels, resized } from './edit.ts';
import { paintImage } from './paint.ts';
import { type Size, sizeOf } from './pixels.ts';
import { Colours, type Preparation } from './prepare.ts';
import { asking, pointsOn, type Sampled, sampledIn, saysPoints, trailOf } from './points.ts';
import { Room } from './room.ts';
import { called, overlays, type Scene, sceneOf, sentenceOf, type Side, trackOf } from './scene.ts';
import { cellFor, largest, type Shares, stillOf } from './shares.ts';
import { squares } from './squares.ts';
import { stopsOf } from './stops.ts';
import { imageStyles } from './styles.ts';
import { layers, PAINTS, sources, toldOf } from './tools.ts';
import { words } from './words.ts';

const WIDEST = 384;

/** An image that is read, drawn or painted on: a map's looks lie over it, its patches point at the map's cells. */
export class ImageElement extends Part {
  /** The name of the input. */
  @property() input!: string;
  /** How the model that reads it was given pictures: its size is fixed then, and its numbers are no colours. */
  @reactive how: Preparation | undefined;
  /** Only looked at. */
  @property({ type: Boolean }) fixed!: boolean;
  @reactive width!: number;
  @reactive side!: Side;
  /** The map that lies over it; none: the one that suits, empty: nothing. */
  @reactive over: string | undefined;
  @reactive way!: 'light' | 'colour';
  @reactive strength!: number;
  @reactive grid!: boolean;
  @reactive track!: boolean;
  @reactive only: number | undefined;
  @reactive paints!: boolean;
  @reactive colour!: string;
  @reactive motif!: Motif;
  @reactive seed!: number;
  @reactive cursor!: [row: number, col: number];
  @reactive problem: Problem | undefined;
  @reactive remarks!: Remark[];
  @reactive busy!: boolean;
  /** How much the result depends on each pixel, once that is known. */
  @reactive slope: Shares | undefined;
  /** Whether the map's rows are steps, whose track can be drawn. */
  tracks = false;
  private made: unknown;
  /** The input as it was when something was said of a file: of another picture it is no longer true. */
  private told: unknown;
  private brush: Brush | undefined;
  private readonly coloured = new Colours();
  private asked = 0;
  private askedOf: unknown[] = [];
  private readonly room = new Room(() => this.paint());

  static override styles = [slider, imageStyles];

  constructor() {
    super();
    Object.assign(this, { width: 0, side: 'row', way: 'light', strength: 0.9, grid: true, track: true, paints: false,
      colour: 'white', motif: 'shapes', seed: 1, cursor: [0, 0], remarks: [], busy: false, fixed: false });
    measured(this, (width) => (this.width = Math.floor(width)));
  }

  private get numbers(): { data: ArrayLike<number>; size: Size; shape: number[] } | undefined {
    const now = numbersOf(this.store, this.input);
    // What is drawn and painted on are colours.
    return now && now.shape.length >= 2 ? { shape: now.shape, size: sizeOf(now.shape),
      data: this.how ? this.coloured.of(now, this.given, this.how) : now.data } : undefined;
  }

  private get scene(): Scene {
    const scene = sceneOf(this.store, this.input, this.over === DEPENDS ? '' : this.over, this.side,
      this.numbers?.shape ?? [1, 1]);
    return this.depending ? { ...scene, overlay: undefined, line: undefined, at: undefined, shares: this.slope }
      : scene;
  }

  /** What depends on the pixels is seen: chosen, or because no map looks at this image. */
  get depending(): boolean {
    return this.over === DEPENDS || (this.over === undefined
      && !overlays(this.store).some(({ input }) => input === this.input));
  }

  // Asked anew when the result or the locked cell is another one.
  private async ask(): Promise<void> {
    const of = [this.store.sessions.result, this.store.selection.lock, this.input];
    if (!this.depending || of.every((one, k) => one === this.askedOf[k])) return;
    this.askedOf = of;
    const slope = await depends(this.store, this.input);
    if (of === this.askedOf && slope) this.slope = slope;
  }

  private get given(): unknown {
    return this.store.documents.document.inputs[this.input];
  }

  // Places between the pixels that a module looks at.
  private get sampled(): Sampled | undefined {
    const { result } = this.store.sessions;
    return result && this.store.book.whole ? sampledIn(this.store.book, result, this.input) : undefined;
  }

  private get filters(): Filters | undefined {
    const { result } = this.store.sessions;
    return result && this.store.book.whole ? filtersIn(this.store.book, result, this.input) : undefined;
  }

  /** The picture is as a seed drew it, and nobody has painted on it since. */
  get drawnNow(): boolean {
    return this.made !== undefined && this.made === this.given;
  }

  draw(motif: Motif, seed: number): void {
    const { numbers } = this;
    if (!numbers) return;
    [this.motif, this.seed, this.problem, this.remarks] = [motif, seed, undefined, []];
    putDrawn(this.store, this.input, motif, seed, numbers.size, this.how);
    this.made = this.given;
  }

  /** Chooses a row (or column) of the map that is no place of the image. */
  front(at: number): void {
    const { overlay, side } = this.scene;
    if (overlay) this.store.selection.hold(cellFor(overlay, side, at, undefined, this.store.selection.chosen));
  }

  clear(): void {
    const size = this.numbers?.size;
    if (size) putPixels(this.store, this.input, new Float32Array(size.height * size.width * 3), size, this.how);
  }

  resize(side: number): void {
    resized(this.store, this.input, side, `side ${this.input}`);
  }

  async take(file: Blob): Promise<void> {
    const size = this.numbers?.size;
    if (!size) return;
    const asked = ++this.asked;
    [this.busy, this.problem, this.remarks] = [true, undefined, []];
    try {
      const { pixels, remarks } = await decode(file, size.height, size.width, this.how);
      if (asked !== this.asked) return;
      this.remarks = remarks;
      putPixels(this.store, this.input, pixels, size, this.how);
      this.told = this.given;
    } catch (problem) {
      if (asked !== this.asked) return;
      this.problem = problem instanceof NoImage ? problem.problem : 'broken';
      this.told = this.given;
    } finally {
      if (asked === this.asked) this.busy = false;
    }
  }

  override render(): unknown {
    const { numbers } = this;
    if (!numbers) return nothing;
    const { scene } = this;
    const { size } = numbers;
    const say = words();
    const { filters, sampled } = this;
    const step = filters ? stepOf(filters, this.store.selection.chosen) : 0;
    const trail = sampled && trailOf(sampled, size);
    const stops = trail ?? trackOf(this.store, scene, numbers.shape);
    const query = sampled && asking(this.store, sampled);
    this.tracks = stops !== undefined;
    const ratio = size.width / size.height;
    return html`<div class="whole"><div>
        <div class="surface" @dragover=${(e: DragEvent) => !this.fixed && e.preventDefault()}
          @drop=${this.drop} ${place({ 'aspect-ratio': `${size.width} / ${size.height}`,
          'max-width': Math.round(WIDEST * Math.min(1, ratio)) })}>
          <canvas aria-hidden="true"></canvas>
          ${this.marks(size, scene)}${
            filters ? filtersOn(filters, size, step) : nothing}${
            sampled && !trail ? pointsOn(sampled, size, query) : nothing}${
            this.track && stops ? stopsOf(stops, trail ? query : scene.at) : nothing}
          <div class="stop ${this.paints ? 'paints' : ''}" tabindex="0" role="application"
            aria-roledescription=${say.image}
            aria-label=${[say.surface(strings.input(this.input), size.height, size.width),
              sentenceOf(this.store, scene), this.paints ? say.paintHelp : say.help].filter(Boolean)
              .map((one) => one.replace(/\.$/, '')).join('. ')}
            @touchmove=${this.paints ? ownTouch : undefined} @pointerdown=${this.down}
            @pointermove=${this.move} @pointerup=${this.up} @pointercancel=${this.up}
            @pointerleave=${() => this.store.selection.point(undefined)} @click=${this.press} @keydown=${this.key}
            @blur=${() => this.store.selection.point(undefined)}></div></div>
        <p class="says">${filters ? `${saysFilters(filters, step)} ` : nothing}${
          sampled ? html`${saysPoints(sampled, query)} ` : nothing}${this.mean(scene)}${
          this.said(scene)}</p>
        <span class="unseen" role="status">${this.shadowRoot?.activeElement ? this.said(scene) : ''}</span>
        ${this.fixed ? nothing : sources(this, size)}
        ${this.busy ? html`<p class="note" role="status">${say.busy}</p>` : nothing}
        ${this.told === this.given ? toldOf(this) : nothing}</div>
      <div class="twin">${this.twin(scene, size)}${layers(this, size, scene)}</div></div>`;
  }

  private said(scene: Scene): string {
    return this.depending ? saysDepending(this.store, scene.shares) : sentenceOf(this.store, scene);
  }

  private mean({ overlay, at, side }: Scene): unknown {
    if (!overlay || at !== undefined || overlay.across || !isMap(overlay.tensor)) return nothing;
    const count = overlay.tensor.shape[overlay.tensor.dimensions?.findIndex(({ role }) =>
      role === (side === 'row' ? 'query' : 'key')) ?? 0] ?? 1;
    return html`${side === 'row' ? words().mean(count) : words().meanColumns(count)} `;
  }

  // The same numbers as a matrix of cells that can be pointed at; where they are no cells of one tensor, as a still
  // picture.
  private twin({ overlay, shares, line, side, at }: Scene, size: Size): unknown {
    if (!shares) return nothing;
    if (!overlay) return this.depending
      ? html`<p class="note">${words().depends}</p>${this.legend(shares, size, undefined)}` : nothing;
    const { tensor } = overlay;
    const direct = !line && shares instanceof PlaneOf ? (shares as Plane) : undefined;
    const shown = line ?? direct;
    const title = at === undefined || direct || overlay.row !== undefined ? words().twin
      : `${side === 'row' ? words().rowOf(called(this.store, overlay, side, at))
      : words().columnOf(called(this.store, overlay, side, at))}: ${words().twin}`;
    const pointed = shown === line || shown === direct;
    // Two elements, so that a column is drawn anew where a row stood.
    return html`<p class="note">${title}</p>${
      side === 'row' ? this.legend(shares, size, pointed ? shown : undefined, tensor.name)
      : html`${this.legend(shares, size, pointed ? shown : undefined, tensor.name)}`}`;
  }

  private legend(shares: Shares, size: Size, cells: Plane | undefined, name = ''): unknown {
    const room = Math.min(320, Math.max(160, this.width - (this.width > 620 ? 412 : 0)));
    const w = Math.round(room * Math.min(1, size.width / size.height));
    const most = largest(shares).value;
    const domain = [0, most > 0 ? most : 1] as const;
    return html`<ap-matrix data-tensor=${name || nothing} .plane=${cells ?? stillOf(shares)} .domain=${domain}
      kind="weights" .w=${w} .h=${Math.round((w * shares.rows) / shares.cols)}
      ?still=${cells === undefined}></ap-matrix>
      <ap-legend .domain=${domain} kind="weights" .width=${116}></ap-legend>`;
  }

  private marks(size: Size, scene: Scene): unknown {
    const fed = this.store.explanations.lit.find((feed) =>
      feed.group === 'inputs' && feed.tensor === this.input)?.cells ?? [];
    const seen = this.paints || this.shadowRoot?.activeElement?.matches('.stop:focus-visible');
    return squares(size, scene, fed, seen ? { at: this.cursor, grid: this.cells(size) } : undefined);
  }

  override updated(): void {
    void this.ask();
    this.paint();
  }

  private paint(): void {
    const canvas = this.renderRoot.querySelector<HTMLCanvasElement>('.surface > canvas');
    const { numbers } = this;
    if (!canvas || !numbers) return;
    const { shares: seen } = this.scene;
    // Where nothing counts there is nothing to fade by.
    const shares = this.depending && seen && !(largest(seen).value > 0) ? undefined : seen;
    const paper = palette[this.theme];
    const { width, height } = this.room.of(canvas);
    paintImage(canvas, width, height, numbers.data, numbers.size, this.only,
      { shares: this.paints ? undefined : shares, way: this.way, strength: this.strength, grid: this.grid,
      theme: this.theme, paper });
  }

  // The places that the pointer tells apart: pixels for the brush, else those of what lies over the image.
  private cells({ height, width }: Size): [rows: number, cols: number] {
    const { overlay, shares, side } = this.scene;
    const grid = overlay && (side === 'row' ? (overlay.query ?? overlay.key) : (overlay.key ?? overlay.query));
    if (this.paints) return [height, width];
    return grid ? [grid.rows, grid.cols] : shares ? [shares.rows, shares.cols] : [height, width];
  }

  private cellAt(event: PointerEvent | MouseEvent): [number, number] | undefined {
    const size = this.numbers?.size;
    if (!size) return undefined;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [rows, cols] = this.cells(size);
    const [row, col] = [Math.floor(((event.clientY - box.top) / box.height) * rows),
      Math.floor(((event.clientX - box.left) / box.width) * cols)];
    return row >= 0 && col >= 0 && row < rows && col < cols ? [row, col] : undefined;
  }

  // What a place of the image stands for in the computation.
  private target([row, col]: [number, number]): Target | undefined {
    const { overlay, side, shares, at } = this.scene;
    const { chosen } = this.store.selection;
    if (!overlay || overlay.areas || overlay.across)
      return { group: 'inputs', tensor: this.input,
      index: this.numbers?.shape.length === 2 ? [row, col] : [row, col, this.only ?? 0] };
    if (!isMap(overlay.tensor)) return { group: overlay.tensor.group, tensor: overlay.tensor.name,
      index: (shares as Plane).index(row, col) };
    const [mine, theirs] = side === 'row' ? [overlay.query, overlay.key] : [overlay.key, overlay.query];
    const grid = mine ?? theirs!;
    const index = grid.extra + row * grid.cols + col;
    // Where words ask, a patch is looked at by the word that is chosen; where patches ask, it asks.
    return mine ? cellFor(overlay, side, index, undefined, chosen)
      : cellFor(overlay, side === 'row' ? 'column' : 'row', index, at, chosen);
  }

  private down(event: PointerEvent): void {
    const { numbers } = this;
    const cell = this.cellAt(event);
    if (!this.paints || this.fixed || !numbers || !cell) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.brush = new Brush(this.store, this.input, PAINTS[this.colour] ?? [1, 1, 1], numbers.shape, numbers.data,
        this.how);
    this.brush.to(...cell);
    this.cursor = cell;
  }

  private move(event: PointerEvent): void {
    const cell = this.cellAt(event);
    if (this.brush) {
      if (cell) this.brush.to(...cell);
      return;
    }
    if (this.paints || event.pointerType === 'touch') return;
    this.store.selection.point(cell && this.target(cell));
  }

  private up(): void {
    this.brush?.lift();
    this.brush = undefined;
  }

  private press(event: MouseEvent): void {
    const cell = this.cellAt(event);
    if (this.paints || !cell) return;
    this.cursor = cell;
    this.store.selection.hold(this.target(cell));
  }

  private key(event: KeyboardEvent): void {
    const { numbers } = this;
    if (!numbers || event.altKey || event.ctrlKey || event.metaKey) return;
    const [rows, cols] = this.cells(numbers.size);
    const [row, col] = [Math.min(this.cursor[0], rows - 1), Math.min(this.cursor[1], cols - 1)];
    const steps: Record<string, [number, number]> =
      { ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
      Home: [row, 0], End: [row, cols - 1] };
    const step = steps[event.key];
    if (step) {
      this.cursor = [Math.min(rows - 1, Math.max(0, step[0])), Math.min(cols - 1, Math.max(0, step[1]))];
      if (!this.paints) this.store.selection.point(this.target(this.cursor));
    } else if (this.paints && (event.key === 'Enter' || event.key === ' ')) {
      const brush = new Brush(this.store, this.input, PAINTS[this.colour] ?? [1, 1, 1], numbers.shape, numbers.data,
        this.how);
      brush.to(row, col);
      brush.lift();
    } else if (event.key === 'Enter') this.store.selection.hold(this.target([row, col]));
    else if (event.key === 'Escape') {
      if (this.paints) this.paints = false;
      else this.store.selection.hold(undefined);
    } else return;
    event.preventDefault();
  }

  private drop(event: DragEvent): void {
    const file = event.dataTransfer?.files[0];
    if (!file || this.fixed) return;
    event.preventDefault();
    event.stopPropagation();
    // Whoever watches the whole page for files does not hear of this one.
    for (const at of event.composedPath()) if (at instanceof HTMLElement) at.removeAttribute('dropping');
    void this.take(file);
  }
}
customElements.define('ap-image', ImageElement);
