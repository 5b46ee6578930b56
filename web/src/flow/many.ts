// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { type Plane, plane, type Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { bounded } from '../bounded.ts';
import { slices } from './geometry.ts';
import { captioned, equation, kindOf, naming } from '../directory/naming.ts';
import { glyphsIn } from '../directory/glyphs.ts';
import { lettersBeside } from '../directory/letters.ts';
import { place } from '../styles/place.ts';
import { enlarge } from './enlarge.ts';
import { onDemand } from '../on-demand.ts';
import { slopeToggle } from './slope.ts';

const MOST = 48;
// Of more than these, each is made when it comes near.
const AT_ONCE = 24;
// About the height of a caption, and of the scale with its numbers below a matrix.
const [HEAD, FOOT] = [26, 34];

/** The views of a tensor that has more than a matrix and a table; the second argument is the matrix. */
type Better = (tensor: Tensor, matrix: unknown) => unknown;

/** A row of small captioned matrices: outputs without a place, parameters, named steps. */
export function many(store: Store, tensors: readonly Tensor[], width: number,
  better: Better = (_, matrix) => matrix, said: (tensor: Tensor) => string = equation): unknown {
  const draw = (tensor: Tensor) => one(store, tensor, width, better, said);
  return html`<div class="many">${bounded(tensors, MOST, tensors.length <= AT_ONCE ? draw
    : (tensor) => onDemand(tensor.name, () => draw(tensor), () => before(store, tensor, width)))}</div>`;
}

// What keeps the place of a matrix until it comes near: its name can be found, and it is as large.
function before(store: Store, tensor: Tensor, width: number): unknown {
  const { w, h } = sizeOf(tensor, plane(tensor, store.selection.chosen), width);
  return html`<figure ${place({ width: w, height: h + HEAD + FOOT })}><figcaption><span>${
    naming(tensor).title || tensor.name}</span> <span class="note">${
    tensor.shape.join(' × ') || '1'}</span></figcaption></figure>`;
}

// The room for its cells, and that of one of them across.
function sizeOf({ data, group }: Tensor, { rows, cols }: Plane, width: number): { w: number; h: number; cw: number } {
  const cell = Math.min(22, Math.max(3, 220 / Math.max(cols, rows)));
  const roomy = data.length <= 12 || (cols <= 8 && rows <= 16 && group !== 'parameters');
  const cw = roomy ? Math.min(44, (width - 20) / cols) : cell;
  return { w: Math.max(cols * cw, 14), h: Math.max(rows * (roomy ? 22 : cell), 14), cw };
}

// How wide a caption is at most, and with a long formula.
const [CAPTION, WIDE] = [280, 620];
// So much room a letter of its formula takes.
const GLYPH = 9;

function one(store: Store, own: Tensor, width: number, better: Better,
  said: (tensor: Tensor) => string): unknown {
  const tensor = store.slopes.instead(own) ?? own;
  const shown = plane(tensor, store.selection.chosen);
  const kind = kindOf(tensor);
  // Numbers that say which one, such as those of words, are no amounts: no scale belongs to them.
  const named = tensor.kind === 'index';
  const domain = store.scales.of(tensor, kind);
  const { title, role } = naming(tensor);
  const { w, h, cw } = sizeOf(tensor, shown, width);
  const given = tensor.group === 'parameters' && store.documents.gives(tensor.name);
  const whole = said(tensor);
  // A formula that is too wide is scrolled; one of many lines takes too much height.
  const latex = whole.includes('\\begin') ? captioned(tensor, CAPTION) : whole;
  const most = glyphsIn(latex) * GLYPH > CAPTION ? WIDE : CAPTION;
  return html`<figure>
    <figcaption ${place({ 'max-width': `${Math.min(most, width)}px` })}>
      ${title ? html`<span class="title ${role}">${title}</span>` : nothing}
      ${latex ? html`<ap-math block later .latex=${latex}
        .others=${lettersBeside(store.sessions.result, tensor)}></ap-math>` : nothing}
      <span class="end">${slopeToggle(store, own)}${enlarge(store, own)}
      <span class="note">${tensor.shape.join(' × ') || '1'}</span></span>
      ${given ? html`<button class="link note"
        @click=${() => store.documents.change((d) =>
        void delete (d['parameters'] as Record<string, unknown>)[tensor.name])}>
        ${strings.givenNote} · ${strings.drawAgainThis}</button>` : nothing}
    </figcaption>
    ${better(tensor, html`<ap-matrix data-tensor=${tensor.name} .plane=${shown} .domain=${domain}
      .w=${w} .h=${h}></ap-matrix>
    ${slices(store, tensor)}
    ${named ? nothing : html`<ap-legend .domain=${domain} .kind=${kind} .of=${tensor}
      .width=${Math.max(52, Math.min(116, shown.cols * cw))}></ap-legend>`}`)}
  </figure>`;
}
