// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { compute } from '../engine/compute.ts';
import { html, nothing } from 'lit';
import learned from 'virtual:learned';
import { signal } from '@preact/signals-core';
import { lettersOf } from '../directory/letters.ts';
import { headsIn } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, System } from '../engine/types.ts';
import { titleOf } from '../state/model.ts';
import { trained } from '../learned/open.ts';
import { measured } from '../measured.ts';
import { Part, reactive } from '../part.ts';
import { select, selectAt } from '../select.ts';
import { moduleCalled as shownModule } from '../strings/counted.ts';
import { recordWords } from '../strings/records.ts';
import { choiceCalled, quote, withQuotes } from '../strings/quote.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import '../flow/legend.ts';
import '../decoding-memory/memory-view.ts';
import '../flow/matrix.ts';
import { give } from './give-part.ts';
import { asOpened, isChanged, isUntrained, OPENED, type Other, withWords } from './other-document.ts';
import { mapsOf, scaleOf, type Shown } from './maps.ts';
import { canGive, counted, type Group, modulesWith, partsOf, type Row, type Side } from './part-differences.ts';
import { systemTitle } from '../state/system-title.ts';
import { besideStyles, NAMES } from './styles.ts';
import { words } from './words.ts';

// Narrower than this, A stands above B.
const NARROW = 640;
// Between two maps beside each other.
const GAP = 48;

type Letter = 'A' | 'B';
interface Line {
  row: Row;
  group: Group;
  key: string;
}

/** Two documents side by side: the page's own, A, and a system, B, part by part and through the same words. */
export class BesideElement extends Part {
  @reactive width = 0;
  /** The part that is explained. */
  @reactive open: string | undefined;
  @reactive only = false;
  @reactive layer = 0;
  // What the engine made of B, and of which document.
  private readonly answer = signal<{ text: string; result?: Result; problem?: string } | undefined>(undefined);
  private asked = '';
  // B with its weights, as they came.
  private readonly come = signal<{ id: string; document: Doc } | undefined>(undefined);
  private coming: string | undefined;

  static override styles = besideStyles;

  constructor() {
    super();
    measured(this, (width) => (this.width = Math.floor(width)));
  }

  private get system(): System | undefined {
    const { book, view } = this.store;
    return book.catalogue.systems?.find(({ id }) => id === view.beside);
  }

  // The title of what is B, and its year if it is a system; undefined where nothing is.
  private get opposite(): { title: string; year?: number } | undefined {
    if (this.store.view.beside === OPENED) return { title: words().opened(this.ownTitle) };
    return this.system && { title: this.titleOf(this.system), year: this.system.paper.year };
  }

  // Undefined as long as the weights of B are on their way.
  private get other(): Other | undefined {
    const { system } = this;
    const { document: own, base } = this.store.documents;
    if (this.store.view.beside === OPENED) return asOpened(own, base);
    if (!system) return undefined;
    if (!learned[system.id]) return withWords(system.document, own);
    return this.come.value?.id === system.id ? withWords(this.come.value.document, own) : undefined;
  }

  private async bring(system: System): Promise<void> {
    if (this.coming === system.id) return;
    this.coming = system.id;
    // As the gallery opens it; with random weights where its own do not come.
    const { document = system.document } = await trained(learned[system.id], system.document);
    if (this.coming === system.id) this.come.value = { id: system.id, document };
  }

  override willUpdate(): void {
    const { other, system } = this;
    if (system && !other) void this.bring(system);
    const text = other ? JSON.stringify(other.document) : '';
    if (text === this.asked) return;
    this.asked = text;
    if (text !== '') void this.compute(text);
  }

  private async compute(text: string): Promise<void> {
    const answer = await compute(this.store.sessions.client, text, 'beside');
    if (!answer || text !== this.asked) return;
    const { result, error } = answer;
    this.answer.value = result ? { text, result } : { text, problem: error?.message ?? '' };
  }

  override render(): unknown {
    const { opposite, other } = this;
    const own = this.store.documents.document;
    const groups = other ? partsOf(this.store.book, own, other.document) : [];
    const { ownTitle: title } = this;
    return html`<div class=${this.width < NARROW ? 'narrow' : ''}><div class="choose">${this.menu()}${
      this.store.view.beside === undefined ? html`<span class="note" data-part="about">${words().about}</span>`
        : nothing}</div>
      ${opposite && other ? html`${this.heading(title, opposite.title, groups)}
        ${this.sides(title, opposite.title, opposite.year)}${this.list(groups, other.document)}
        ${this.pictures(other, opposite.title)}<div class="kept"><ap-kept
        .jobs=${[{ name: 'A', document: own }, {
            name: 'B', document: other.document }]}></ap-kept></div>` : nothing}</div>`;
  }

  private get ownTitle(): string {
    const own = this.store.documents.document;
    const known = titleOf(own) ?? this.store.book.module(own)?.title ?? strings.structure.together;
    return systemTitle(this.store.book, known, this);
  }

