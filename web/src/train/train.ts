// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { measured } from '../measured.ts';
import { Part } from '../part.ts';
import { base, fields } from '../styles/tokens.ts';
import './bar.ts';
import './curves-part.ts';
import { Desk, type Tab } from './desk.ts';
import './shown.ts';
import './side.ts';
import { controlStyles, placeStyles } from './styles.ts';
import { words } from './words.ts';

const NARROW = 760;

/** The place where a model learns while one watches: its map, what it wrote and the truth, and all moments of it on one axis. */
export class TrainElement extends Part {
  static override properties = { ...Part.properties, narrow: { type: Boolean, reflect: true } };
  declare narrow: boolean;
  private desk: Desk | undefined;

  static override styles = [base, fields, controlStyles, placeStyles];

  constructor() {
    super();
    this.narrow = false;
    measured(this, (width) => {
      if (width > 0) this.narrow = width < NARROW;
    });
  }

  override willUpdate(): void {
    if (this.desk) return;
    this.desk = new Desk(this.store);
    void this.desk.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.desk?.close();
    this.desk = undefined;
  }

  override render(): unknown {
    const { desk, narrow } = this;
    if (!desk) return nothing;
    const shown = html`<ap-train-shown .desk=${desk} ?narrow=${narrow}></ap-train-shown>`;
    const curves = html`<ap-train-curves .desk=${desk}></ap-train-curves>`;
    const side = html`<ap-train-side .desk=${desk}></ap-train-side>${this.keeping()}`;
    const parts: Record<Tab, unknown> = { map: shown, curves, settings: side };
    return html`${narrow ? nothing : html`<aside class="settings" aria-label=${words().settings}>${side}</aside>`}
      <main class="middle" aria-label=${words().middle}>
        ${narrow ? this.tabs() : nothing}
        <div class="scroll"><slot></slot>${this.notices()}${narrow ? parts[desk.tab] : html`${shown}${curves}`}</div></main>
      <ap-train-bar role="region" aria-label=${words().time} .desk=${desk} ?narrow=${narrow}></ap-train-bar>`;
  }

  private tabs(): unknown {
    const desk = this.desk!;
    return html`<nav class="tabs" aria-label=${words().views}>${(['map', 'curves', 'settings'] as const).map((tab) => html`<button data-tab=${tab} aria-pressed=${desk.tab === tab}
      @click=${() => (desk.tab = tab)}>${words().tabs[tab]}</button>`)}</nav>`;
  }

  // What the reader has to know or to decide before going on.
  private notices(): unknown {
    const desk = this.desk!;
    const { training } = desk;
    const button = (part: string, text: string, press: () => unknown) => html`<button class="button" data-part=${part} @click=${() => void press()}>${text}</button>`;
    const able = training.phase === 'ready' || training.phase === 'finished' || training.phase === 'playing';
    return html`${desk.resumed ? html`<p class="note" data-part="resumed">${words().resumed}</p>` : nothing}
      ${training.step === 0 && training.phase === 'ready' ? html`<p class="note idle">${words().idle}</p>` : nothing}
      ${training.failure === undefined ? nothing : html`<p class="bad" role="alert" data-part="failure">${words().failed} <span lang="en">${training.failure}</span></p>`}
      ${training.problem === undefined ? nothing : html`<p class="bad" role="alert" data-part="problem">${words().refused} <span lang="en">${training.problem.path} ${training.problem.message}</span></p>`}
      ${training.looksBack ? html`<p class="row-of">${button('now', words().now, () => training.look(undefined))}${button('go-on', words().goOn, () => training.goOnFromHere())}</p>` : nothing}
      ${desk.edited ? html`<div class="notice" data-part="edited"><p role="status">${words().changed}</p>
        <p class="row-of">${button('again', words().startAgain, () => desk.startAgain())}${able ? button('keep-on', words().keepOn, () => desk.goOn()) : nothing}</p></div>` : nothing}`;
  }

  private keeping(): unknown {
    const desk = this.desk!;
    const { phase } = desk.training;
    return html`<section class="group"><button class="button" data-part="save" ?disabled=${phase !== 'ready' && phase !== 'finished'} @click=${() => void this.save()}>${words().save}</button></section>`;
  }

  private async save(): Promise<void> {
    const desk = this.desk!;
    const bytes = await desk.training.save(true);
    const { fileName, save } = await import('../take/save.ts');
    save(new Blob([bytes as BlobPart], { type: 'application/octet-stream' }), fileName(desk.document, 'safetensors'));
  }
}
customElements.define('ap-train', TrainElement);
