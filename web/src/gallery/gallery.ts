// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { isSince, sinceChoice } from '../controls/year-filter.ts';
import type { DialogName } from '../dialog/list.ts';
import { Part, reactive } from '../part.ts';
import { trained } from '../learned/open.ts';
import { showMap } from '../learned/show-map.ts';
import { inShort } from '../learned/result-sentences.ts';
import { trainSystem } from '../learned/train.ts';
import { words as learnedWords } from '../learned/words.ts';
import { asksForModel } from '../real/search-terms.ts';
import { asksForLanguage } from '../language/search-terms.ts';
import '../language/invite.ts';
import '../real/invite.ts';
import { parse } from '../state/parse.ts';
import type { Notice } from '../state/notice.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { phrase, said } from '../strings/quote.ts';
import { icons } from '../styles/icons.ts';
import { place } from '../styles/place.ts';
import { detail } from './detail.ts';
import { Entries, presets } from './entries.ts';
import { absent, byFit, type Choice, counts, entriesLeft, type Entry, type Facet, FACETS, FAMILIES, type Family,
  foundByName, matching, nearest, partOf, systemsAt } from './facts.ts';
import { inWords } from './in-words.ts';
import { titleOf } from '../state/model.ts';
import { differences, type Preset, withWordsOf } from './presets.ts';
import { isOfPictures, withPictureOf } from './picture-kept.ts';
import { type FewKnown, keeping } from './words-kept.ts';
import { lessonsFound } from './lessons-found.ts';
import { opening } from './opening.ts';
import { galleryStyles } from './styles.ts';
import { subtitle, taxonCalled, whyFound } from './subtitle.ts';
import './thumb.ts';
import { words } from './words.ts';
import { coarse } from '../coarse-pointer.ts';

const FIRST = 6;
const MOST = 60;
// The reader's words as they were put into a system: they are still his own.
const kept = new WeakMap<Store, string>();

const systemsIn = (found: readonly Entry[]): number => found.filter(({ kind }) => kind === 'system').length;

/** Systems of the literature by families and facets, presets, and every mechanism: each opens. */
export class GalleryElement extends Part {
  @reactive search!: string;
  @reactive choice!: Choice;
  /** Families that are shown in full. */
  @reactive whole!: ReadonlySet<string>;
  @reactive at: string | undefined;
  @reactive told: string | undefined;
  @reactive keep: boolean | undefined;
  /** Ids of the systems at the document's coordinates, where only these are shown. */
  @reactive only: ReadonlySet<string> | undefined;
  /** Only what was published in this year or later, mechanisms included; none: everything. */
  @reactive since: number | undefined;
  /** How many more of a long section are shown than at first. */
  @reactive more!: number;
  private readonly known = new Entries();

  static override styles = galleryStyles;

  constructor() {
    super();
    Object.assign(this, { search: '', choice: {}, whole: new Set(), more: 0 });
  }

  private get entries(): Entry[] {
    return this.known.of(this.store, this);
  }

  private get shown(): Entry[] {
    return this.anyYear.filter(({ year }) => isSince(year, this.since));
  }

  // Of a question that nothing has as a whole, the words that something has.
  private get some(): string | undefined {
    return partOf(this.entries, this.search);
  }

  private get sought(): string {
    return this.some ?? this.search;
  }

  private get anyYear(): Entry[] {
    return entriesLeft(this.entries, this.sought, this.choice, this.only);
  }

  // What is searched for by a name that nothing here has.
  private get absent(): ReturnType<typeof absent> {
    return absent(this.search);
  }

  private get systems(): Entry[] {
    return this.entries.filter(({ kind, id, year }) => kind === 'system' && isSince(year, this.since)
      && (!this.only || this.only.has(id)));
  }

  private get current(): Preset | undefined {
    const title = titleOf(this.store.documents.document);
    return title === undefined ? undefined
      : presets.flatMap(({ presets: list }) => list).find(({ document }) => titleOf(document) === title);
  }

