// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import { heldAxes, plane, type Plane, type Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { shownPiece } from '../strings/displayed-word.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { chosenOf } from './chosen-labels.ts';
import type { Box } from '../elements/shapes.ts';
import { layout, type Layout, type Place } from './layout.ts';
import type { Module } from '../directory/modules.ts';
import { captioned, kindOf, naming } from '../directory/naming.ts';
import { lettersBeside } from '../directory/letters.ts';
import { HEAD, isQuery } from '../directory/places.ts';
import '../first/margin.ts';
import { enlarge } from './enlarge.ts';
import { namesWithRoom } from '../elements/labels.ts';
import { pressName } from './press-name.ts';
import { slopeToggle } from './slope.ts';
import { reached, stageOf } from './stages.ts';
import './legend.ts';
import './matrix.ts';

export interface Scene {
  store: Store;
  module: Module;
  input: Tensor | undefined;
  width: number;
  /** The switch between pictures of the weights, shown above them. */
  views: unknown;
  /** The weights stand alone, with notes beside them. */
  alone?: boolean;
  /** In front of the switch stands the way back to the weights alone. */
  back?: boolean;
}

// So much of the line below the weights their caption takes.
const UNDER = 220;
// So far a scale may reach beside its matrix; what it says of cells stands below it where there is no more room.
const REACH = 40;
// How long the switch is with the way back in front of it.
const WITH_BACK = 370;
// Less room than this beside the weights, and notes and switch stand below.
const BESIDE = 180;
// What a letter of a matrix's title takes of the line that its formula stands in, with the buttons behind both.
const LETTER = 10;

// Of all heads together: as many heads as there may be, the picture keeps its places.
const columns = (tensor: Tensor | undefined): number | undefined =>
  tensor && (tensor.shape.at(-1) ?? 1) * (tensor.shape[tensor.places.indexOf(HEAD)] ?? 1);

/** The picture of one attention: every matrix at its place, with labels, captions and arrows. */
export function geometry(scene: Scene): unknown {
  const { store, width, alone = false } = scene;
  const { name, weights, mask } = scene.module;
  const module: Module = alone && weights ? { name, weights } : scene.module;
  const shown = (tensor: Tensor | undefined) => tensor && plane(tensor, store.selection.chosen);
  const planes: Partial<Record<Place, Plane>> = {
    x: shown(scene.input), query: shown(module.query), key: shown(module.key), value: shown(module.value),
    scores: shown(module.scores), mask: shown(mask), weights: shown(module.weights),
    context: shown(module.context),
  };
  const square = planes.weights ?? planes.scores;
  const rows = square?.rows ?? planes.context?.rows ?? 1;
  const cols = square?.cols ?? planes.key?.rows ?? 1;
  const label = (which: 'row' | 'col', size: number): string[] | undefined => {
    const names = store.sessions.result?.labels((square ?? planes.context)?.axis(which) ?? '');
    return names?.length === size ? names.map(shownPiece) : undefined;
  };
  const [down, across] = [(square ?? planes.context)?.axis('row') ?? '', square?.axis('col') ?? ''];
  const queries = label('row', rows) ?? (rows === 1 && isQuery(down) ? [''] : numbered(rows));
  const keys = (square && label('col', cols)) ?? numbered(cols);
  const place_ = layout(
    {
      m: rows, n: cols, q: columns(module.query), k: columns(module.key), v: columns(module.value),
      c: columns(module.context),
      x: planes.x && { rows: planes.x.rows, cols: planes.x.cols },
      scores: !!module.scores, weights: !!module.weights, mask: !!module.mask, alone,
      ...(scene.back ? { choice: WITH_BACK } : {}),
      ...(sheetOf(store.view.view, queries, keys) ?? {}),
      longestLabel: maximum([...queries.map((t) => t.length), ...keys.map((t) => t.length)], 2),
    },
    width,
  );
  const { boxes } = place_;
  const named = planes.weights ?? square ?? planes.context;
  const draw = (at: Place) => (boxes[at] && planes[at] ? matrix(scene, place_, at, planes[at], planes.mask) : nothing);
  const firstMain = boxes.query ?? boxes.scores ?? boxes.weights ?? boxes.context;
  return html`<div class="geometry" ${place({ height: place_.height, width: Math.max(place_.width, 200) })}>
    ${arrows(place_)}
    ${boxes.weights && !alone ? html`<div class="switch" ${
      place({ left: boxes.weights.x, top: place_.switchTop })}>${
      scene.views}</div>` : nothing}
    ${alone && boxes.weights ? noted(scene, boxes.weights, place_.drawn) : nothing}
    ${firstMain && firstMain.h / rows > 11 && !(alone && namesRows(store.view.view))
      ? chosenOf(down, (chosen) =>
      html`<div class="rows" aria-hidden="true" ${
      place({ left: firstMain.x - place_.rowLabels, top: firstMain.y, width: place_.rowLabels - 8 })}>
      ${queries.map((text, i) => html`<span class=${chosen === i ? 'query' : ''} ${place(lineOf(firstMain.h / rows))}
        @click=${() => named && pressName(store, named, 'row', i)}>${text}</span>`)}</div>`)
        : nothing}
    ${slanted(scene, boxes.scores, keys, across, planes.scores)}
    ${store.view.view === 'matrix' ? slanted(scene, boxes.weights, keys, across, planes.weights) : nothing}
    ${boxes.value ? names(boxes.value, valueNames(store, keys), across) : nothing}
    ${(['x', 'query', 'key', 'scores', 'mask', 'weights', 'value', 'context'] as const).map(draw)}
  </div>${alone && boxes.weights && roomBeside(width, boxes.weights) < BESIDE
    ? html`<ap-margin class="after"></ap-margin>` : nothing}`;
}

