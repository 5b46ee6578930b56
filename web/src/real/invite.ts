// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import '../elements/heat-element.ts';
import { read } from '../elements/thumbnail.ts';
import { Part, property } from '../part.ts';
import { fixed } from '../strings/numerals.ts';
import { Desk } from './encoder-state.ts';
import { loading, megabytes } from './loading.ts';
import { loadModel, modelBytes, modelStage, ships } from './model.ts';
import { opening } from '../engine/encoder.ts';
import { words } from './words.ts';

const SIDE = 56;

/** On the first page, below its questions: the second thing that a visitor sees is a real model. */
export class InviteElement extends Part {
  /** One of many to choose from: nothing came before it. */
  @property({ type: Boolean }) listed!: boolean;

  static override styles = css`
    :host { display: block; border-top: 1px solid var(--line); padding: var(--space-6) 0 var(--space-10); }
    .box { display: flex; flex-wrap: wrap; gap: var(--space-10); align-items: flex-start; margin-top: var(--space-4); }
    .maps { direction: ltr; display: grid; gap: var(--space-3);
      grid-template-columns: repeat(4, ${SIDE}px); }
    .said { flex: 1; min-width: 220px; }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); }
    .button { margin: var(--space-4) 0; }
    .loading { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: center; }
    progress { height: 6px; accent-color: var(--ink); }
  `;

  override render(): unknown {
    void this.theme;
    if (!ships) return html`<p class="note" data-part="absent">${words().absent}</p>`;
    const stage = modelStage();
    return html`<h2>${this.listed ? words().real : words().invite}</h2><p class="note">${
        words().inviteText(fixed(ships.numbers / 1e6, 0))}</p>
      <div class="box"><div class="maps" role="img" aria-label=${words().thumbnails}>${
        ships.thumbnails.flat().map((one) => html`<ap-heat .plane=${read(one).plane} .mask=${read(one).mask}
        .kind=${one.kind} .domain=${one.domain} .w=${SIDE} .h=${SIDE}></ap-heat>`)}</div>
      <div class="said"><h3>${words().question}</h3><p class="note">${words().thumbnails}</p>
        ${stage.is === 'offered' || stage.is === 'here' ? html`<button class="button first" data-part="open-model"
          @click=${() => this.open()}>${words().load(megabytes(modelBytes()))}</button>
          <p class="note">${words().once}</p>` : loading()}</div></div>`;
  }

  private open(): void {
    opening.value = this.store.documents.document;
    if (modelStage().is === 'here') Desk.of(this.store).open();
    else void loadModel();
    this.dispatchEvent(new CustomEvent('opened'));
  }
}
customElements.define('ap-invite', InviteElement);