  // Whoever has put in words of their own will want to keep them.
  private get keeps(): boolean {
    if (this.keep !== undefined) return this.keep;
    const [mine, given] = [this.store.documents.document, this.current?.document ?? this.store.documents.base];
    return kept.get(this.store) === JSON.stringify(mine.inputs)
      || JSON.stringify(mine.inputs) !== JSON.stringify(given.inputs) || mine['seed'] !== given['seed'];
  }

  override render(): unknown {
    const { shown } = this;
    const say = words();
    const entry = this.entries.find((one) => key(one) === this.told);
    const facets = html`${this.here()}${this.years()}${FACETS.map((facet) => this.facet(facet))}`;
    const narrow = matchMedia('(max-width: 1000px)').matches;
    return html`<div class="facets"
      role="search"><div class="find"><input type="text" role="searchbox" aria-label=${say.find} placeholder=${say.find}
      .value=${this.search}
          @input=${(e: Event) => (this.search = (e.target as HTMLInputElement).value)} @keydown=${this.down} /></div>
        ${narrow ? html`<details><summary>${say.facets}</summary>${facets}</details>` : facets}</div>
      <div class="middle" @keydown=${this.key}><span class="unseen"
        role="status">${shown.length === 0 && this.lessons() !== nothing ? nothing
        : say.found(shown.length, systemsIn(shown))}</span>${this.families(shown)}</div>
      <aside class="detail ${entry ? 'chosen' : ''}"
        aria-live="polite">${entry && small() ? html`<button class="icon" data-shut aria-label=${strings.close}
        @click=${() => (this.told = undefined)}>${icons.close}</button>` : nothing}${entry
        ? detail(this.store.book, entry, this,
          { open: (plain) => void this.take(entry, plain), train: () => void this.train(entry) })
        : html`<p class="quiet">${say.choose}</p>`}</aside>
      <div class="foot">${coarse.matches ? nothing
        : html`<span class="note">${say.help}</span>`}<label><input type="checkbox" .checked=${this.keeps}
        @change=${(e: Event) => (this.keep = (e.target as HTMLInputElement).checked)} />${strings.gallery.keep}</label>
        <span class="note">${strings.gallery.undo}</span><button class="link note"
          @click=${() => this.tell('go', ['bring'])}>${strings.gallery.bring}</button></div>`;
  }

