// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { inCell, onLegend } from '../colour/numbers.ts';
import type { Domain } from '../colour/scale.ts';
import { scaleOf } from '../elements/heat.ts';
import '../elements/heat-element.ts';
import type { Frame } from '../elements/heat-element.ts';
import { drawScale } from '../elements/scale-canvas.ts';
import { Part, property, reactive } from '../part.ts';
import { place } from '../styles/place.ts';
import { fit, type Fit, longest } from './fixed-layout.ts';
import { type Common, type Scene, strongest } from './scene.ts';
import { words } from './words.ts';

const pictureStyles = css`
  :host { display: grid; grid-template-rows: minmax(0, 1fr) auto; min-height: 0; min-width: 0; direction: ltr; }
  .board { position: relative; min-height: 0; min-width: 0; overflow: hidden; }
  .board > * { position: absolute; }
  canvas { display: block; }
  .word { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; line-height: 1.2; }
  .row { text-align: end; color: var(--ink); transform: translateY(-50%); }
  .column { color: var(--ink); }
  .column.slanted { transform-origin: 0 100%; transform: rotate(-45deg); }
  .column.straight { transform: translateX(-50%); text-align: center; }
  .written { transform: translateY(-50%); }
  .written.wrong { color: var(--error); font-weight: 600; }
  .head { color: var(--ink2); }
  .legend { display: flex; flex-wrap: wrap; align-items: flex-end; gap: var(--space-4) var(--space-14);
    padding-top: var(--space-5); color: var(--ink2);
    font-size: clamp(14px, 2.2vh, 24px); line-height: 1.2; justify-content: center; }
  .bar { width: min(36vw, 420px); }
  .bar canvas { width: 100%; height: clamp(8px, 1.4vh, 16px); }
  .ticks { display: flex; justify-content: space-between; }
  .swatch { display: flex; align-items: center; gap: var(--space-4); }
  .swatch i { width: 1.2em; height: 1em; flex: none; border: 2px solid var(--ink); }
  .swatch i.agrees { border-style: dashed; }
  .swatch i.masked { border: 1px solid var(--hatch);
    background: repeating-linear-gradient(135deg, var(--hatch) 0 2px, transparent 2px 6px); }
`;

const LETTERS = "'Source Sans 3', system-ui, sans-serif";
/** Words are measured this large, and scaled. */
const MEASURED = 100;
/** A picture of more rows is not told row by row. */
const MOST_TOLD = 24;
const STEPS = 128;
/** Wrong words are bold, and so much wider. */
const BOLD = 1.07;

const surface = document.createElement('canvas').getContext('2d');
/** How wide a word is, in multiples of the size of its type. */
function wide(word: string): number {
  if (!surface) return word.length * 0.55;
  surface.font = `${MEASURED}px ${LETTERS}`;
  return surface.measureText(word).width / MEASURED;
}

/** One scene, as large as there is room, at the same place and on the same scale as all others of the lecture. */
export class LecturePictureElement extends Part {
  @reactive scene!: Scene;
  @reactive common!: Common;
  /** Whether numbers are written in the cells. */
  @property({ type: Boolean }) numbers = true;
  @reactive room: { width: number; height: number } = { width: 0, height: 0 };
  private readonly watcher = new ResizeObserver(([entry]) => {
    const { width, height } = entry!.contentRect;
    if (width !== this.room.width || height !== this.room.height) this.room = { width, height };
  });

