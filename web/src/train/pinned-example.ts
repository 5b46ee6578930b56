// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { Part, property, reactive } from '../part.ts';
import { select, selectAt } from '../select.ts';
import { mapsCalled } from '../directory/map-called.ts';
import { phrase } from '../strings/quote.ts';
import { hasDashed, percent } from './curves.ts';
import type { Desk } from './train-state.ts';
import './hand-part.ts';
import './image-look.ts';
import { rowOf } from './map-words.ts';
import { learned, rightWords, truth, wrote, wroteInLine } from './maps.ts';
import { type Marks, marksOf } from './marks.ts';
import type { Picture } from './messages.ts';
import { controlStyles, mapStyles } from './styles.ts';
import { words } from './words.ts';

/** The pinned example at the step that is looked at: its map, what the model wrote, and the truth. */
export class TrainShownElement extends Part {
  @reactive desk!: Desk;
  @property({ type: Boolean, reflect: true }) narrow!: boolean;

  static override styles = [controlStyles, mapStyles];

  // On a phone the bar says the step, and the numbers stand below the map: they are not said twice.
  override render(): unknown {
    const { training } = this.desk;
    const { picture } = training;
    return html`<div class="head"><div><h2>${picture && !picture.image ? picture.source.join(' ')
      : phrase(String(this.desk.document.title ?? ''))}</h2>
        ${picture && this.narrow ? wroteInLine(picture)
          : html`<p class="quiet">${picture ? words().watched : ''}</p>`}${picture ? this.given(picture)
          : nothing}${picture?.outside ? html`<p class="note" role="status" data-part="outside">${words().outside}</p>`
          : nothing}</div>
        <div class=${this.narrow && !training.looksBack && training.measured ? 'unseen' : 'quiet'}
          role="status">${training.looksBack ? words().lookingBack(training.step, training.looksAt)
          : this.said()}</div></div>
      ${picture ? (this.narrow ? this.small(picture) : this.maps(picture))
        : html`<p class="quiet" role="status">${training.phase === 'refused' ? '' : words().beginning}</p>`}
      ${picture && !picture.image && picture.maps.length > 0
        ? html`<ap-train-hand class=${training.looksBack ? 'away' : ''} ?inert=${training.looksBack} .desk=${this.desk}
          .picture=${picture}></ap-train-hand>` : nothing}`;
  }

  private said(): string {
    const { training } = this.desk;
    const last = training.lastMeasured;
    return last && last.step > 0
      ? words().says(last.step, percent(last.accuracy),
      last.alignment === undefined ? undefined : percent(last.alignment)) : '';
  }

  // What is asked of the source, such as the thing that a review is judged for.
  private given({ given }: Picture): unknown {
    return Object.entries(given ?? {})
      .map(([field, asked]) => html`<p data-part="given"><span class="quiet"
      lang="en">${field}</span> <b>${asked.join(' ')}</b></p>`);
  }

  // Of an image: for each word the drawing with the look over it, and beside it the true place.
  private looks(picture: Picture): unknown {
    const { desk } = this;
    if (picture.maps.length === 0) return html`${wroteInLine(picture)}<p class="note" data-part="no-map">${
      words().noMap}</p>`;
    const known = picture.links.length > 0;
    return html`<div class="maps"><figure class="looks"
      data-part="learned">${picture.truth.slice(0, picture.maps[desk.chosen.map]?.shape[1] ?? 0)
        .map((word, row) => html`<div class="look">
        <ap-train-look .picture=${picture} .chosen=${desk.chosen}
          .row=${row}></ap-train-look>${known ? html`<ap-train-look .picture=${picture} .chosen=${desk.chosen}
          .row=${row} true-place></ap-train-look>` : nothing}
        <p>${picture.written[row] === word ? word : html`<b class="bad">${picture.written[row] || '–'}</b> <span
          class="quiet">${words().not(word)}</span>`}</p></div>`)}
      <figcaption class="flush"><b class="weight">${words().weights}</b> <span
        class="quiet">${words().atStep(picture.step)}</span>
        ${known ? html`<b>${words().truth}</b> ${this.keys(picture)}` : nothing}
        <span class="quiet">${words().right(rightWords(picture), picture.truth.length)}</span>${
          this.heads(picture.maps[desk.chosen.map]?.shape[0] ?? 1)}</figcaption></figure></div>`;
  }

