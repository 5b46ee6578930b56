// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { MeasureRecord } from '../engine/types.ts';
import { Part, reactive } from '../part.ts';
import { endedIn } from '../strings/worker-ended.ts';
import { recordWords } from '../strings/records.ts';
import type { Desk } from './train-state.ts';
import { digits, findingRow } from './measure-row.ts';
import { judgedStyles } from './judged-styles.ts';
import { columnNames } from './map-words.ts';
import { learned } from './maps.ts';
import type { Judged, Picture } from './messages.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

interface Numbers {
  shape: number[];
  data: number[];
}
const isNumbers = (value: unknown): value is Numbers => typeof value === 'object' && value !== null
  && Array.isArray((value as Numbers).shape) && Array.isArray((value as Numbers).data);

/**
 * The measures that need nothing but the model: they put other weights in the place of its own, take tokens or keys
 * away, or follow its slopes.
 */
export const ofTheModel = (records: readonly MeasureRecord[]): string[] =>
  records.filter(({ inputs }) => inputs.some(({ required }) => required)
    && inputs.every(({ required, type }) => !required || type === 'document'))
    .filter(({ inputs }) => inputs.filter(({ required }) => required).length === 1).map(({ id }) => id);

/** Is the look a reason? Asked of the example that is watched, beside its map. */
export class TrainWhyElement extends Part {
  @reactive desk!: Desk;

  static override styles = [controlStyles, judgedStyles];

  override render(): unknown {
    const { desk } = this;
    const { faith, training } = desk;
    const all = this.store.book.catalogue.measures ?? [];
    const records = new Map(all.map((record) => [record.id, record]));
    const translated = recordWords(this)?.measures;
    const shown = faith.findings.filter(({ found }) => found);
    const refused = faith.findings.filter(({ problem }) => problem);
    const asked = faith.busy || faith.findings.length > 0;
    return html`${asked ? html`<h2>${words().why}</h2><p class="quiet says">${words().whySays}</p>` : nothing}
      <p class="row-of">${asked ? nothing : html`<b>${words().why}</b>`}${faith.busy
        ? html`<button class="button" data-part="stop-why"
        @click=${() => faith.stop()}>${words().stopMeasuring}</button>`
        : html`<button class="button" data-part="why" ?disabled=${training.begun === undefined || all.length === 0}
        @click=${() => void this.ask(ofTheModel(all))}>${desk.showsFinished ? words().askFinished : words()
          .ask}</button>`}
        <span class="quiet" role="status">${this.said()}</span></p>
      ${faith.problem ? html`<p class="bad" role="alert">${words().notMeasured} <span
        lang="en">${faith.problem.message}</span></p>` : nothing}
      ${faith.ended ? html`<p class="bad" role="alert">${endedIn(faith.ended)}</p>` : nothing}
      ${shown.length === 0 ? nothing
        : html`<ul class="judged">${shown.map(({ id, found }) => findingRow(found!, records.get(id), translated?.[id],
        this.details(found!)))}</ul>`}
      ${refused.map(({ id, problem }) =>
        html`<p class="quiet">${translated?.[id]?.title ?? records.get(id)?.title}: <span
          lang="en">${problem!.message}</span></p>`)}`;
  }

  private said(): string {
    const { faith } = this.desk;
    if (faith.busy) return faith.picture ? words().measuredOf(faith.findings.length, faith.count) : words().beginning;
    if (!faith.subject || faith.findings.length === 0) return '';
    return faith.subject.step === undefined ? words().ofFinished : words().atStep(faith.subject.step);
  }

  // What a measure found besides its number, by its shape: other weights are a map, numbers along the source are a row.
  private details({ details }: Judged): unknown {
    const { picture } = this.desk.faith;
    const map = picture?.maps.at(-1);
    if (!picture || !map) return nothing;
    const [, rows, columns] = map.shape;
    const all = Object.entries(details).filter((entry): entry is [string, Numbers] => isNumbers(entry[1]));
    const maps = all.filter(([, { shape }]) => shape.at(-1) === columns && shape.at(-2) === rows);
    const strips = all.filter(([, { shape }]) => shape.length === 1 && shape[0] === columns);
    if (maps.length + strips.length === 0) return nothing;
    return html`<div class="more">${maps.map(([name, other]) => this.other(picture, name, other))}
      ${strips.length === 0 ? nothing
        : html`<div class="wide"><table
        class="strip"><thead><tr><td></td>${columnNames(picture, columns)
          .map((word) => html`<th scope="col">${word}</th>`)}</tr></thead>
        <tbody>${strips.map(([name, { data }]) =>
          html`<tr><th scope="row" lang="en">${name}</th>${
            data.map((value) => html`<td>${digits(value)}</td>`)}</tr>`)}</tbody></table></div>`}</div>`;
  }

  // The map that it has, and the one that was put in its place.
  private other(picture: Picture, name: string, { shape, data }: Numbers): unknown {
    const heads = shape.slice(0, -2).reduce((product, size) => product * size, 1);
    const found: Picture = { ...picture, maps: [{ name, shape: [heads, shape.at(-2)!, shape.at(-1)!] }],
      weights: Float32Array.from(data) };
    const figure = (one: Picture, at: number, caption: unknown) =>
      html`<figure>${learned(one, { map: at, head: undefined })}<figcaption>${
        caption}</figcaption></figure>`;
    return html`${figure(picture, picture.maps.length - 1, words().asItLooks)}${
      figure(found, 0, words().otherWeights)}`;
  }

  private async ask(ids: string[]): Promise<void> {
    const { desk } = this;
    const subject = await desk.subject();
    if (subject) desk.faith.begin(subject, ids);
  }
}
customElements.define('ap-train-why', TrainWhyElement);