  static override styles = pictureStyles;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watcher.disconnect();
  }

  override firstUpdated(): void {
    this.watcher.observe(this.renderRoot.querySelector('.board')!);
    // Words are measured with the letters that they are drawn with.
    void document.fonts?.load(`16px ${LETTERS}`).then(() => this.requestUpdate(), () => undefined);
  }

  private domain(): Domain {
    return this.common.domains[this.scene.kind] ?? this.scene.domain;
  }

  private laid(): Fit {
    const { common, room } = this;
    return fit({ ...room, rows: Math.max(1, common.rows), columns: Math.max(1, common.columns),
      rowWords: longest(common.rowNames, wide), columnWords: longest(common.columnNames, wide),
      written: common.written.length === 0 ? 0 : BOLD * longest([words().wrote, ...common.written], wide) });
  }

  override render(): unknown {
    const { room } = this;
    const drawn = room.width > 0 && room.height > 0;
    return html`<div class="board">${drawn ? this.board(this.laid()) : nothing}</div>${this.legend()}`;
  }

  private board(at: Fit): unknown {
    const { scene } = this;
    const { type, cell, x, y } = at;
    const font = { 'font-size': type };
    const rows = scene.rows.map((name, i) => (i % at.everyRow > 0 ? nothing : html`<bdi class="word row" ${place({
      ...font, left: x - at.left, width: at.left - type * 0.4, top: y + (i + 0.5) * cell.h })}>${name}</bdi>`));
    const columns = scene.columns.map((name, j) => (j % at.everyColumn > 0 ? nothing : at.slanted
      ? html`<bdi class="word column slanted" ${place({ ...font, left: x + (j + 0.5) * cell.w + type * 0.3,
        top: y - type * 1.3, 'max-width': `${(at.top - type * 0.7) * Math.SQRT2}px` })}>${name}</bdi>`
      : html`<bdi class="word column straight" ${place({ ...font, left: x + (j + 0.5) * cell.w,
        top: y - type * 1.45, 'max-width': `${cell.w}px` })}>${name}</bdi>`));
    const beside = { left: x + scene.columns.length * cell.w + type * 0.5, width: at.right };
    const written = scene.written?.map(({ text, right }, i) => (i % at.everyRow > 0 ? nothing
      : html`<bdi class="word written ${right ? '' : 'wrong'}" ${place({ ...font, ...beside,
        top: y + (i + 0.5) * cell.h })}>${text}</bdi>`));
    const head = scene.written === undefined || at.slanted ? nothing
      : html`<span class="word head" ${place({ ...font, ...beside, top: y - type * 1.45 })}>${words().wrote}</span>`;
    const line = Math.max(1.5, Math.min(4, Math.min(cell.w, cell.h) * 0.03));
    const frames = scene.links.map(([row, column, kind]): Frame => ({ cell: [row, column],
      is: kind === 'means' ? 'solid' : 'dashed' }));
    return html`${rows}${columns}${head}${written}<ap-heat .plane=${scene.cells} .mask=${scene.mask}
      .kind=${scene.kind} .domain=${this.domain()} .w=${scene.columns.length * cell.w} .h=${scene.rows.length * cell.h}
      .type=${this.numbers ? Math.round(at.numbers) : 0} .frames=${frames} .label=${this.told()}
      ${place({ left: x, top: y, '--frame': `${line}px` })}></ap-heat>`;
  }

  private told(): string {
    const { scene } = this;
    const rows = strongest(scene).slice(0, MOST_TOLD).map(({ row, column, value }) =>
      words().mostly(scene.rows[row] ?? '', scene.columns[column] ?? '', inCell(value, scene.kind === 'weights')));
    return words().map(scene.title, rows.join('; '));
  }

  private legend(): unknown {
    const { scene } = this;
    const [low, high] = this.domain();
    const kinds = new Set(scene.links.map(([, , kind]) => kind));
    const swatch = (name: string, text: string) => html`<span class="swatch"><i class=${name}></i>${text}</span>`;
    return html`<div class="legend"><div class="bar"><canvas class="scale" aria-hidden="true"></canvas><div
        class="ticks"><span>${onLegend(low)}</span>${low < 0 && high > 0 ? html`<span>0</span>` : nothing}<span>${
        onLegend(high)}</span></div></div>
      ${scene.mask ? swatch('masked', words().masked) : nothing}
      ${(['means', 'agrees'] as const).map((kind) =>
        (kinds.has(kind) && scene.marks ? swatch(kind, scene.marks[kind]) : nothing))}</div>`;
  }

  override updated(): void {
    const bar = this.renderRoot.querySelector<HTMLCanvasElement>('canvas.scale');
    const { kind, cells } = this.scene;
    if (bar) drawScale(bar, scaleOf(cells, { kind, domain: this.domain() }).kind, this.theme, STEPS, 1, 1);
  }
}
customElements.define('ap-lecture-picture', LecturePictureElement);