  private families(found: Entry[]): unknown {
    const say = words();
    // Who knows what it is called finds that first, whatever kind it is.
    const byName = found.length > 1 ? foundByName(found, this.sought).slice(0, FIRST) : [];
    const shown = byFit(found.filter((one) => !byName.includes(one)), this.sought);
    const systems = shown.filter(({ kind }) => kind === 'system');
    // The section of what fits best comes first; without a search they keep their order.
    const families = this.sought.trim() === '' ? FAMILIES
      : [...new Set([...systems.map(({ family }) => family as Family), ...FAMILIES])];
    const count = systemsIn(found);
    const trained = found.filter(({ learned: one }) => one !== undefined).length;
    const near = found.length === 0 ? nearest(this.systems, this.sought, this.choice) : undefined;
    const section = (id: string, title: string, note: string, all: Entry[]) => {
      if (all.length === 0) return nothing;
      // Who searches for a mechanism sees all that were found.
      const narrowed = found.length <= 24 || this.whole.has(id) || (id === 'mechanisms' && this.search.trim() !== '');
      const most = narrowed ? MOST + this.more : FIRST;
      return html`<div class="family"><h2>${title}</h2><span
        class="note">${note}</span>${
        all.length > FIRST && found.length > 24 && (id !== 'mechanisms' || this.search.trim() === '')
        ? html`<button class="link note" data-all=${id} aria-expanded=${this.whole.has(id)}
        @click=${() => this.unfold(id)}>${this.whole.has(id) ? say.fewer : say.all(all.length)}</button>`
          : nothing}</div>
        <ul aria-label=${title}>${all.slice(0, most).map((one) => this.item(one))}</ul>${
          narrowed && all.length > most ? html`<button class="link" data-part="more"
            @click=${() => (this.more += MOST)}>${
            strings.showMore(Math.min(all.length - most, MOST), all.length - most)}</button>` : nothing}`;
    };
    const lessons = this.lessons();
    const away = matching(this.entries, this.search, {}).length === 0 ? this.absent : undefined;
    const { some: part } = this;
    return html`${away ? html`<p class="lead" role="status" data-part="absent">${say.absent(away.name)}</p>` : nothing}
      ${part ? html`<p class="lead" role="status" data-part="part">${say.part(part)}</p>` : nothing}
      ${count > 0 && !away
      ? html`<p class="lead"><b>${say.systems(count)}</b> <span class="quiet">${say.lead}</span>${
        trained > 0 ? html` <span data-part="trained">${learnedWords().count(trained)}.</span>` : nothing}</p>`
      : nothing}
      ${this.model()}
      ${section('named', say.named, coarse.matches ? '' : say.namedNote, byName)}
      ${families.map((family) => section(family, say.families[family]![0]!, say.families[family]![1]!,
        systems.filter((one) => one.family === family)))}
      ${presets.map(({ group }) => section(`preset ${group}`,
        `${say.presets}: ${strings.gallery.groups[group] ?? group}`, say.presetsNote,
        shown.filter((one) => one.kind === 'preset' && one.family === group)))}
      ${section('mechanisms', say.mechanisms, say.mechanismsNote, shown.filter(({ kind }) => kind === 'mechanism'))}
      ${lessons}
      ${found.length > 0 || this.model() !== nothing || lessons !== nothing ? nothing
        : html`<div class="none quiet">${near ? say.empty : strings.gallery.none}
        ${near ? html`<button class="link" data-part="nearest"
          @click=${() => this.choose(near.facet, undefined)}>${
          say.without(this.called(near.facet, near.value), near.count)}</button>` : nothing}</div>`}`;
  }

  private lessons(): unknown {
    return lessonsFound(this, [this.search, this.sought], (lesson) => {
      this.tell('shut');
      this.store.view.teach(lesson);
    });
  }

  // The models are no systems of the taxonomy: a chosen facet or year leaves them out.
  private model(): unknown {
    const narrowed = Object.keys(this.choice).length > 0 || this.only !== undefined || this.since !== undefined;
    if (narrowed || !(asksForModel(this.search) || asksForLanguage(this.search))) return nothing;
    const shut = (): void => this.tell('shut');
    return html`${asksForModel(this.search) ? html`<ap-invite listed @opened=${shut}></ap-invite>` : nothing}
      ${asksForLanguage(this.search) ? html`<ap-language-model @opened=${shut}></ap-language-model>` : nothing}`;
  }

  private item(entry: Entry): unknown {
    const { kind, title, document, thumbnail, system, mechanism } = entry;
    const { store } = this;
    const told = system && inWords(system, this);
    const id = key(entry);
    const current = document !== undefined && titleOf(document) === titleOf(store.documents.document);
    const edits = current && kind === 'preset' ? differences(document, store.documents.document) : 0;
    const first = this.at ?? key(this.shown[0] ?? entry);
    const why = whyFound(entry, this.sought);
    return html`<li><button class="preset ${mechanism ? 'plain' : ''} ${this.told === id ? 'told' : ''}"
      data-kind=${kind} data-id=${entry.id} tabindex=${id === first ? 0 : -1} aria-current=${current ? 'true' : nothing}
        @pointerenter=${(e: PointerEvent) => { if (e.pointerType === 'mouse' && !small()) this.told = id; }}
        @focus=${() => { this.at = id; if (!small()) this.told = id; }} @click=${() => void this.press(entry)}>
      ${mechanism ? nothing : html`<ap-thumb small .picture=${thumbnail}></ap-thumb>`}
      <span><b lang=${told?.lang ?? nothing}
        dir=${system ? 'auto' : nothing}>${told ? told.title : mechanism ? title : said(title)}</b><span
        class="note">${subtitle(store.book, entry)}</span>
        ${why === undefined ? nothing : html`<span class="note" data-part="why">${why}</span>`}
        ${entry.learned ? html`<span class="note" data-part="measure">${inShort(entry.learned)}</span>` : nothing}
        ${current ? html`<span class="note">${strings.gallery.current}${
          edits ? `${strings.comma}${strings.gallery.edits(edits)}` : ''}</span>` : nothing}</span></button></li>`;
  }

