// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { html, nothing } from 'lit';
import { kindOf, naming } from '../directory/naming.ts';
import type { Plane } from '../engine/result.ts';
import { besideOf } from '../flow/chosen-labels.ts';
import { LINE, namesWithRoom } from '../elements/labels.ts';
import { pressName } from '../flow/press-name.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import '../flow/legend.ts';
import type { MatrixElement } from '../flow/matrix.ts';
import '../flow/matrix.ts';
import { factsStyles } from './facts.styles.ts';
import { labelledStyles } from './labelled.styles.ts';
import './lens.ts';
import './row-facts.ts';
import { cellOf, FACTS, type Zoom } from './size.ts';
import { shownPiece } from '../strings/displayed-word.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, k) => String(k + 1));

/**
 * One matrix with room: a name at every row and column, of weights what each row says, and a lens where numbers have no
 * room.
 */
export class LabelledElement extends Part {
  @reactive plane!: Plane;
  @reactive mask: Plane | undefined;
  @property({ type: Number }) width!: number;
  /** What the rows are called, where they are no words. */
  @reactive rowNames: readonly string[] | undefined;
  /** Rows of weights: each says its entropy, how many keys it looks at, and at which most. */
  @property({ type: Boolean }) weights = false;
  @reactive zoom: Zoom = 'fit';

  static override styles = [labelledStyles, factsStyles];

  private names(which: 'row' | 'col', count: number): readonly string[] {
    if (which === 'row' && this.rowNames) return this.rowNames;
    const names = this.store.sessions.result?.labels(this.plane.axis(which) ?? '');
    return names?.length === count ? names.map(shownPiece) : numbered(count);
  }

  override render(): unknown {
    const { plane } = this;
    const { rows, cols, tensor } = plane;
    const [down, across] = [this.names('row', rows), this.names('col', cols)];
    const longest = maximum(down.map((name) => name.length), 2);
    const left = Math.min(96, longest * 7 + 12);
    const size = cellOf({ rows, cols, room: this.width - left - (this.weights ? FACTS : 0), zoom: this.zoom });
    const top = Math.min(84, maximum(across.map((name) => name.length), 2) * 5.4 + 16);
    const kind = kindOf(tensor);
    const domain = this.store.scales.of(tensor, kind);
    const facts = this.weights && size.h >= 11;
    // Where the numbers stand there anyway, there is nothing to choose.
    const roomy = this.zoom === 'fit' && size.written;
    return html`<div class="tools" ?hidden=${roomy} role="group" aria-label=${strings.large.zoom}>
        ${(['fit', 'numbers'] as const)
          .map((zoom) => html`<button class="text" aria-pressed=${this.zoom === zoom}
          @click=${() => (this.zoom = zoom)}>${strings.large.zooms[zoom]}</button>`)}
        <span class="note">${strings.large.help}</span></div>
      <div class="sheet" role="group" tabindex="-1" aria-label=${naming(tensor).title || tensor.name}
        @keydown=${this.key}>
        <div class="board" ${place({ 'grid-template-columns': `${left}px ${cols * size.w}px auto` })}>
          <div class="corner" ${place({ height: top })}></div>
          <div class="cols" aria-hidden="true" ${place({ height: top })}>${this.columns(across, size.w, top)}</div>
          <div class="factnames" aria-hidden="true">${
            facts ? html`<span>${strings.large.bits}</span><span>${strings.large.keys}</span><span
            class="most">${strings.large.most}</span>` : nothing}</div>
          <div class="rows" aria-hidden="true">${this.rowLabels(down, size.h)}</div>
          <ap-matrix cross data-tensor=${tensor.name} .plane=${plane} .mask=${this.mask} .domain=${domain}
            .w=${cols * size.w} .h=${rows * size.h} ?lens=${!size.written}></ap-matrix>
          ${facts ? html`<ap-row-facts .plane=${plane} .names=${across} .height=${size.h}></ap-row-facts>` : nothing}
        </div>
      </div>
      <div class="under"><ap-legend .domain=${domain} .kind=${kind} .width=${132} ?masked=${!!this.mask}></ap-legend>
        ${size.written ? nothing : html`<ap-lens .plane=${plane} .mask=${this.mask} .domain=${domain} .kind=${kind}
          .down=${down} .across=${across}></ap-lens>`}</div>`;
  }

  // Where columns are narrower than their labels are high, only the chosen one is named.
  private columns(names: readonly string[], w: number, top: number): unknown {
    return besideOf(this.plane, 'col', (chosen) => (w < LINE ? (chosen === undefined ? [] : [chosen])
      : namesWithRoom(names.length, w, chosen)).map((j) => html`<span
      class="slant ${chosen === j ? 'key' : ''}" @click=${() => pressName(this.store, this.plane, 'col', j)}
      ${place({ left: (j + 0.5) * w, top: top - 3 })}>${names[j]}</span>`));
  }

  private rowLabels(names: readonly string[], h: number): unknown {
    return besideOf(this.plane, 'row',
      (chosen) => (h < LINE ? (chosen === undefined ? nothing : html`<span class="query"
        ${place({ height: h, 'margin-top': chosen * h })}>${names[chosen]}</span>`)
      : names.map((name, i) => html`<span class=${chosen === i ? 'query' : ''}
        @click=${() => pressName(this.store, this.plane, 'row', i)} ${place({ height: h })}>${name}</span>`)));
  }

  private key(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 'z' || event.ctrlKey || event.metaKey || event.altKey) return;
    this.zoom = this.zoom === 'fit' ? 'numbers' : 'fit';
    void this.updateComplete.then(() => this.follow());
    event.preventDefault();
  }

  // The cell that the keyboard is at stays in sight.
  private follow(): void {
    const { hover, lock } = this.store.selection;
    const cell = [hover, lock].map((one) => one && one.tensor === this.plane.tensor.name && this.plane.cell(one.index))
      .find(Boolean);
    const sheet = this.renderRoot.querySelector('.sheet');
    if (!cell || !sheet) return;
    const matrix = this.renderRoot.querySelector<MatrixElement>('ap-matrix')!;
    sheet.scrollTo({
      left: ((cell[1] + 0.5) * matrix.w) / this.plane.cols - sheet.clientWidth / 2,
      top: ((cell[0] + 0.5) * matrix.h) / this.plane.rows - sheet.clientHeight / 2,
    });
  }
}
customElements.define('ap-labelled', LabelledElement);