  private titleOf(system: System): string {
    return recordWords(this)?.systems[system.id]?.title ?? system.title;
  }

  private menu(): unknown {
    const { book, view, documents } = this.store;
    const changed = view.beside === OPENED || isChanged(documents.document, documents.base);
    const systems = (book.catalogue.systems ?? []).toSorted((a, b) => b.paper.year - a.paper.year);
    return html`<label>${words().choose} ${select<string | undefined>([[undefined, words().none],
      ...(changed ? [[OPENED, words().opened(this.ownTitle)] as const] : []),
      ...systems.map((one) => [one.id, `${this.titleOf(one)} (${one.paper.year})`] as const)], view.beside,
      (beside) => {
        this.open = undefined;
        view.show({ beside });
      }, { part: 'beside' })}</label>`;
  }

  private heading(a: string, b: string, groups: readonly Group[]): unknown {
    const { parts, differ } = counted(groups);
    return html`<div class="head"><h2 data-part="beside-heading">${
      differ === 0 ? words().allSame(a, b) : words().heading(a, b, differ, parts)}</h2>
      ${differ === 0 ? nothing : html`<p class="note">${words().lead} <button class="text" data-part="only"
        aria-pressed=${this.only} @click=${() => (this.only = !this.only)}>${
        this.only ? words().all : words().onlyDifferences}</button></p>`}</div>`;
  }

  private sides(a: string, b: string, year: number | undefined): unknown {
    return html`<div class="sides"><span><i class="letter A">A</i> <b>${a}</b></span><span></span><span><i
      class="letter B">B</i> <b>${b}</b> <span class="note">${year ?? nothing}</span></span></div>`;
  }

  private list(groups: readonly Group[], other: Doc): unknown {
    const lines = groups.flatMap((group, g) => group.rows.map((row, r): Line =>
      ({ row, group, key: `${g} ${r} ${row.path}` })));
    const drawn: unknown[] = [];
    let fold: Line[] = [];
    const close = () => {
      if (fold.length > 0 && !this.only) drawn.push(html`<p class="fold"><span>${
        fold.map(({ row, group }) => partName(row, group)).join(strings.comma)}${strings.comma}${
        words().same}</span></p>`);
      fold = [];
    };
    for (const line of lines) {
      if (line.row.same) {
        fold.push(line);
        continue;
      }
      close();
      drawn.push(this.line(line, other));
    }
    close();
    return html`<div class="rows" role="group" aria-label=${words().listed} @keydown=${this.keys}>${drawn}</div>`;
  }

  private line({ row, group, key }: Line, other: Doc): unknown {
    const open = this.open === key;
    const differs = !row.a ? words().onlyB : !row.b ? words().onlyA : words().differs;
    const some = row.of === undefined ? nothing : html`<small>${words().inSome(row.where.length, row.of)}</small>`;
    return html`<button class="row" data-row=${key} aria-expanded=${open}
        @click=${() => (this.open = open ? undefined : key)}>${
            this.box('A', row.a, row, group)}<span class="between"><span>${
        partName(row, group)}</span><em>${differs}</em>${some}</span>${this.box('B', row.b, row, group)}</button>
      ${open ? this.explained(row, other) : nothing}`;
  }

  private box(letter: Letter, side: Side | undefined, row: Row, { counts }: Group): unknown {
    if (!side) return html`<span class="box none">${words().nothing}</span>`;
    const count = modulesWith(row, letter === 'A' ? 'a' : 'b');
    const times = counts.a !== counts.b && count > 1
      ? html` <span class="note">${words().times(count)}</span>` : nothing;
    return html`<span class="box ${letter.toLowerCase()}"><b>${side.title}${times}</b>${side.details.map(({ knob,
      value }) => html`<small>${knob.title}: ${valueOf(value)}</small>`)}</span>`;
  }

  private explained(row: Row, other: Doc): unknown {
    const side = row.b ?? row.a;
    return html`<div class="more" data-part="more">${(side?.mechanisms ?? []).map((one) => html`<p
      lang=${one.lang ?? nothing}><b>${one.title}.</b> ${one.sentence}</p>${one.formula
      ? html`<ap-math .latex=${one.formula} .others=${lettersOf(one.parameters)}></ap-math>` : nothing}`)}
      ${canGive(row) ? html`<p><button class="button" data-part="give"
        @click=${() => this.give(row, other)}>${words().give}</button></p>` : nothing}</div>`;
  }

  private give(row: Row, other: Doc): void {
    this.open = undefined;
    this.store.documents.change((draft) => give(draft, other, row));
  }

