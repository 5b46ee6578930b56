// SPDX-License-Identifier: Apache-2.0
import first from 'virtual:first-paint';
import { ContextProvider } from '@lit/context';
import { effect, untracked } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { load } from '../engine/load.ts';
import { asked, coming, whilePending, fetchFromNow } from '../lazy-fetch.ts';
import { catalogue, compact, fetchedFor, lessons, links, others, sheets } from './lazy-parts.ts';
import { Result } from '../engine/result.ts';
import { measured } from '../measured.ts';
import { Book } from '../state/catalogue.ts';
import { addressed, dialogFor, type Received, received, step } from './incoming-link.ts';
import { absentModel } from '../state/absent-model.ts';
import { seenOf } from '../state/link-view.ts';
import { Store } from '../state/store.ts';
import type { Place } from '../state/view.ts';
import { page, property, reactive } from '../part.ts';
import { Watching } from '../signal-element.ts';
import { arrive } from './arrival.ts';
import { KeptAddress } from './kept-address.ts';
import { fetched, whenSeen } from './start.ts';
import { strings } from '../strings/en.ts';
import { directionOf, spoke } from '../strings/language.ts';
import { Tongue } from '../strings/tongue.ts';
import { rememberFormulas } from '../styles/rendered-formula.ts';
import { declareFonts } from '../styles/fonts.ts';
import { addMathStyles } from '../styles/math.ts';
import { base, fields, scale, applyTheme } from '../styles/tokens.ts';
import { shellStyles } from '../shell/shell.styles.ts';
import { crowded, inTurn, isWaiting, rank } from '../turns.ts';
import { catchGiven, type Given } from '../bring/catch.ts';
import { watchTried } from '../callouts/callout.ts';
import '../card/card.ts';
import '../card/mind.ts';
import '../controls/panel.ts';
import { dialogsIn, openDialog } from '../dialog/open.ts';
import type { DialogName } from '../dialog/list.ts';
import { skipLinks } from './skip-links.ts';
import '../flow/flow.ts';
import '../inputs/inputs.ts';
import '../shell/header.ts';
import { absentMiddle } from './absent-middle.ts';
import '../shell/steps.ts';
import { followOpened } from '../shell/main-column.ts';
import { lostParts, messages } from '../shell/messages.ts';
import { shortcut } from '../shell/shortcuts.ts';
import { problemOf, type Size, sizeOf, summaryOf } from '../shell/summary.ts';
import { narrowControls, narrowMenu } from '../shell/narrow.ts';
import { encoderNow, lessonNow, questions, readBelow, tools } from '../shell/tools.ts';
import '../first/story.ts';
import { listening } from '../listening.ts';

const packed = (): Float32Array => new Float32Array(Uint8Array.from(atob(first.data), (c) => c.charCodeAt(0)).buffer);
rememberFormulas(first.formulas);
addMathStyles(first.styles);

/**
 * `<attention-playground>`: the whole page as one element. Attributes: `document` (JSON, or what stands behind the # of
 * a link), `src` (the address of a JSON document), `theme` (light, dark), `height` (CSS pixels), `hide` and `lock` (of:
 * header, controls, inputs, card, steps), `compact` (a matrix, its explanation, one choice), `home` (where the whole
 * page lies, for a link to it), `address` (keep the document in this page's own address). It starts when it is scrolled
 * to, and tells of every change by the event `document-change`, whose detail is the document.
 */
