// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { load } from '../engine/load.ts';
import type { Doc, Mechanism, Slot } from '../engine/types.ts';
import { answered } from '../controls/notice-answers.ts';
import '../controls/menu.ts';
import { HEAD } from '../directory/places.ts';
import { Part, property } from '../part.ts';
import { select, selectAt } from '../select.ts';
import { parse } from '../state/parse.ts';
import { join } from '../engine/pointer.ts';
import { type Item, itemsOf, placeOf, putInto } from '../state/proposals.ts';
import { strings } from '../strings/en.ts';
import { prose } from '../strings/prose.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import '../shell/waiting.ts';
import { offer } from '../take/offered.ts';
import '../part-by-part/comparison.ts';
import './card.ts';
import './curves.ts';
import './error.ts';
import { mapsOf } from './figure-maps.ts';
import '../cost/part-table.ts';
import './maps.ts';
import './patterns.ts';
import './tiled-map.ts';
import { placeStyles } from './styles.ts';
import { Study } from './study.ts';
import { words } from './words.ts';

const MANY = [64, 256, 512, 4096, 16_384];

/** The place "Compare": what a cheaper form of attention amounts to, how far it is from softmax, and what both cost. */
export class EfficientElement extends Part {
  @property({ reflect: true }) size!: string;
  private study: Study | undefined;

  static override styles = placeStyles;