  // Arrows move through the parts that differ, Escape closes what is open.
  private readonly keys = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.open !== undefined) this.open = undefined;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.row')];
      const at = rows.indexOf((this.renderRoot as ShadowRoot).activeElement as HTMLElement);
      rows[Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
    } else return;
    event.preventDefault();
  };

  private pictures({ document, sameWords }: Other, title: string): unknown {
    const { chosen } = this.store.selection;
    const mine = this.store.sessions.result;
    const answer = this.answer.value;
    if (answer?.problem !== undefined) return html`<p class="error" role="alert">${
      withQuotes(words().failed(title, quote(answer.problem)))}</p>`;
    if (!mine || !answer?.result || answer.text !== this.asked) return nothing;
    const [a, b] = [mapsOf(mine, chosen), mapsOf(answer.result, chosen)];
    const most = Math.max(a.length, b.length);
    const layer = Math.min(this.layer, Math.max(0, most - 1));
    // A side with fewer maps keeps its last beside all others.
    const pair = [a[layer] ?? a.at(-1), b[layer] ?? b.at(-1)] as const;
    const heads = mine.all('outputs').reduce((n, one) => Math.max(n, one.heads ?? headsIn(one)), 0);
    const { kind, domain } = scaleOf(pair);
    const columns = this.width > 760 ? 2 : 1;
    const room = Math.min(420, (this.width - GAP) / columns - NAMES);
    return html`<div class="choose">${most > 1 ? html`<label>${words().layer} ${
      selectAt(Array.from({ length: most }, (_, k) => moduleCalled(a[k], b[k])), layer, (k) => (this.layer = k),
        { part: 'layer' })}</label>` : nothing}${heads > 1 ? html`<label>${strings.heads} ${
      selectAt(Array.from({ length: heads }, (_, k) => k + 1), chosen[HEAD] ?? 0,
        (k) => this.store.selection.choose(HEAD, k), { part: 'beside-head' })}</label>` : nothing}
      <span class="note">${sameWords ? words().words : words().otherWords}${
      pair.some((one) => one?.nothing) ? ` ${words().columnNote}` : ''}</span></div>
      <div class="maps">${this.map('A', pair[0], mine, this.store.documents.document, room, kind, domain)}${
      this.map('B', pair[1], answer.result, document, room, kind, domain)}</div>`;
  }

  private map(letter: Letter, shown: Shown | undefined, result: Result, document: Doc, room: number,
    kind: ReturnType<typeof scaleOf>['kind'], domain: readonly [number, number]): unknown {
    if (!shown) return html`<figure data-side=${letter}><figcaption><i class="letter ${letter}">${letter}</i> <span
      class="note">${words().noMap}</span></figcaption></figure>`;
    const { plane, mask, nothing: column, module } = shown;
    const w = Math.max(80, Math.min(room, plane.cols * 40));
    const h = Math.min(26 * plane.rows, (w / plane.cols) * plane.rows);
    const keys = wordsAlong(result, plane.cols - (column ? 1 : 0));
    const names = [...(column ? [words().column] : []), ...keys];
    const rows = wordsAlong(result, plane.rows);
    return html`<figure data-side=${letter} data-kind=${kind}><figcaption><i
      class="letter ${letter}">${letter}</i> <b>${shownModule(module)}</b>${
      isUntrained(this.store.book, document, result) ? html` <span class="note" data-part="untrained">${
        words().untrained}</span>` : nothing}</figcaption>
      <div class="names" aria-hidden="true">${plane.cols > 24 ? nothing : names.map((name, j) => html`<span
        class="slant" ${place({ left: ((j + 0.5) * w) / plane.cols })}>${name}</span>`)}</div>
      <div class="picture" ${place({ position: 'relative', width: w, height: h })}><div class="queries"
        aria-hidden="true">${h / plane.rows < 11 ? nothing : rows.map((name) => html`<span
        ${place({ height: h / plane.rows })}>${name}</span>`)}</div><ap-matrix still .plane=${plane} .mask=${mask}
        .domain=${domain} .kind=${kind} .w=${w} .h=${h}></ap-matrix></div>
      <ap-legend .domain=${domain} .kind=${kind} .width=${116}></ap-legend></figure>`;
  }
}

const partName = (row: Row, { module }: Group): string =>
  row.name ?? module?.title ?? row.a?.title ?? row.b?.title ?? '';

// The only module of a document has no name.
const moduleCalled = (a: Shown | undefined, b: Shown | undefined): string =>
  shownModule([a, b].map((one) => one?.module ?? '').find((name) => name !== '') ?? '')
    || strings.tensors['weights']!;

const valueOf = (value: unknown): string =>
  (typeof value === 'boolean' ? (value ? words().on : words().off) : typeof value === 'string' ? choiceCalled(value)
  : Array.isArray(value) ? value.join(', ') : String(value));

// The words of the input that has so many, as they are drawn.
function wordsAlong({ directory: { tokens = {} } }: Result, count: number): readonly string[] {
  return Object.values(tokens).find((list) => list.length === count)
    ?? Array.from({ length: count }, (_, k) => String(k));
}
customElements.define('ap-beside', BesideElement);