export class AttentionPlayground extends Watching {
  @property() document: string | undefined;
  @property() src: string | undefined;
  @property() home: string | undefined;
  @property({ type: Boolean, reflect: true }) compact = false;
  @reactive seen = false;
  /** The lesson under way, once its part of the page is here. */
  @reactive teaching: string | undefined;
  @property() theme: string | undefined;
  @property() height: string | undefined;
  @property() hide: string | undefined;
  @property() lock: string | undefined;
  @property({ type: Boolean }) address = false;
  @reactive size: Size = 'wide';
  @reactive open = false;
  @reactive tab: 'mechanism' | 'inputs' = 'mechanism';
  @reactive chosenTheme: 'light' | 'dark' | undefined;
  readonly store: Store;
  private readonly dark = matchMedia('(prefers-color-scheme: dark)');
  private started = false;
  private readonly speech: Tongue;
  /** What is shown came with the page. */
  private pictured = false;
  private unwatch: (() => void) | undefined;
  private letGo: (() => void) | undefined;
  private ignore: (() => void)[] = [];
  private readonly kept: KeptAddress;

  static override styles = [scale, base, fields, shellStyles];

  constructor() {
    super();
    measured(this, (width) => void (width > 0 && (this.size = sizeOf(width))));
    this.store = new Store(structuredClone(first.document), first.document,
      new Book(structuredClone(first.catalogue), async () => (await catalogue.wanted(true))?.default), load());
    this.kept = new KeptAddress(this.store);
    this.speech = new Tongue(this, this.store);
    new ContextProvider(this, { context: page, initialValue: this.store });
    listening(this, this.dark, 'change', this.redraw);
    listening(this, globalThis, 'hashchange', this.follow);
    listening(this, globalThis, 'keydown', this.shortcuts);
    // The menu of a narrow page replaces what is to be printed.
    listening(this, globalThis, 'beforeprint', () => this.size === 'narrow' && (this.open = false));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    declareFonts();
    this.size = sizeOf(this.clientWidth || innerWidth);
    this.follows();
    this.speech.connect(this.address);
    this.letGo = catchGiven(this, this.address, (given) => this.bring(given));
    if (this.started) this.begin();
    // Drawn in English first, the page would be drawn twice.
    else if (this.address) void Promise.resolve().then(spoke).then(() => this.speech.followed)
      .then(() => this.isConnected && this.begin());
    else this.unwatch = whenSeen(this, () => this.begin());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of [...this.ignore, this.unwatch, this.letGo, ...this.store.held]) end?.();
    this.store.held.clear();
    this.speech.disconnect();
    this.store.client.close();
  }

  // What else there is to do when the state changes, besides drawing it.
  private follows(): void {
    const { documents, sessions, view } = this.store;
    let [known, starts] = [documents.moment, documents.starts];
    let looked = JSON.stringify(seenOf(this.store));
    let { lesson, lessonsAsked, place } = view;
    this.ignore = [
      effect(() => {
        const changed = documents.moment !== known;
        if (documents.starts !== starts) this.open = false; // another document is what is to be seen
        [known, starts] = [documents.moment, documents.starts];
        if (!changed) return;
        fetchFromNow();
        if (this.seen) untracked(() => this.remember());
      }),
      // An open menu would cover the place that the reader goes to.
      effect(() => {
        if (view.place !== place) this.open = false;
        ({ place } = view);
      }),
      // What is looked at stands in the address too.
      effect(() => {
        const now = JSON.stringify(seenOf(this.store));
        const changed = now !== looked;
        looked = now;
        if (changed && this.seen) untracked(() => this.keepAddress());
      }),
      // Where nothing can be computed, the picture that came with the page is all there is.
      effect(() => void (sessions.error?.refused && !sessions.result && untracked(() => this.picture()))),
      effect(() => {
        const changed = view.lesson !== lesson || view.lessonsAsked !== lessonsAsked;
        ({ lesson, lessonsAsked } = view);
        if (changed) untracked(() => this.teach());
      }),
      followOpened(this),
    ];
  }

  private readonly actions = {
    open: (what: DialogName): void => void this.dialog(what), visit: (to: Place): void => void this.visit(to),
    show: (tab: 'mechanism' | 'inputs'): void => void ([this.open, this.tab] = [true, tab]),
    dye: (theme: 'light' | 'dark'): void => void (this.chosenTheme = theme),
  };
  private readonly redraw = () => this.requestUpdate();
  private readonly remember = () => {
    this.dispatchEvent(new CustomEvent('document-change', { detail: this.store.documents.document, bubbles: true }));
    this.keepAddress();
  };
  private keepAddress(): void {
    if (this.address) this.kept.keep();
  }
  private teach(): void {
    this.open = false;
    // The whole catalogue says which lessons there are.
    const here = whilePending(Promise.all([lessons.wanted(true), this.store.learn()]));
    void here.then(([part]) => {
      if (!part) return;
      part.comeTo(this.store);
      this.teaching = this.store.view.lesson;
    });
  }

  private readonly follow = async () => {
    const { hash } = location;
    if (!this.address || hash.length < 2) return;
    this.kept.leave();
    const { wholeLink } = await links.fetch();
    if (hash === `#${await wholeLink(this.store)}`) return;
    const arrived = await this.given(hash);
    if (hash === location.hash) void this.take(arrived);
  };
  protected override get tongue(): string | undefined {
    return this.store.view.tongue;
  }
  private readonly shortcuts = (event: KeyboardEvent) => {
    if (this.address && !dialogsIn(this.renderRoot)?.what) shortcut(event, this, this.actions.open);
  };
  private begin(): void {
    if (this.started) return this.compute();
    this.started = true;
    const link = (this.address && addressed()) || this.document;
    this.picture();
    if (link === undefined) return this.go();
    this.clear();
    void this.given(link).then((decoded) => this.take(decoded, link === this.document)).finally(() => this.go());
  }

  private go(): void {
    const { store } = this;
    if (JSON.stringify(store.documents.document) === JSON.stringify(first.document) && this.src === undefined) {
      if (!store.sessions.result) this.picture();
      if (this.address) queueMicrotask(() => watchTried(store));
    } else {
      this.clear();
      fetchFromNow();
    }
    this.compute();
  }

  private compute(): void {
    const { seen, store: { sessions, client, documents } } = this;
    this.seen = true;
    if (!seen) void arrive(this, this.pictured);
    if (this.src !== undefined && this.document === undefined) void this.fetch(this.src);
    else if (this.pictured && JSON.stringify(documents.document) === JSON.stringify(first.document)) {
      // The picture is here: the engine starts, and computes (it needs the model's weights) at the first move.
      sessions.brought();
      void inTurn(() => client.warm(), rank.after);
      void asked.then(() => sessions.compute());
    } else void sessions.compute();
    void asked.then(() => this.store.learn());
  }

  private async fetch(address: string): Promise<void> {
    const text = await fetched(address);
    const found = text === undefined ? undefined : await this.given(text);
    if (found && !('problem' in found)) return void this.take(found, true);
    this.store.view.show({ notice: found?.problem === 'weights' ? problemOf(found, true, this.seen)
      : [{ key: 'srcFailed', values: [address] }] });
    void this.store.sessions.compute();
  }

  // The example's numbers came with the page, so that something computed stands there at once.
  private picture(): void {
    this.pictured = true;
    this.store.present({ document: first.document, result: new Result(first.directory, packed()) });
  }

  // Another document's numbers would be wrong here; grey shapes wait for the right ones.
  private clear(): void {
    this.pictured = false;
    this.store.present();
  }
  private readonly given = (text: string): Promise<Received> => received(text, this.address);

  private take(decoded: Received, attribute = false): void | Promise<void> {
    if ('lesson' in decoded) return lessons.wanted(true).then((part) => part?.openAt(this, decoded));
    if ('document' in decoded) {
      if (!this.address) void step(this, decoded.lecture);
      else if (decoded.lecture) void this.dialog('lecture', decoded.lecture);
      return this.store.arrive(decoded, this.seen, attribute ? undefined : links.module?.baseIn(history.state));
    }
    if (this.seen) this.remember();
    else if (this.address) history.replaceState(null, '', location.pathname + location.search);
    this.store.view.show({ notice: problemOf(decoded, attribute, this.seen) });
  }

  // The task in which the page's code starts has worked for long.
  protected override scheduleUpdate(): void | Promise<unknown> {
    return crowded(rank.picture) ? inTurn(() => super.scheduleUpdate(), rank.picture) : super.scheduleUpdate();
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    void this.store.view.words; // words of another language draw everything anew
    if (changed.has('document') && this.started && this.hasUpdated && this.document !== undefined)
      void this.given(this.document).then((decoded) => void this.take(decoded, true));
    if (changed.has('src') && this.started && this.hasUpdated && this.src !== undefined) void this.fetch(this.src);
    if (this.compact) void compact.wanted();
    if (changed.has('height')) this.style.height = /^\d+$/.test(this.height ?? '') ? `${this.height}px` : '';
    this.speech.mark();
    applyTheme(this, this.colours);
    this.store.view.paintIn(this.colours);
  }

  private get colours(): 'light' | 'dark' {
    const own = this.chosenTheme ?? this.theme;
    return own === 'light' || own === 'dark' ? own : this.dark.matches ? 'dark' : 'light';
  }

  override render(): unknown {
    const { store, size } = this;
    if (!this.seen) return nothing;
    const { place } = store.view;
    // A link leads here before anybody turned to the page.
    if (place !== 'look' && !others[place].module)
      void others[place].wanted().then((part) => part && this.redraw());
    const hidden = new Set((this.hide ?? '').split(/[\s,]+/));
    const fixed = new Set((this.lock ?? '').split(/[\s,]+/));
    const theme = this.colours;
    const real = place === 'look' ? encoderNow(store, this, size, messages, lessonNow(this, this.teaching)) : undefined;
    if (this.compact)
      return html`${lostParts()}${messages(store)}<ap-compact .hide=${hidden} .lock=${fixed}
        .home=${this.home}></ap-compact>`;
    if (size !== 'wide') void sheets.wanted();
    const sheet = place === 'look' && size !== 'wide' && !(size === 'narrow' && this.open) && !hidden.has('card')
      && store.selection.lock !== undefined;
    const classes = [size, sheet ? 'peek' : '', hidden.has('controls') ? 'without-left' : '',
      hidden.has('card') || absentModel(store) !== undefined ? 'without-right' : ''].join(' ');
    const skip = hidden.has('header') && hidden.has('controls') ? nothing : skipLinks(this.renderRoot,
      size !== 'narrow' && !hidden.has('inputs'));
    return html`${place === 'look' ? skip : nothing}<div class="page ${classes}"
      @bring=${(e: CustomEvent<Given>) => this.bring(e.detail)}>
      ${hidden.has('header') ? nothing : html`<ap-header role="banner" .size=${size} .place=${place} ?open=${this.open}
        @place=${(e: CustomEvent<Place>) => void this.visit(e.detail)}
        @dialog=${(e: CustomEvent<DialogName>) => void this.dialog(e.detail)}
        @controls=${() => (this.open = !this.open)}
        @theme=${() => (this.chosenTheme = theme === 'dark' ? 'light' : 'dark')}></ap-header>`}
      ${place === 'train' ? html`${size === 'narrow' && this.open ? narrowMenu(store, this.tools()) : nothing}<ap-train
          ?hidden=${size === 'narrow' && this.open} @dialog=${(e: CustomEvent<DialogName>) =>
          void this.dialog(e.detail)}>${lessonNow(this, this.teaching)}</ap-train>`
        : size === 'narrow' && this.open ? narrowControls(
          store, this.tools(), fixed, this.tab, (tab) => (this.tab = tab), lessonNow(this, this.teaching)) : html`
        ${hidden.has('controls') || (size !== 'wide' && size !== 'medium' && !this.open) ? nothing
          : html`<aside class="left" aria-label=${strings.controls} ?inert=${fixed.has('controls')}>
          <ap-callout class="hint" hint="choice"></ap-callout>${real?.facts}<ap-panel></ap-panel></aside>`}
        ${place === 'compare' ? html`<ap-efficient .size=${size}></ap-efficient>`
          : real?.middle ?? this.middle(hidden, fixed, sheet ? html`<ap-sheet><ap-card></ap-card></ap-sheet>` : '')}
        ${size === 'wide' && place === 'look' && !hidden.has('card') && absentModel(store) === undefined
          ? html`<aside class="right" aria-label=${strings.explanation}>${
            real?.card ?? html`<ap-card></ap-card>`}</aside>` : nothing}`}
    </div>${lostParts()}<ap-dialogs .size=${size} @bring=${(e: CustomEvent<Given>) => this.bring(e.detail)}
      @place=${(e: CustomEvent<Place>) => void this.visit(e.detail)}></ap-dialogs>`;
  }

  private middle(hidden: Set<string>, fixed: Set<string>, sheet: unknown): unknown {
    if (absentModel(this.store) !== undefined)
      return absentMiddle(html`${messages(this.store)}${lessonNow(this, this.teaching)}`, () => this.dialog('model'));
    const [narrow, teaching] = [this.size === 'narrow', this.teaching !== undefined];
    const change = html`<button slot="change" class="summary" @click=${() => (this.open = true)}><span>${
      summaryOf(this.store)}</span><span class="quiet">${strings.change}</span></button>`;
    const flow = html`<ap-flow>${narrow && !hidden.has('controls') ? change : nothing}${
      teaching || hidden.has('story') ? nothing : questions(this.store, this.actions)}</ap-flow>`;
    const inputs = hidden.has('inputs') ? nothing : html`<ap-inputs ?inert=${fixed.has('inputs')}></ap-inputs>`;
    const steps = html`<ap-steps ?tabs=${narrow}></ap-steps>`;
    return html`<main class="middle" aria-label=${strings.flow}>
      ${narrow && !hidden.has('steps') ? steps : nothing}
      <div class="scroll">${messages(this.store)}${lessonNow(this, this.teaching)}
        ${teaching || hidden.has('story') ? nothing : html`<ap-story ?narrow=${narrow}></ap-story>`}
        ${narrow ? (hidden.has('inputs') ? nothing : readBelow(this.store, this.actions)) : inputs}<div class="hints">${
          narrow || teaching || hidden.has('inputs') ? nothing
            : html`<ap-callout hint="words" up></ap-callout>`}${
          this.size === 'wide' || hidden.has('card') ? nothing : html`<ap-mind></ap-mind>`}</div>${flow}</div>
      ${hidden.has('steps') ? html`<ap-live></ap-live>` : narrow ? nothing : steps}${sheet}</main>`;
  }

  private tools(): unknown {
    return tools(this.store, this.colours, directionOf(this.speech.code), this.actions);
  }

  /** Goes to another place of the page, once its part is here. */
  async visit(place: Place): Promise<void> {
    if (place === 'look' || (await fetchedFor(place, this.store))) this.store.view.show({ place });
  }

  /** Nothing is on its way to the page, all is seen, and the address says what is shown. */
  get resting(): boolean {
    return !this.kept.writing && !coming() && !this.store.explanations.waiting && !isWaiting()
      && !this.hasAttribute('arriving');
  }

  /** Opens one of the page's dialogs over it. */
  dialog(what: DialogName, given?: unknown): Promise<void> {
    return openDialog(this.renderRoot, what, given);
  }

  // Whoever fixed or hid the inputs does not want others in their place.
  private bring(given?: Given): void {
    if (!/\binputs\b/.test(`${this.hide ?? ''} ${this.lock ?? ''}`))
      void dialogFor(given).then((shown) => this.dialog(...shown));
  }
}
customElements.define('attention-playground', AttentionPlayground);