  override connectedCallback(): void {
    super.connectedCallback();
    // Another engine than the page's: what is tried here waits for nobody there.
    void this.updateComplete.then(() => {
      if (!this.isConnected || this.study || !this.store) return;
      const study = this.study = new Study(this.store, load());
      offer(this.store, () => mapsOf(study));
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.study) offer(this.study.store, undefined);
    this.study?.close();
    this.study = undefined;
  }

  /** Nothing is on its way that it shows at first. */
  get ready(): boolean {
    const { study, store: { book, sessions } } = this;
    return study !== undefined && book.whole && !sessions.busy && study.client.under === undefined;
  }

  override render(): unknown {
    const { study } = this;
    if (!study || !this.store.book.whole) return nothing;
    const { form } = study;
    const card = html`<ap-form-card .study=${study}></ap-form-card>`;
    const beside = html`<ap-beside></ap-beside>`;
    // Two documents part by part take the whole place.
    if (this.store.view.beside !== undefined)
      return html`<main class="middle" aria-label=${words().place}>${beside}</main>`;
    return html`<main class="middle"
      aria-label=${words().place}>${beside}${form ? this.compared(study, card) : this.choice()}
      <div class="charts">${form && !study.maps?.apart.equal && study.maps
        ? html`<ap-knob-error .study=${study}></ap-knob-error>` : nothing}<ap-growth .study=${study}></ap-growth></div>
      ${form ? html`<ap-patterns .study=${study}></ap-patterns>` : nothing}
      <div class="below"><ap-cost-parts></ap-cost-parts></div></main>
      ${form && this.size === 'wide' ? html`<aside class="right" aria-label=${words().cardTitle}>${card}</aside>`
        : nothing}`;
  }

  private compared(study: Study, card: unknown): unknown {
    const { form, maps, error } = study;
    const { title, note, noteLang } = form!.mechanism;
    return html`<div class="head"><h2
      lang=${form!.mechanism.lang ?? nothing}>${
      maps?.apart.equal && form!.mechanism.exact === true ? words().equals(title)
        : words().attendsThough(title)}</h2>${this.settings(study)}</div>
      ${note ? html`<p class="note paper" data-part="note" lang=${noteLang ?? nothing}>${
        prose(note, (id) => this.store.book.find(undefined, id)?.title)}</p>` : nothing}
      <ap-waiting .wait=${study.wait}></ap-waiting>
      ${answered(this.store, form!.path)}
      ${error ? html`<p class="error" role="alert">${withQuotes(quote(error.message))}</p>` : nothing}
      ${study.large ? html`<p class="note" role="status">${words().tooMany(study.large.given.keys)}</p>` : nothing}
      ${study.large ? html`<ap-tiled .study=${study}></ap-tiled>` : html`<ap-implied .study=${study}></ap-implied>`}
      ${(maps || study.large) && this.size !== 'wide' ? html`<div class="inner">${card}</div>` : nothing}`;
  }

  private settings(study: Study): unknown {
    const { forms, form, given, many } = study;
    const heads = given?.query.places.indexOf(HEAD) ?? -1;
    const count = heads < 0 ? 1 : given!.query.shape[heads]!;
    const keys = many === undefined ? given?.key.shape.at(-2) : undefined;
    const own = this.store.sessions.result && study.many === undefined ? (given?.query.shape.at(-2) ?? 0)
      : Object.values(this.store.documents.document.inputs)
      .reduce((most, { tokens }) => Math.max(most, Array.isArray(tokens) ? tokens.length : 0), 0);
    const slot = this.coreSlot;
    // A core in the module's place leaves no slot for another.
    const chooses = slot !== undefined && form?.path === join('mechanism', slot.name);
    return html`<div class="settings">${chooses ? this.chooser(slot, form!.mechanism) : nothing}
      ${forms.length > 1 ? html`<label>${words().formMenu} ${selectAt(forms.map(({ mechanism, around }) =>
        `${mechanism.title} ${typeof around['name'] === 'string' ? around['name'] : ''}`), forms.indexOf(form!),
        (at) => study.choose(at), { part: 'form' })}</label>` : nothing}
      ${count > 1 ? html`<label>${words().headMenu} ${selectAt(Array.from({ length: count },
        (_, k) => words().head(k + 1)), this.store.selection.chosen[HEAD] ?? 0,
        (k) => this.store.selection.choose(HEAD, k), { part: 'head' })}</label>` : nothing}
      <label>${words().words} ${select<number | undefined>([[undefined,
        keys === undefined || keys === own ? words().ownWords(own) : words().ownSides(own, keys)],
        ...MANY.map((n) => [n, words().drawnWords(n)] as const)], many, (n) => this.store.view.show({ many: n }),
        { part: 'many' })}</label></div>`;
  }

  // Where a form of a document of one module is chosen.
  private get coreSlot(): Slot | undefined {
    return this.store.book.module(this.store.documents.document)?.slots.find(({ kind }) => kind === 'core');
  }

  /** The same menu as among the controls: it can be searched, and gives the reason where a form cannot stand here. */
  private chooser(slot: Slot, current: Mechanism | undefined): unknown {
    const { book, documents } = this.store;
    const path = join('mechanism', slot.name);
    const put = (id: string | undefined) => putInto(book, slot, path, id);
    const place = placeOf(book, slot, path);
    return html`<ap-menu data-part="choose" .items=${() => itemsOf(book, documents.document, slot, '/mechanism')}
      .current=${current?.id} .label=${words().chooseMenu} .text=${current?.title ?? words().choose}
      .foresee=${({ id }: Item) => this.store.foresee(id, put(id), place)}
      @choose=${({ detail }: CustomEvent<string | null>) => {
        const id = detail ?? undefined;
        this.store.pick(id, book.find(slot.kind, id)?.title ?? strings.none, put(id), path, place);
      }}></ap-menu>`;
  }

  // Without a form there is one to choose: every core of the catalogue that may stand in this document.
  private choice(): unknown {
    const slot = this.coreSlot;
    return html`<div class="head"><h2>${words().without}</h2></div>${slot
      ? html`<p class="says">${words().chooseForm}</p>${this.chooser(slot, undefined)}${
        answered(this.store, join('mechanism', slot.name))}`
      : this.examples()}`;
  }

  // Who came to compare two mechanisms: a single attention is opened, twice, where both are seen.
  private async sides(): Promise<void> {
    const { default: document } = await import('../../../examples/transformer-head.json');
    const { comparison, documents, view } = this.store;
    documents.replace(document as Doc);
    comparison.start();
    view.show({ place: 'look' });
  }

  // Several modules have no one place for a form: each opens with the engine's own example of it.
  private examples(): unknown {
    const { book, sessions, documents } = this.store;
    const open = async (id: string | undefined) => {
      const reply = id === undefined ? undefined : await sessions.client.ask({ kind: 'example', of: id });
      const found = reply && parse(reply.text);
      if (found && 'document' in found) documents.replace(found.document);
    };
    return html`<p class="says">${words().openForm}
      ${select<string | undefined>([[undefined, words().choose], ...book.of('core').map(({ id, title }) =>
        [id, title] as const)], undefined, (id) => void open(id), { part: 'example', label: words().chooseMenu })}</p>
      <p class="says">${words().sidesNote} <button class="link inline" data-part="sides"
        @click=${() => void this.sides()}>${words().sidesOpen}</button></p>`;
  }
}
customElements.define('ap-efficient', EfficientElement);