// Beside the weights what is to be seen in them; below, what they were computed from, and other pictures of them.
function noted({ store, width, views }: Scene, box: Box, drawn: number): unknown {
  const room = roomBeside(width, box);
  const left = box.x + (room < BESIDE ? UNDER : Math.max(drawn, UNDER)) + 18;
  return html`<div class="under" ${place({ left, top: box.y + box.h + 6, width: width - left })}>${views}</div>
    ${room < BESIDE ? nothing : html`<ap-margin .box=${{ ...box, room }}></ap-margin>`}
    ${store.view.view === 'matrix' ? html`<ap-margin-frame .box=${box}></ap-margin-frame>` : nothing}`;
}

const roomBeside = (width: number, box: Box): number => width - box.x - box.w - 24;

// Alone, a picture that names its rows itself needs no names beside it; they would stand at other heights.
const namesRows = (view: string): boolean => view === 'table' || view === 'text';

/** A name in the middle of a row of this height; what has no room ends in dots. */
export const lineOf = (height: number): { height: number; 'line-height': string } =>
  ({ height, 'line-height': `${height}px` });

const numbered = (count: number): string[] => Array.from({ length: count }, (_, k) => String(k + 1));

function slanted({ store }: Scene, box: Box | undefined, keys: string[], axis: string,
  shown: Plane | undefined): unknown {
  if (!box) return nothing;
  // Of too many keys for their labels some are named.
  return chosenOf(axis, (chosen) =>
    namesWithRoom(keys.length, box.w / keys.length, chosen).map((j) => html`<span
    class="slant ${chosen === j ? 'key' : ''}" aria-hidden="true" @click=${() =>
      shown && pressName(store, shown, 'col', j)}
    ${place({ left: box.x + ((j + 0.5) * box.w) / keys.length, top: box.y - 6 })}>${keys[j]}</span>`));
}

// So much room a table with its facts needs at least, or a text in a few lines; more is scrolled.
const [TEXT, TALLEST, LINE, EACH, FACTS] = [300, 300, 27, 48, 96];
const lengths = (names: readonly string[], around: number): number =>
  names.reduce((sum, name) => sum + name.length * 8 + around, 0);

/** The size of a text or a table in place of the weights. */
export function sheetOf(view: string, queries: readonly string[], keys: readonly string[]):
    { sheet: { w: number; h: number } } | undefined {
  if (view !== 'text' && view !== 'table') return undefined;
  const lines = Math.ceil(lengths(keys, 58) / TEXT) + Math.ceil(lengths(queries, 24) / TEXT);
  return { sheet: view === 'text' ? { w: TEXT, h: Math.min(TALLEST, 104 + 34 * lines) }
    : { w: lengths(queries.slice(0, 1), 24) + keys.length * EACH
      + FACTS + maximum(keys.map((key) => key.length), 1) * 8,
      h: Math.min(TALLEST, (queries.length + 2) * LINE + 12) } };
}

