// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { MeasureRecord } from '../engine/types.ts';
import { breakable } from '../strings/breakable.ts';
import { recordWords } from '../strings/records.ts';
import { JudgedPart } from './judged-part.ts';
import { columnNames } from './map-words.ts';
import { learned } from './maps.ts';
import { digits } from './measure-row.ts';
import type { Judge } from './measure-runs.ts';
import type { Judged, Picture } from './messages.ts';
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
export class TrainWhyElement extends JudgedPart {
  protected override get judge(): Judge {
    return this.desk.faith;
  }

  override render(): unknown {
    const { judge: { busy, findings }, records } = this;
    const asked = busy || findings.length > 0;
    const called = (id: string) =>
      recordWords(this)?.measures[id]?.title ?? records.find((one) => one.id === id)?.title;
    return html`${asked ? html`<h2>${words().why}</h2><p class="quiet says">${words().whySays}</p>` : nothing}${
      this.acts('why', this.desk.training.begun !== undefined && records.length > 0, words().ask, words().askFinished,
        () => this.measure(ofTheModel(records)), asked ? nothing : html`<b>${words().why}</b>`)}${
      this.list(findings.filter(({ found }) => found), (found) => this.details(found))}${
      findings.filter(({ problem }) => problem).map(({ id, problem }) =>
        html`<p class="quiet">${called(id)}: <span lang="en">${problem!.message}</span></p>`)}`;
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
          html`<tr><th scope="row" lang="en">${breakable(name)}</th>${
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
}
customElements.define('ap-train-why', TrainWhyElement);