  private facet(facet: Facet): unknown {
    const chosen = this.choice[facet];
    const counted = counts(this.systems, this.sought, this.choice, facet);
    const all = facet === 'year' ? counted : counted.filter(([value, n]) => n > 0 || value === chosen);
    if (all.every(([value, n]) => n === 0 && value !== chosen)) return nothing;
    const most = maximum(all.map(([, n]) => n), 1);
    const toggle = (value: string) => this.choose(facet, value === chosen ? undefined : value);
    return html`<fieldset data-facet=${facet}><legend>${words().facet[facet]}</legend>
      ${facet === 'year' ? html`<div
        class="years">${all.map(([value, n]) =>
        html`<button data-value=${value} aria-pressed=${value === chosen} title="${value}: ${n}"
        @click=${() => toggle(value)}><i ${place({ height: (n / most) * 56 })}></i>${value.slice(2)}</button>`)}</div>`
        : all.map(([value, n]) => html`<button class="value" data-value=${value} aria-pressed=${value === chosen}
        @click=${() => toggle(value)}><span>${this.called(facet, value)}</span><i>${n}</i></button>`)}</fieldset>`;
  }

  private years(): unknown {
    const years = this.anyYear.map(({ year }) => year);
    return html`<fieldset data-facet="since">${sinceChoice(years, this.since, (since) => {
      this.since = since;
      this.at = undefined;
    })}</fieldset>`;
  }

  private called(facet: Facet, value: string): string {
    return (facet === 'task' ? words().tasks[value] : words().others[value]) ?? taxonCalled(this.store.book, value);
  }

  // What is at the coordinates of the document at hand, whatever it is.
  private here(): unknown {
    const taxonomy = this.store.sessions.result?.directory.taxonomy;
    const all = this.store.book.catalogue.systems ?? [];
    if (!taxonomy || all.length === 0) return nothing;
    const { systems, apart } = systemsAt(all, taxonomy.coordinates);
    return html`<fieldset data-facet="here"><legend>${words().here}</legend>
      <p class="note">${apart.length === 0 ? words().exactly(systems.length)
        : words().nearestOf(systems.length, apart.map(phrase))}</p>
      <button class="value" data-part="here" aria-pressed=${this.only !== undefined}
        @click=${() => (this.only = this.only ? undefined : new Set(systems.map(({ id }) => id)))}><span>${
        this.only ? words().showAll : words().show}</span><i>${systems.length}</i></button></fieldset>`;
  }

  private choose(facet: Facet, value: string | undefined): void {
    const { [facet]: _, ...others } = this.choice;
    this.choice = value === undefined ? others : { ...others, [facet]: value };
    this.at = undefined;
  }

  private unfold(id: string): void {
    const whole = new Set(this.whole);
    if (!whole.delete(id)) whole.add(id);
    this.whole = whole;
  }

  override firstUpdated(): void {
    void this.store.learn().then(() => this.requestUpdate());
    // On a phone the keyboard would cover what there is to choose from.
    if (!coarse.matches) this.renderRoot.querySelector('input')?.focus();
  }

  // Where there is no room beside, the first press tells, and a button opens.
  private async press(entry: Entry): Promise<void> {
    if (small() && entry.kind !== 'preset' && this.told !== key(entry)) this.told = key(entry);
    else await this.take(entry);
  }

