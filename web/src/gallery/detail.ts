// SPDX-License-Identifier: Apache-2.0
// One entry at length: what it is, what to try, where the survey puts it.
import { tried } from 'virtual:learned';
import { html, nothing } from 'lit';
import type { Coordinate, System } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { trainPart } from '../learned/train-part.ts';
import { words as learnedWords } from '../learned/words.ts';
import { strings } from '../strings/en.ts';
import { prose } from '../strings/prose.ts';
import { phrase, said } from '../strings/quote.ts';
import { learnedOf, untrainedOf } from './learned-part.ts';
import type { Entry } from './facts.ts';
import { type Form, type InWords, inWords } from './in-words.ts';
import { madeOf } from './presets.ts';
import './thumb.ts';
import { paperOf } from './system-sentences.ts';
import { words } from './words.ts';

const wordOf = (book: Book, { value, id }: Coordinate): string =>
  value ?? book.find(undefined, id ?? undefined)?.title ?? '';

/** The dimensions of the taxonomy, each once, with all its words. */
export function placesOf(book: Book, coordinates: readonly Coordinate[]): [name: string, words: string[]][] {
  const names = [...new Set(coordinates.map(({ name }) => name))];
  return names.map((name) => [name,
    [...new Set(coordinates.filter((one) => one.name === name).map((one) => wordOf(book, one)))]]);
}

function about(system: System, told: InWords, form: Form): unknown {
  const { know, tryIt, simplified: { [form]: simplified } } = told;
  return html`<p class="quiet">${paperOf(system)}</p><h3>${words().what}</h3><p>${know}</p>${
    tryIt ? html`<h3>${words().tryIt}</h3><p>${tryIt}</p>` : nothing}
    ${simplified.length > 0 ? html`<h3>${words().simplified}</h3>${simplified.map((one) => html`<p>${one}</p>`)}`
      : nothing}`;
}

/** What can be done with an entry: it opens, with random weights too, or it is trained. */
export interface Acts {
  open(plain?: boolean): void;
  train(): void;
}

export function detail(book: Book, entry: Entry, host: { requestUpdate(): void }, { open, train }: Acts): unknown {
  const { system, mechanism, document } = entry;
  const told = system && inWords(system, host);
  const differs = told?.differs ?? [];
  return html`<h2 lang=${told?.lang ?? nothing} dir="auto">${told ? told.title : said(entry.title)}</h2>
    ${entry.thumbnail ? html`<div class="picture"><ap-thumb .picture=${entry.thumbnail}></ap-thumb></div>` : nothing}
    ${entry.learned ? learnedOf(entry.learned, host)
      : system ? untrainedOf(book, system, tried[system.id], host) : nothing}
    ${system && told ? about(system, told, entry.learned ? 'trained' : 'untrained') : nothing}
    ${mechanism ? html`<p lang=${mechanism.lang ?? nothing}>${prose(mechanism.sentence)}</p>${
      mechanism.source ? html`<p class="quiet">${mechanism.source.authors} ${mechanism.source.year}. <a
      href=${mechanism.source.link} target="_blank" rel="noreferrer">${words().paper}</a></p>` : nothing}` : nothing}
    ${!system && document ? html`<p class="quiet">${madeOf(book, document)}</p>` : nothing}
    ${system ? html`<h3>${words().coordinates}</h3><dl>${
      placesOf(book, system.computed)
      .map(([name, all]) => html`<dt>${said(name)}</dt><dd>${
      all.map((word, k) => html`${k > 0 ? strings.comma : nothing}${said(word)}`)}</dd>`)}</dl>` : nothing}
    ${differs.length > 0 ? html`<h3>${words().differs}</h3>${
      differs.map(([name, why]) =>
      html`<p><b>${said(name)}</b>: ${words().printed} ${
      (system!.coordinates?.[name] ?? []).map(phrase).join(strings.comma)}. ${why}</p>`)}` : nothing}
    <button class="go" data-open @click=${() => open()}>${words().open}</button>${
      entry.learned ? html`<button class="link" data-part="untrained" @click=${() => open(true)}>${
        learnedWords().untrained}</button>` : nothing}${system ? trainPart(system.id, train) : nothing}`;
}