// Values that the reader gave have names of their own.
function valueNames({ documents, sessions }: Store, keys: string[]): string[] {
  const own = documents.document.mechanism && sessions.result?.directory.tokens?.['value'];
  return own?.length === keys.length ? own.map(shownPiece) : keys;
}

function names(box: Box, keys: string[], axis: string): unknown {
  if (box.h / keys.length < 11) return nothing;
  return chosenOf(axis, (chosen) =>
    html`<div class="small rows" aria-hidden="true" ${place({ left: box.x - 74, top: box.y, width: 68 })}>
    ${keys.map((text, j) => html`<span
      class=${chosen === j ? 'value' : ''} ${place(lineOf(box.h / keys.length))}>${text}</span>`)}</div>`);
}

function arrows({ boxes, height, width }: Layout): unknown {
  const across = (from: Box | undefined, to: Box | undefined) =>
    from && to ? svg`<path d="M${from.x + from.w + 6} ${to.y + Math.min(from.h, to.h) / 2}H${
      to.x - 6}m-5-4 5 4-5 4" />` : nothing;
  const { x, query, key, scores, weights, context } = boxes;
  return html`<svg class="arrows" width=${width} height=${height} aria-hidden="true">
    ${x && query ? svg`<path class="q" d="M${x.x + x.w / 2} ${x.y + x.h + 8}V${query.y - 8}m-4-5 4 5 4-5" />` : nothing}
    ${x && key && key.x > x.x + x.w + 16
      ? svg`<path class="k" d="M${x.x + x.w + 6} ${key.y + key.h / 2}H${key.x - 6}m-5-4 5 4-5 4" />` : nothing}
    ${across(query, scores)} ${across(scores, weights)} ${across(weights ?? scores, context)}
  </svg>`;
}

function matrix(scene: Scene, { boxes }: Layout, at: Place, shown: Plane, mask: Plane | undefined): unknown {
  const { store } = scene;
  const box = boxes[at]!;
  const own = shown.tensor;
  const slope = store.slopes.instead(own);
  const view = slope ? plane(slope, store.selection.chosen) : shown;
  const { tensor } = view;
  const kind = kindOf(tensor);
  const domain = store.scales.of(tensor, kind);
  const { short: title, symbol, role } = naming(tensor);
  const dim = reached(store, stageOf(own)) ? '' : 'later';
  const square = at === 'scores' || at === 'weights';
  // Stepped through, scores are masked once the mask has come.
  const hides = square && reached(store, 'mask') ? mask : undefined;
  const masked = hides?.rows === shown.rows && hides.cols === shown.cols ? hides : undefined;
  const above = at === 'x' || at === 'key' || at === 'mask' || at === 'value';
  const math = slope ? symbol : formulaOf(shown, symbol, at, box.w - 20 - LETTER * title.length);
  const head = html`<span class="title ${role}">${slope && box.w < 150 ? nothing : title} <ap-math class="plain"
    .latex=${symbol ? math : ''} .others=${lettersBeside(store.sessions.result, tensor)}></ap-math>
    </span>${slopeToggle(store, own)}${
    square && !slope ? enlarge(store, own) : nothing}`;
  const asMatrix = html`<ap-matrix data-tensor=${tensor.name} .plane=${view} .mask=${masked} .domain=${domain}
    .w=${box.w} .h=${box.h} ?transposed=${at === 'key'} ?empty=${dim !== ''}></ap-matrix>`;
  const picture = at === 'weights' && !slope ? weightsAs(scene, box, shown, masked, domain, asMatrix) : asMatrix;
  const zeros = at === 'weights' && !slope && hasZeros(shown, masked);
  return html`<div class="place ${at} ${dim}" ${place({ left: box.x, top: box.y })}>
    ${above ? html`<div class="cap" ${place({ width: Math.max(box.w, 90) })}>${head}</div>` : nothing}
    ${picture}${at === 'weights' && store.view.view === 'matrix' ? lonely(shown, masked, box) : nothing}
    ${above ? nothing : html`<div class="foot"><div class="said">${head}</div>
      ${tensor.shape.length > 2 ? slices(store, tensor) : nothing}
      <ap-legend ${place({ 'max-width': box.w + REACH })} .domain=${domain} .kind=${kind} .of=${tensor}
        .width=${Math.max(44, Math.min(116, square ? box.w - 76 : box.w))}
        ?masked=${!!masked && at === 'scores'} ?zeros=${zeros}></ap-legend></div>`}
  </div>`;
}

