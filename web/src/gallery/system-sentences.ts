// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import learned, { tried } from 'virtual:learned';
import type { Doc, JsonObject, System } from '../engine/types.ts';
import { kin } from '../first/notice.ts';
import { titleOf } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { isTrained } from '../state/writer.ts';
import { strings } from '../strings/en.ts';
import { own } from '../strings/engine.ts';
import { prose } from '../strings/prose.ts';
import { cited } from '../strings/quote.ts';
import { trainPart } from '../learned/train-part.ts';
import { trainSystem } from '../learned/train.ts';
import { broughtSaid, type Standing, untakenHint } from '../learned/origin-sentences.ts';
import { isLanguage, languageTold } from '../language/result-sentences.ts';
import { type Form, inWords } from './in-words.ts';
import { inBrief, measuredOf, nothingLearned } from './learned-part.ts';
import { mechanismsOf } from './search.ts';
import { openSystem, systemWith } from './with-part.ts';
import { words } from './words.ts';

export { untakenHint };

/** Who is drawn anew when the reader's words have come. */
interface Host {
  requestUpdate(): void;
}

const systemOf = (store: Store, title: string | undefined): System | undefined =>
  store.book.catalogue.systems?.find((one) => one.title === title);

/** Whose paper it is. */
export const paperOf = ({ paper }: System): unknown =>
  html`${paper.authors} ${paper.year}${strings.comma}${cited(paper.where)}. <a href=${paper.link} target="_blank"
  rel="noreferrer">${words().paper}</a>`;

// The weights that ship, not others that the reader trained.
function isOpenTrained({ documents }: Store, { id }: System): boolean {
  const { parameters } = documents.base as { parameters?: JsonObject };
  const { weights } = learned[id] ?? {};
  return weights !== undefined && parameters?.['from'] === weights;
}

/** Which of a system's two documents this is; what its readers made of it keeps the form in which it was opened. */
export function formOf({ id, document: file }: System, base: Doc): Form {
  const { weights } = learned[id] ?? {};
  if (weights === undefined) return 'untrained';
  const { parameters } = base as { parameters?: JsonObject };
  // Trained again here, its weights have another name, and its training is still beside them.
  const hasTraining = base['training'] !== undefined && file['training'] === undefined;
  return parameters?.['from'] === weights || hasTraining ? 'trained' : 'untrained';
}

// What the model learned and where it fails, or that it learned nothing. Nothing is known of weights that a reader
// made.
function learnedIn(store: Store, system: System, host: Host): unknown {
  const { base, document } = store.documents;
  if (isOpenTrained(store, system)) return inBrief(learned[system.id]!);
  if (isTrained(base) || isTrained(document) || formOf(system, base) === 'trained') return nothing;
  const opens = { trained: learned[system.id] !== undefined, tried: tried[system.id] };
  return nothingLearned(store.book, system, opens, host);
}

/** Whether the document has the title of a system, and other parts than it has untrained. */
export function isOtherSystem({ book, documents: { base } }: Store): boolean {
  const system = book.catalogue.systems?.find((one) => one.title === titleOf(base));
  return system !== undefined && formOf(system, base) === 'untrained' && !isTrained(base)
    && !kin({ ...system.document, inputs: base.inputs } as Doc, base);
}

/** Above the picture of a system: its paper, one sentence to know, one thing to try. */
export function toldOf(store: Store, title: string | undefined, host: Host): unknown {
  const system = systemOf(store, title);
  if (!system) return isLanguage(store.documents.base) ? languageTold() : mechanismTold(store, title, host);
  const told = inWords(system, host);
  return html`<div data-part="system"><h2 lang=${told.lang ?? nothing} dir="auto">${told.title}</h2>
    <p class="who">${paperOf(system)}</p>
    <p><b>${words().what}:</b> ${told.know} ${
      told.tryIt ? html`<b>${words().tryIt}:</b> ${told.tryIt}` : nothing}</p>
    ${learnedIn(store, system, host)}
    ${store.view.place === 'train' ? nothing
      : trainPart(system.id, () => void trainSystem(store, system, told.title), true)}</div>`;
}

/** Above the picture of a mechanism's example: its source, what it does, and a system in which it works. */
function mechanismTold(store: Store, title: string | undefined, host: Host): unknown {
  const { book, documents } = store;
  const mechanism = mechanismsOf(book, documents.base).find((one) => own(one).title === title);
  if (!mechanism) return nothing;
  const { source, lang } = mechanism;
  const system = systemWith(book, mechanism.id);
  return html`<div data-part="mechanism"><h2 lang=${lang ?? nothing} dir="auto">${mechanism.title}</h2>
    ${source ? html`<p class="who">${source.authors} ${source.year}${strings.comma}${cited(source.where)}. <a
      href=${source.link} target="_blank" rel="noreferrer">${words().paper}</a></p>` : nothing}
    <p lang=${lang ?? nothing}>${prose(mechanism.sentence)}</p>
    ${system ? html`<p><b>${words().tryIt}:</b> <button class="link inline" data-part="system-with"
      @click=${() => void openSystem(store, system)}>${
      words().withIt(inWords(system, host).title)}</button></p>` : nothing}</div>`;
}

/** How much it gets right, while its weights and its model are those that were measured, or that they no longer are. */
export function measuredAs(store: Store, title: string | undefined, host: Host): Standing | undefined {
  const brought = broughtSaid(store);
  if (brought !== undefined) return brought;
  const system = systemOf(store, title);
  if (!system || !isOpenTrained(store, system)) return undefined;
  const { base: from, document } = store.documents;
  const same = ['model', 'mechanism', 'parameters'].every((member) =>
    JSON.stringify(from[member]) === JSON.stringify(document[member]));
  return same ? { said: measuredOf(learned[system.id]!, host), measured: true }
    : { said: strings.about.changed, measured: false };
}

/** Where the system of this title is simpler here than in its paper. */
export function simplifiedOf(store: Store, title: string | undefined, host: Host): unknown {
  const system = systemOf(store, title);
  const caveats = system && inWords(system, host).simplified[formOf(system, store.documents.base)];
  if (!caveats?.length) return nothing;
  return html`<section class="mech" data-part="simplified"><b>${words().simplified}</b>${
    caveats.map((one) => html`<p class="note">${one}</p>`)}</section>`;
}
