// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { domainIn } from '../colour/scale.ts';
import { flat, plane, type Tensor } from '../engine/result.ts';
import type { Explanation } from '../engine/types.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { lettersBeside } from '../directory/letters.ts';
import { equation, kindOf, naming } from '../directory/naming.ts';
import { changedCells, madeFrom, type Stop, stopsOf } from './walk.ts';

const MOST_OPERANDS = 3;

/** The step that the walk has come to: what it was made from, and which cells it changed. */
export class WalkingElement extends Part {
  @property({ type: Number }) width!: number;
  @reactive operands: { of: string; tensors: Tensor[] } | undefined;

  static override styles = css`
    :host { display: block; border: 1px solid var(--line2); border-radius: var(--radius-large);
      padding: var(--space-5) var(--space-7) var(--space-6); margin: var(--space-2) 0 var(--space-10);
      background: var(--panel); }
    header { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-7); align-items: center;
      min-height: 28px; }
    header .note { margin-inline-start: auto; }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-6) var(--space-8); align-items: center;
      margin-top: var(--space-4); }
    .arrow { color: var(--ink3); }
    figcaption { display: flex; gap: var(--space-3); align-items: baseline; margin-bottom: var(--space-2);
      font-size: var(--text-note); color: var(--ink2); max-width: 260px; overflow: hidden; }
    figcaption b { color: var(--ink); font-weight: 600; }
    .now { animation: arrive 180ms ease-out; }
    @keyframes arrive { from { opacity: 0; transform: translateX(-6px); } }
    @media (prefers-reduced-motion: reduce) { .now { animation: none; } }
  `;

  override render(): unknown {
    const { store } = this;
    const stops = store.sessions.result ? stopsOf(store.sessions.result) : [];
    const at = Math.min(store.view.walk ?? 0, stops.length - 1);
    const stop = stops[at];
    if (!stop) return nothing;
    const { tensor, before } = stop;
    const changed = changedCells(stop);
    const { symbol } = naming(tensor);
    const plain = (text: string | undefined) => text?.replace(/\\[,;!]|\s/g, '');
    const latex = plain(symbol) === plain(tensor.formula) ? symbol : equation(tensor);
    const operands = this.operands?.of === key(tensor) ? this.operands.tensors : [];
    const fades = before && changed < tensor.data.length;
    return html`<header><b>${strings.walkTitle(at + 1, stops.length)}</b>
        <span class=${naming(tensor).role}>${naming(tensor).title}</span> <ap-math .latex=${latex}
          .others=${lettersBeside(store.sessions.result, tensor)}></ap-math>
        <span class="note" data-part="changed">${
          before ? strings.walkChanged(changed, tensor.data.length) : strings.walkNew}</span>
        <button class="text" @click=${() => store.view.show({ walk: undefined, stage: undefined })}>${icons.close}${
          strings.walkStop}</button></header>
      <div class="row">${operands.map((operand) => this.small(operand, strings.walkFedBy))}
        ${operands.length ? html`<span class="arrow" aria-hidden="true">${icons.forward}</span>` : nothing}
        ${this.large(stop, fades ? (index) =>
          tensor.data[flat(tensor.shape, index)] === before.data[flat(before.shape, index)] : undefined, at)}</div>`;
  }

  private small(tensor: Tensor, said: string): unknown {
    const { title, symbol } = naming(tensor);
    return html`<figure><figcaption>${title || said} <ap-math
      .latex=${symbol || equation(tensor)}></ap-math></figcaption>${this.matrix(tensor, 110)}</figure>`;
  }

  private large({ tensor }: Stop, faded: ((index: number[]) => boolean) | undefined, at: number): unknown {
    const { title, symbol } = naming(tensor);
    // A new element for each stop, so that it arrives anew.
    return [at].map((k) => html`<figure class=${k % 2 ? 'now' : 'now again'}
      data-stop=${tensor.name}><figcaption><b>${title}</b> <ap-math .latex=${symbol}></ap-math></figcaption>
      ${this.matrix(tensor, 250, faded)}</figure>`);
  }

  private matrix(tensor: Tensor, most: number, faded?: (index: number[]) => boolean): unknown {
    const shown = plane(tensor, this.store.selection.chosen);
    const kind = kindOf(tensor);
    const cell = Math.min(most > 200 ? 34 : 18, Math.min(most, this.width - 40) / shown.cols,
      170 / Math.max(1, shown.rows));
    const wide = Math.max(16, shown.cols * Math.max(cell, Math.min(30, most / shown.cols)));
    return html`<ap-matrix .plane=${shown} .domain=${domainIn(tensor.data, kind)} .w=${Math.min(wide, this.width - 40)}
      .h=${Math.max(16, shown.rows * cell)}
      .faded=${faded}></ap-matrix>`;
  }

  override updated(): void {
    const { result } = this.store.sessions;
    const stop = result && stopsOf(result)[this.store.view.walk ?? 0];
    if (!stop || this.operands?.of === key(stop.tensor)) return;
    this.operands = { of: key(stop.tensor), tensors: [] };
    void this.ask(stop.tensor);
  }

  // Which tensors the step reads is asked of its last cell, which no mask of the past hides.
  private async ask(tensor: Tensor): Promise<void> {
    const { store } = this;
    const { result } = store.sessions;
    if (!result || tensor.group === 'inputs') return;
    const index = JSON.stringify(tensor.shape.map((size) => size - 1));
    const reply = await store.client.send(
      { kind: 'trace', document: JSON.stringify(result.directory.document), tensor: tensor.name, index }, 'walk');
    const answer: Explanation | undefined = reply && JSON.parse(reply.text);
    if (!answer?.feeds || this.operands?.of !== key(tensor)) return;
    const found = madeFrom(result, tensor, answer.feeds);
    this.operands = { of: key(tensor), tensors: found.filter((t) => t.data.length > 1).slice(0, MOST_OPERANDS) };
  }
}
const key = (tensor: Tensor): string => `${tensor.group} ${tensor.name} ${tensor.offset}`;
customElements.define('ap-walking', WalkingElement);
