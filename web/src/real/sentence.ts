// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { fitted } from '../elements/heat.ts';
import '../elements/heat-element.ts';
import { mapOf } from '../elements/tensor.ts';
import { Plane } from '../engine/result.ts';
import { place } from '../styles/place.ts';
import { type Desk, type Side } from './encoder-state.ts';
import { FIRST } from './document.ts';
import { roomOf } from './maps.ts';
import { modelStage } from './model.ts';
import { goesOn, inSplinters, isForeign, MOST_PIECES } from './pieces.ts';
import { shownPiece } from '../strings/displayed-word.ts';
import { words } from './words.ts';

// Above so many pieces the large map is shown one row at a time.
export const LONG = 128;
const LISTED = 24;

const blanks = new Map<number, Plane>();

// A map of n by n cells without numbers: the shape of what is still to come, the same each time it is drawn.
function blankMap(n: number): Plane {
  const known = blanks.get(n) ?? mapOf(new Float32Array(n * n), n, n);
  blanks.set(n, known);
  return known;
}

/** The field of a sentence, and its pieces as the model reads them. */
export function field(desk: Desk, k: number, label = words().sentence(k + 1)): unknown {
  return html`<label class="field"><span class="unseen">${label}</span><input type="text" dir="auto" spellcheck="false"
    autocomplete="off" maxlength="4000" placeholder=${words().type} data-sentence=${k} .value=${desk.text(k)}
    @input=${(e: Event) => desk.type(k, (e.target as HTMLInputElement).value)}
    @change=${() => desk.rest(k)} @blur=${() => desk.rest(k)}></label>`;
}

function chips(desk: Desk, side: Side): unknown {
  const cut = desk.cut(side);
  if (!cut || desk.isEmpty(side)) return nothing;
  const { cell } = desk;
  return html`<div class="chips" dir="auto">${cut.pieces.slice(0, LONG).map((piece, at) => html`<button
    class="chip ${goesOn(piece, at) ? 'joined' : ''}" aria-pressed=${cell?.side === side && cell.row === at}
    @click=${() => lockLargest(desk, side, at)}><span class="note">${at}</span> ${shownPiece(piece)}</button>`)}</div>`;
}

/** Pressing a piece locks the largest weight of its row, on another piece if there is one. */
function lockLargest(desk: Desk, side: Side, row: number): void {
  const [layer, head] = desk.head;
  const shown = desk.plane(side, layer, head);
  if (!shown || row >= shown.rows) return;
  let col = row === 0 && shown.cols > 1 ? 1 : 0;
  for (let j = 0; j < shown.cols; j++) if (j !== row && shown.at(row, j) > shown.at(row, col)) col = j;
  desk.locked.value = { side, row, col };
  desk.side.value = side;
}

/** What is to be said of a sentence that is no plain English one. */
function remarks(desk: Desk, side: Side): unknown {
  const cut = desk.cut(side);
  if (desk.isEmpty(side)) {
    const text = FIRST[side];
    return html`<p class="note">${modelStage().is === 'here' ? html`<button class="link" data-part="take"
      @click=${() => { desk.type(side, text); desk.rest(side); }}>${words().orTake(text)}</button>` : nothing}</p>`;
  }
  if (!cut) return nothing;
  const { length } = cut.ids;
  const splinters = isForeign(cut) ? undefined : inSplinters(cut);
  return html`${length === 1 ? html`<p class="note">${words().oneToken}</p>` : nothing}
    ${isForeign(cut) ? html`<p class="note" data-part="foreign">${words().foreign}</p>` : nothing}
    ${splinters ? html`<p class="note" data-part="splinters">${words().splinters(splinters.broken, splinters.words,
      splinters.example.join(' '))}</p>` : nothing}
    ${length > LONG ? html`<p class="note" data-part="long">${words().long(length)}</p>` : nothing}
    ${length >= MOST_PIECES ? html`<p class="note">${words().cut(MOST_PIECES)}</p>` : nothing}`;
}

/** Layers by heads of one sentence; the chosen head is the same in both. */
function heads(desk: Desk, side: Side, unit: number): unknown {
  const layers = desk.layers();
  const [layer, head] = desk.head;
  const drawn = layers.length > 0 ? layers.map(({ heads: count }) => count) : [4, 4];
  const waiting = desk.isEmpty(side) || !desk.plane(side, 0, 0);
  const grey = blankMap(desk.cut(side)?.pieces.length ?? 5);
  return html`<div class="heads" role="group" aria-label=${words().gridSays}>${drawn.map((count, l) => html`<div
    class="layer"><span class="note">${words().layerNumber(l + 1)}</span>${Array.from({ length: count }, (_, h) => {
      const shown = waiting ? undefined : desk.plane(side, l, h);
      const chosen = l === layer && h === head;
      const size = fitted(shown ?? grey, unit);
      return html`<button class="head" aria-pressed=${chosen} aria-label=${words().headSays(l + 1, h + 1)}
        title=${words().headSays(l + 1, h + 1)} tabindex=${chosen ? 0 : -1} data-head="${l + 1}.${h + 1}"
        ?disabled=${shown === undefined} @click=${() => desk.choose(l, h)}>
        <ap-heat .plane=${shown ?? grey} .kind=${'weights'} .domain=${[0, 1]} .w=${size.w} .h=${size.h}
          ?empty=${shown === undefined}></ap-heat>
        </button>`;
    })}</div>`)}</div>`;
}

// Of a long text the row of the cell that is locked, its largest weights as bars.
function oneRow(desk: Desk, side: Side, shown: Plane): unknown {
  const row = Math.min(desk.cell?.side === side ? desk.cell.row : 0, shown.rows - 1);
  const pieces = desk.pieces(side);
  const all = Array.from({ length: shown.cols }, (_, col) => ({ col, weight: shown.at(row, col) }))
    .toSorted((a, b) => b.weight - a.weight).slice(0, LISTED);
  return html`<label class="note">${pieces[row]} <input type="number" min="0" max=${shown.rows - 1}
    .value=${String(row)} @change=${(e: Event) => { const to = Number((e.target as HTMLInputElement).value);
      if (to >= 0 && to < shown.rows) desk.locked.value = { side, row: Math.floor(to), col: 0 }; }}></label>
    <ol class="row">${all.map(({ col, weight }) => html`<li><span>${col} ${pieces[col]}</span><span
      class="bar" ${place({ width: Math.round(weight * 160) })}></span><span>${
      inCell(weight, true)}</span></li>`)}</ol>`;
}

/** One sentence: its field, its pieces, the maps of all heads, and the chosen head enlarged. */
export function sentence(desk: Desk, side: Side, width: number, unit: number): unknown {
  const [layer, head] = desk.head;
  const shown = desk.isEmpty(side) ? undefined : desk.plane(side, layer, head);
  return html`<section class="sentence" data-side=${side} aria-label=${words().sentence(side + 1)}>
    ${field(desk, side)}${chips(desk, side)}${remarks(desk, side)}
    ${heads(desk, side, unit)}
    ${shown === undefined ? nothing : shown.rows > LONG ? oneRow(desk, side, shown)
      : html`<ap-large-head ${place({ 'min-height': `${roomOf(shown, width)}px` })} .side=${side}
        .width=${width}></ap-large-head>`}</section>`;
}
