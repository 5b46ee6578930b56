// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { captioned, isMask, isWeights, naming } from '../directory/naming.ts';
import { HEAD } from '../directory/places.ts';
import { isMap, axisOf, typed } from '../directory/typed.ts';
import { plane, Plane, type Tensor } from '../engine/result.ts';
import { slices } from '../flow/geometry.ts';
import type { Labelled } from '../flow/narrow.ts';
import { maskOf } from '../directory/modules.ts';
import { Part, property, reactive } from '../part.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import './labelled.ts';
import { shownPiece } from '../strings/displayed-word.ts';

/** The mask of a map, where it has the map's rows and columns. */
function maskFor(store: Store, tensor: Tensor, shown: Plane): Plane | undefined {
  const { result } = store.sessions;
  if (!result || isMask(tensor) || !isMap(tensor)) return undefined;
  const mask = maskOf(result, tensor);
  const over = mask && plane(mask, store.selection.chosen);
  return over?.rows === shown.rows && over.cols === shown.cols ? over : undefined;
}

/** One matrix of the computation, as large as the page has room. */
export function large(store: Store, tensor: Tensor, width: number, closes: boolean): unknown {
  const shown = plane(tensor, store.selection.chosen);
  const { title, role } = naming(tensor);
  const latex = captioned(tensor, width);
  return html`<section class="large"
    data-part="large"><div class="largehead"><h2
    class="title ${role}">${title || tensor.name} ${
    latex ? html`<ap-math class="plain" .latex=${latex}></ap-math>` : nothing}
      <span class="note">${tensor.shape.join(' × ')}</span></h2>${slices(store, tensor)}
      ${closes ? html`<button class="icon" aria-label=${strings.close}
        @click=${() => store.view.show({ large: undefined })}>${icons.close}</button>` : nothing}</div>
    <ap-labelled .plane=${shown} .mask=${maskFor(store, tensor, shown)} .width=${width}
      ?weights=${isWeights(tensor)}></ap-labelled></section>`;
}

/** A map with the names of its rows and columns, in as much room as a phone has. */
export const labelled: Labelled = (shown, mask, width, weights) =>
  html`<ap-labelled .plane=${shown} .mask=${mask} .width=${width} ?weights=${weights}></ap-labelled>`;

/** One word followed through all heads: a row a head, what that word looks at in it. */
export class ThroughElement extends Part {
  @reactive tensor!: Tensor;
  @property({ type: Number }) width!: number;

  override render(): unknown {
    const { store, tensor } = this;
    const types = typed(tensor);
    const [head, query, key] = [axisOf(types, 'head'), axisOf(types, 'query'), axisOf(types, 'key')];
    const row = head < 0 || query < 0 || key < 0 ? undefined : this.row(query);
    if (row === undefined) return nothing;
    const held = tensor.shape.map((size, axis) =>
      (axis === query ? row : axis === head || axis === key ? 0
      : Math.min(store.selection.chosen[tensor.places[axis] ?? ''] ?? 0, size - 1)));
    const shown = new Plane(tensor, head, key, held);
    const mask = maskFor(store, tensor, plane(tensor, store.selection.chosen));
    const over = mask && new Plane(mask.tensor, -1, mask.colAxis, mask.index(row, 0));
    const word = store.sessions.result?.labels(tensor.places[query] ?? '')?.[row] ?? String(row);
    return html`<h3>${strings.large.through(shownPiece(word))}</h3>
      <ap-labelled data-part="through" .plane=${shown} .mask=${over} .width=${this.width} weights
        .rowNames=${Array.from({ length: shown.rows }, (_, h) => strings.head(h + 1))}></ap-labelled>`;
  }

  // Of the locked cell, whatever matrix it lies in: a place on the axis of these queries.
  private row(query: number): number | undefined {
    const { lock } = this.store.selection;
    const k = (lock && this.store.sessions.result?.find(lock.tensor, lock.group))?.places.indexOf(
      this.tensor.places[query] ?? '') ?? -1;
    const at = k < 0 ? undefined : lock?.index[k];
    return at !== undefined && at < this.tensor.shape[query]! ? at : undefined;
  }
}
customElements.define('ap-through', ThroughElement);

/** What `flow` shows below the heads, once a row is chosen. */
export const through = (tensor: Tensor, width: number): unknown =>
  tensor.places.includes(HEAD) ? html`<ap-through .tensor=${tensor} .width=${width}></ap-through>` : nothing;