  private maps(picture: Picture): unknown {
    if (picture.image) return this.looks(picture);
    return html`<div class="maps">
      ${this.map(picture, false)}
      <figure>${wrote(picture, picture.maps.length > 0 ? rowOf(picture, this.desk.chosen.map, 0) : 0)}<figcaption
        class="flush"><b>${words().wrote}</b> ${picture.outside ? nothing : html`<span
        class="quiet">${words().right(rightWords(picture), picture.truth.length)}</span>`}</figcaption></figure>
      ${picture.links.length === 0 ? nothing
        : html`<figure data-part="truth">${guard([picture.links, words()],
        () => truth(picture, this.marks))}<figcaption><b>${words().truth}</b> ${
        this.keys(picture)}</figcaption></figure>`}</div>`;
  }

  // On a phone the truth is outlined on the learned map.
  private small(picture: Picture): unknown {
    const here = this.desk.training.measured;
    const number = (value: string, name: string, looks = false) =>
      html`<div><b class=${looks ? 'weight' : ''}>${value}</b><span class="quiet">${name}</span></div>`;
    return html`${picture.image ? this.looks(picture) : html`<div class="maps">${this.map(picture, true)}</div>`}
      ${here ? html`<div class="numbers">${number(percent(here.accuracy), words().wordsRight)}
        ${here.alignment === undefined ? nothing : number(percent(here.alignment), words().looksRight, true)}
        ${hasDashed(here) ? number(percent(here.agrees), words().orAgrees, true) : nothing}</div>`
          : nothing}`;
  }

  private map(picture: Picture, outlined: boolean): unknown {
    const { desk } = this;
    const map = picture.maps[desk.chosen.map];
    if (!map) return nothing;
    // A cell that is kept is the one whose weight can be set by hand.
    return html`<figure data-part="learned">${learned(picture, desk.chosen, { outlined,
      hold: (row, column) => (desk.cell = { row, column }) })}<figcaption><b
        class="weight">${words().weights}</b> ${this.narrow && picture.step === this.desk.training.looksAt ? nothing
          : html`<span class="quiet">${words().atStep(picture.step)}</span>`}
      ${picture.maps.length > 1 ? selectAt(mapsCalled(picture.maps.map(({ name }) => name)), desk.chosen.map,
        (at) => (desk.chosen = { map: at, head: undefined }), { label: words().weights }) : nothing}
      ${this.heads(map.shape[0])}${outlined && picture.links.length > 0 ? this.keys(picture)
        : nothing}</figcaption></figure>`;
  }

  private keys(picture: Picture): unknown {
    const agrees = picture.links.some(([, , kind]) => kind === 'agrees');
    const { marks } = this;
    return html`<span class="keys"><span
      class="key ${this.narrow ? 'line' : ''}"></span> ${marks.means} ${
      agrees ? html`<span class="key dashed"></span> ${marks.agrees}` : nothing}</span>`;
  }

  private get marks(): Marks {
    return marksOf(this.desk.training.begun?.task);
  }

  private heads(count: number): unknown {
    if (count < 2) return nothing;
    const { desk } = this;
    return select<number | undefined>([[undefined, words().allHeads], ...Array.from({ length: count },
      (_, k) => [k, words().head(k + 1)] as const)], desk.chosen.head,
      (head) => (desk.chosen = { ...desk.chosen, head }), { part: 'head', label: words().heads });
  }
}
customElements.define('ap-train-shown', TrainShownElement);