// A query that may look at nothing: its row is all hatch, and says so at its end.
function lonely(shown: Plane, mask: Plane | undefined, box: Box): unknown {
  if (!mask || box.h / shown.rows < 12) return nothing;
  const rows = Array.from({ length: shown.rows }, (_, i) => i).filter((i) => {
    for (let j = 0; j < shown.cols; j++) if (mask.at(i, j) !== 0) return false;
    return true;
  });
  return rows.map((i) => html`<span
    class="lonely" ${place({ left: box.w + 6, top: ((i + 0.5) * box.h) / shown.rows - 8 })}>${strings.noKey}</span>`);
}

/** Whether a weight that is not masked is exactly 0, which looks like neither. */
export function hasZeros(shown: Plane, mask: Plane | undefined): boolean {
  const key = `${shown.held.join()} ${mask?.held.join()}`;
  const known = zeros.get(shown.tensor.data);
  if (known?.key === key && known.mask === mask?.tensor.data) return known.answer;
  const answer = findZeros(shown, mask);
  zeros.set(shown.tensor.data, { key, mask: mask?.tensor.data, answer });
  return answer;
}

// Found once for a map and its mask: views ask at every change of the page.
const zeros = new WeakMap<Float32Array, { key: string; mask: Float32Array | undefined; answer: boolean }>();

function findZeros(shown: Plane, mask: Plane | undefined): boolean {
  const { rows, cols, start, down, across, tensor: { data } } = shown;
  // Most maps have no zero at all.
  if (across === 1 && down === cols) {
    let at = start;
    for (const end = start + rows * cols; at < end && data[at] !== 0;) at++;
    if (at === start + rows * cols) return false;
  }
  for (let i = 0; i < rows; i++) {
    for (let j = 0, place = start + i * down; j < cols; j++, place += across)
      if (data[place] === 0 && mask?.at(i, j) !== 0) return true;
  }
  return false;
}

function formulaOf(shown: Plane, symbol: string, at: Place, width: number): string {
  if (at === 'key') return `${symbol}^\\top`;
  return at === 'scores' || at === 'weights' ? captioned(shown.tensor, width) : symbol;
}

function weightsAs(scene: Scene, box: Box, shown: Plane, mask: Plane | undefined, domain: readonly [number, number],
  asMatrix: unknown): unknown {
  const { store } = scene;
  if (store.view.view === 'lines') return html`<ap-lines .plane=${shown} .w=${box.w} .h=${box.h}></ap-lines>`;
  if (store.view.view === 'matrix') return asMatrix;
  const inner = store.view.view === 'text'
    ? html`<ap-text .plane=${shown} .mask=${mask} .domain=${domain}></ap-text>`
    : html`<ap-table facts .plane=${shown} .mask=${mask} .places=${3}></ap-table>`;
  return html`<div class="sheet" tabindex="0" role="group"
    aria-label=${strings.viewAs} ${place({ width: box.w, height: box.h })}>${inner}</div>`;
}

/** Choosers for axes that the picture holds still, other than heads, which have their own. */
export function slices(store: Store, tensor: Tensor): unknown {
  const axes = heldAxes(tensor).filter((k) => tensor.places[k] !== HEAD && (tensor.shape[k] ?? 1) > 1);
  return axes.map((k) => {
    const axis = tensor.places[k] || String(k);
    const most = (tensor.shape[k] ?? 1) - 1;
    return html`<label class="slice">${strings.slice(tensor.axes[k] ?? String(k))}
      <input type="number" min="0" max=${most} .value=${String(Math.min(store.selection.chosen[axis] ?? 0, most))}
        @change=${(event: Event) => {
          const at = Math.min(most, Math.max(0, Math.round(Number((event.target as HTMLInputElement).value) || 0)));
          store.selection.choose(axis, at);
        }} /> / ${most}</label>`;
  });
}