  /** `plain`: with random weights, although there are trained ones. */
  private async take(entry: Entry, plain = false): Promise<void> {
    const { store } = this;
    const found = await trained(plain ? undefined : entry.learned, entry.document);
    let { document } = found;
    if (entry.mechanism) {
      const reply = await store.sessions.client.ask({ kind: 'example', of: entry.mechanism.id });
      const own = reply && parse(reply.text);
      document = own && 'document' in own
        ? await opening(store.sessions.client, store.book, own.document, entry.mechanism) : undefined;
    }
    if (!document) return;
    if (store.view.lesson !== undefined) (await import('../lessons/course.ts')).Course.forget(store);
    const mine = store.documents.document;
    // What is compared with the old document has nothing to do with the inputs of another.
    if (!this.keeps || entry.kind === 'preset')
      store.documents.replace(this.keeps ? withWordsOf(document, mine) : document, null);
    else {
      const own = await keeping(store.sessions.client, store.book, document, mine);
      const { document: made, picture, remember } = await withPictureOf(store.book, own.document, mine);
      store.documents.replace(made, null);
      remember?.(store.documents.document);
      if (own.kept || picture === 'kept') kept.set(store, JSON.stringify(store.documents.document.inputs));
      const lost = picture === 'lost' ? 'pictureNotKept'
        : picture === 'kept' || own.kept || isOfPictures(store.book, mine) ? undefined : 'wordsNotKept';
      if (lost) store.view.show({ notice: [notKept(lost, titleOf(document) ?? entry.title, own.few)] });
    }
    if (!plain && found.lost === undefined && entry.learned?.map) showMap(store, entry.learned.map);
    if (found.lost !== undefined) {
      const name = entry.system ? inWords(entry.system, this).title : entry.title;
      store.view.show({ notice: [{ key: 'weightsLost', values: [name, found.lost], quoted: true }] });
    }
    store.view.show({ opened: {} });
    this.tell('shut');
  }

  private async train({ system }: Entry): Promise<void> {
    if (system && await trainSystem(this.store, system, inWords(system, this).title)) this.tell('shut');
  }

  private tell(name: string, detail?: readonly [DialogName, unknown?]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private readonly down = (event: KeyboardEvent) => {
    // Enter opens what stands first, once something was searched for.
    const opens = event.key === 'Enter' && !event.isComposing && this.search.trim() !== '';
    if (event.key !== 'ArrowDown' && !opens) return;
    event.preventDefault();
    if (opens) this.items[0]?.click();
    else this.items[0]?.focus();
  };

  private get items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.preset')];
  }

  // One tab stop; the arrows go to the neighbours, across families too.
  private readonly key = (event: KeyboardEvent) => {
    const all = this.items;
    const now = all.findIndex((one) => one.matches(':focus'));
    if (now < 0) return;
    const on = direction() === 'rtl' ? -1 : 1;
    const beside: Record<string, number> = { ArrowRight: now + on, ArrowLeft: now - on, Home: 0, End: all.length - 1 };
    const to = event.key === 'ArrowDown' || event.key === 'ArrowUp' ? this.under(all, now, event.key === 'ArrowDown')
      : beside[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, to))]?.focus();
  };

  // The nearest in the next row that has any.
  private under(all: HTMLElement[], now: number, down: boolean): number {
    const boxes = all.map((one) => one.getBoundingClientRect());
    const here = boxes[now]!;
    const rows = boxes.map((box, at) =>
      ({ at, gap: down ? box.top - here.top : here.top - box.top, aside: Math.abs(box.left - here.left) }))
      .filter(({ gap }) => gap > 4);
    const next = minimum(rows.map(({ gap }) => gap));
    return rows.filter(({ gap }) => gap < next + 4).toSorted((a, b) => a.aside - b.aside)[0]?.at ?? now;
  }
}
customElements.define('ap-gallery', GalleryElement);

const notKept = (key: 'pictureNotKept' | 'wordsNotKept', title: string, few: FewKnown | undefined): Notice =>
  (few && key === 'wordsNotKept' ? { key: 'wordsUnknown', values: [title, String(few.known), String(few.of)] }
  : { key, values: [title] });
const key = ({ kind, id }: Entry): string => `${kind} ${id}`;
const small = (): boolean => matchMedia('(max-width: 1000px)').matches;
