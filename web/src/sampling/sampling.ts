// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { full, onLegend } from '../colour/numbers.ts';
import { domainIn, type Kind } from '../colour/scale.ts';
import { plane, type Tensor } from '../engine/result.ts';
import { maskOf, weightsOf } from '../directory/modules.ts';
import { Part, reactive } from '../part.ts';
import type { Store } from '../state/store.ts';
import { nextSeed } from '../state/tokens.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { icons } from '../styles/icons.ts';
import { kindOf } from '../directory/naming.ts';
import { drawsKnob, furthest, minus, oneDraw, picturesOf, type Sampled, sampledOf } from './sampled.ts';
import '../controls/knob.ts';
import '../flow/legend.ts';
import '../flow/matrix.ts';

const SIZE = 180;

/** Where weights are drawn: the chances, one draw, and the average of all draws. */
export class SamplingElement extends Part {
  @reactive draw = 0;

  static override styles = css`
    :host { display: block; border-top: 1px solid var(--line); padding: var(--space-7) 0 var(--space-8);
      margin-bottom: var(--space-4); }
    .maps { display: flex; flex-wrap: wrap; gap: var(--space-8) var(--space-8); margin-top: var(--space-5);
      align-items: flex-start; }
    figcaption { display: flex; align-items: center; gap: var(--space-2); min-height: 28px; }
    figcaption b { font-weight: 600; }
    ap-legend { margin-top: var(--space-3); }
    .tools { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-12); align-items: center;
      margin-top: var(--space-5); }
    .tools ap-knob { width: 320px; max-width: 100%; }
    p { max-width: 640px; }
  `;

  override render(): unknown {
    const { book } = this.store;
    const { document } = this.store.documents;
    const { result } = this.store.sessions;
    const found = result ? sampledOf(book, document, result) : [];
    if (!result || found.length === 0) return nothing;
    const shown = picturesOf(result);
    return html`<h2>${strings.samplingTitle}: ${found.map((one) => one.mechanism.title).join(strings.comma)}</h2>
      <p class="note">${strings.samplingText} ${shown?.picks ? strings.samplingMore : ''}</p>
      <div class="maps">${shown ? this.pictures(shown.weights, shown.chances, shown.picks) : this.data(found)}</div>
      <div class="tools" dir=${direction()}>${found.map((one) => {
        const knob = drawsKnob(one, result);
        return knob ? html`<ap-knob .knob=${knob.knob} .path=${knob.path} data-part="draws"></ap-knob>` : nothing;
      })}
        <button class="link" @click=${() => this.again()}>${strings.drawAgain}</button></div>`;
  }

  private pictures(weights: Tensor, chances: Tensor, picks: Tensor | undefined): unknown {
    const n = picks?.shape.at(-1) ?? 1;
    const at = Math.min(this.draw, n - 1);
    const gap = minus(weights, chances);
    const turn = (by: number) => (this.draw = (at + by + n) % n);
    return html`
      ${this.map(chances, html`<b>${strings.samplingChances}</b> <ap-math .latex=${chances.name}></ap-math>`, 'weights',
        'chances')}
      ${picks ? this.map(oneDraw(weights, picks, at), html`<b>${strings.samplingDraw(at + 1, n)}</b>
        ${n > 1 ? html`<button class="icon" aria-label=${strings.previousDraw}
          @click=${() => turn(-1)}>${icons.back}</button>
          <button class="icon" aria-label=${strings.nextDraw} @click=${() => turn(1)}>${icons.forward}</button>`
            : nothing}`, 'weights', 'draw') : nothing}
      ${this.map(weights, html`<b>${picks ? strings.samplingAverage(n) : strings.samplingUsed}</b> <ap-math
        .latex=${'A'}></ap-math>`, 'weights', 'average')}
      ${this.map(gap, html`<b>${strings.samplingGap}</b>`, 'signed', 'gap')}
      <p class="note" data-part="furthest"
        data-value=${furthest(gap)}>${strings.samplingFurthest(full(furthest(gap)))}</p>`;
  }

  private data(found: Sampled[]): unknown {
    const { result } = this.store.sessions;
    const weights = result && weightsOf(result);
    return html`${found.flatMap(({ data }) => data)
      .map((tensor) => this.map(tensor, html`<b>${strings.samplingData(tensor.name)}</b>`, kindOf(tensor), 'data'))}
      ${weights ? this.map(weights, html`<b>${strings.samplingUsed}</b>`, 'weights', 'average') : nothing}`;
  }

  private map(tensor: Tensor, caption: unknown, kind: Kind, part: string): unknown {
    const shown = plane(tensor, this.store.selection.chosen);
    const domain = domainIn(tensor.data, kind);
    const { result } = this.store.sessions;
    const weights = result && weightsOf(result);
    const hides = weights && maskOf(result, weights);
    const over = hides && plane(hides, this.store.selection.chosen);
    const mask = over?.rows === shown.rows && over.cols === shown.cols ? over : undefined;
    const cell = Math.min(30, SIZE / Math.max(1, shown.cols), SIZE / Math.max(1, shown.rows));
    const [w, h] = [Math.max(16, shown.cols * cell), Math.max(16, shown.rows * cell)];
    return html`<figure data-part=${part}><figcaption>${caption}</figcaption>
      <ap-matrix .plane=${shown} .domain=${domain} .kind=${kind} .mask=${mask} ?fine=${kind === 'signed'} .w=${w}
        .h=${h}></ap-matrix>
      <ap-legend .domain=${domain} .kind=${kind} .width=${Math.max(60, Math.min(116, w))}></ap-legend>
      <span class="unseen">${onLegend(domain[0])} – ${onLegend(domain[1])}</span></figure>`;
  }

  private again(): void {
    const now = this.store.value('/seed');
    this.store.documents.set('/seed', nextSeed(typeof now === 'number' ? now : 0));
  }
}
customElements.define('ap-sampling', SamplingElement);

/** The section, where something is drawn at random at all. */
export function sampling(store: Store): unknown {
  const { result } = store.sessions;
  // Of the document of the picture: whoever shows it need not wake before other numbers come.
  if (!result || sampledOf(store.book, result.directory.document, result).length === 0) return nothing;
  return html`<ap-sampling></ap-sampling>`;
}
