// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { html, nothing } from 'lit';
import { plane, type Plane, type Tensor } from '../engine/result.ts';
import { marginOf } from '../first/margin.ts';
import type { Store } from '../state/store.ts';
import { place } from '../styles/place.ts';
import { hasZeros, slices, lineOf } from './geometry.ts';
import { bounded } from '../bounded.ts';
import { chosenOf } from './chosen-labels.ts';
import { type Arranged, tensorsOf } from '../directory/modules.ts';
import { captioned, isMask, isWeights, kindOf, naming } from '../directory/naming.ts';
import { isMap } from '../directory/typed.ts';
import { namesWithRoom } from '../elements/labels.ts';
import { pressName } from './press-name.ts';
import { slopeToggle } from './slope.ts';
import { stageOf, stageShown } from './stages.ts';

const MOST = 12;
// From so many columns on their names need a picture of their own.
export const LONG = 17;

export type Labelled = (shown: Plane, mask: Plane | undefined, width: number, weights: boolean) => unknown;

/** One stage's matrices, each as wide as the screen. */
export function stage(store: Store, { modules, others }: Arranged, width: number, views: unknown,
  labelled?: Labelled): unknown {
  const now = stageShown(store) ?? 'weights';
  const placed = modules.flatMap(tensorsOf);
  const tensors = now === 'inputs'
    ? (store.sessions.result?.all('inputs') ?? [])
    : now === 'output' ? others : placed.filter((tensor) => stageOf(tensor) === now);
  const mask = modules.find((m) => m.mask)?.mask;
  return bounded(tensors, MOST, (tensor, k) => one(store, tensor, mask, width, k === 0 ? views : nothing, labelled));
}

function one(store: Store, own: Tensor, mask: Tensor | undefined, width: number, views: unknown,
  labelled?: Labelled): unknown {
  const tensor = store.slopes.instead(own) ?? own;
  const shown = plane(tensor, store.selection.chosen);
  const hides = mask && plane(mask, store.selection.chosen);
  const { short: title, role } = naming(tensor);
  const weights = isWeights(tensor);
  const square = tensor.group === 'outputs' && isMap(tensor) && !isMask(tensor);
  const masked = square && hides?.rows === shown.rows && hides.cols === shown.cols ? hides : undefined;
  const kind = kindOf(tensor);
  const domain = store.scales.of(tensor, kind);
  const rows = store.sessions.result?.labels(shown.axis('row') ?? '');
  const cols = store.sessions.result?.labels(shown.axis('col') ?? '');
  const longest = maximum([...(rows ?? []).map((t) => t.length), ...(cols ?? []).map((t) => t.length)], 2);
  const left = rows ? Math.min(76, longest * 7 + 12) : 0;
  const w = Math.max(80, Math.min(width - left - 6, shown.cols * 64));
  const h = Math.max(20, Math.min(36, Math.max(14, w / Math.max(6, shown.cols))) * shown.rows);
  const top = cols ? Math.min(60, longest * 6 + 14) : 0;
  const other = weights ? store.view.view : 'matrix';
  const latex = captioned(tensor, width);
  // Until the numbers have come only their place is shown: other numbers would be wrong.
  const waiting = store.sessions.result === undefined;
  const picture = other === 'lines'
    ? html`<ap-lines rowNames .plane=${shown} .w=${width - 8} .h=${Math.max(h, shown.rows * 30)}></ap-lines>`
    : other === 'text' ? html`<ap-text .plane=${shown} .mask=${masked} .domain=${domain}></ap-text>`
    : other === 'table' ? html`<div class="sheet" tabindex="0" role="group"
    aria-label=${title}><ap-table .plane=${shown} .mask=${masked} .places=${4}></ap-table></div>`
    : labelled && square && shown.cols >= LONG ? labelled(shown, masked, width, weights)
    : html`<div class="geometry" ${place({ height: top + h, width: left + w })}>
        ${top && cols ? chosenOf(shown.axis('col'),
          (chosen) => namesWithRoom(cols.length, w / shown.cols, chosen).map((j) => html`<span
          class="slant ${chosen === j ? 'key' : ''}" aria-hidden="true"
          @click=${() => pressName(store, shown, 'col', j)}
          ${place({ left: left + ((j + 0.5) * w) / shown.cols, top: top - 4 })}>${cols[j]}</span>`))
          : nothing}
        ${rows && h / shown.rows > 11 ? chosenOf(shown.axis('row'),
          (chosen) => html`<div class="rows" aria-hidden="true" ${place({ left: 0, top, width: left - 8 })}>
          ${rows.map((text, i) => html`<span
            class=${chosen === i ? 'query' : ''} @click=${() => pressName(store, shown, 'row', i)}
            ${place(lineOf(h / shown.rows))}>${text}</span>`)}</div>`)
            : nothing}
        <div ${place({ left, top })}><ap-matrix data-tensor=${tensor.name} .plane=${shown} .mask=${masked}
          .domain=${domain} .w=${w} .h=${h} .empty=${waiting}></ap-matrix></div>
        ${weights && marginOf(store)?.tensor.name === own.name
          ? html`<ap-margin-frame .box=${{ x: left, y: top, w, h }}></ap-margin-frame>` : nothing}
      </div>
      ${slices(store, tensor)}
      ${waiting || (labelled && square && shown.cols >= LONG) ? nothing
        : html`<ap-legend .domain=${domain} .kind=${kind} .of=${tensor} .width=${120} ?masked=${!!masked}
        ?zeros=${kind === 'weights' && hasZeros(shown, masked)}></ap-legend>`}`;
  return html`<h2 class="title ${role}">${title} ${
    latex ? html`<ap-math class="plain" .latex=${latex}></ap-math>` : nothing}${slopeToggle(store, own)}</h2>
    ${weights ? views : nothing}${picture}<p class="note">&nbsp;</p>`;
}
