// SPDX-License-Identifier: Apache-2.0
import { type ReadonlySignal, untracked } from '@preact/signals-core';
import { css, html, nothing } from 'lit';
import type { Knob, Mechanism, Slot } from '../engine/types.ts';
import { lettersOf } from '../directory/letters.ts';
import { Later } from '../lazy-fetch.ts';
import { type OnDemandElement, onDemand } from '../on-demand.ts';
import { Part, reactive } from '../part.ts';
import { type Choice, emptied, slotsOf, typeOf } from '../state/catalogue.ts';
import type { Place } from '../state/fitting-choice.ts';
import { get, join } from '../engine/pointer.ts';
import { added, type Edit, type Item, itemsOf, placeOf, putInto, switched } from '../state/proposals.ts';
import { isCut } from '../state/span-knobs.ts';
import { leadersOf, takeOut } from '../state/layers.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { prose } from '../strings/prose.ts';
import { objection, said } from '../strings/quote.ts';
import { lines } from '../styles/roles.ts';
import '../styles/math.ts';
import { type Chosen, chosenIn, shownFirst } from './module-choices.ts';
import './data.ts';
import { idleIn } from './idle.ts';
import { notes } from './noting.ts';
import './knob.ts';
import { answered } from './notice-answers.ts';
import './menu.ts';

// Where a model stands is not said: only of one module it is asked for.
const standing = new Later(() => import('./taxonomy.ts'));
const FEATURES = 'Features';
// The catalogue's groups of slots that come first, in this order.
const GROUPS: readonly string[] = [FEATURES, 'General', 'Queries', 'Masks and positions'];
// Groups in which an empty place is the usual thing.
const SELDOM = new Set([FEATURES, 'General']);
// The rows of further modules are made when they come near.
const AT_ONCE = 4;
// How long a control stays outlined that somebody was sent to (milliseconds).
const POINTED = 2000;

/** The controls, made from the catalogue's data: groups, slots, knobs, reasons. */
export class PanelElement extends Part {
  /** The row whose formula is shown; none before somebody has chosen one. */
  @reactive open: string | undefined;
  /** Modules whose empty rows are shown too. */
  @reactive more: ReadonlySet<string> | undefined;
  static override styles = css`
    :host { display: block; }
    section { padding: var(--space-6) var(--space-8); border-bottom: 1px solid var(--line); }
    section:last-child { border: 0; }
    h2 { color: var(--ink2); margin-bottom: var(--space-3); }
    .row { display: grid; grid-template-columns: 92px minmax(0, 1fr); column-gap: var(--space-4); align-items: start;
    padding: var(--space-1) 0; }
    [data-part='together'] label { display: flex; align-items: center; gap: var(--space-3);
      min-height: var(--press); }
    .label { color: var(--ink2); padding-top: calc((var(--control) - var(--leading)) / 2);
      text-align: start; overflow-wrap: anywhere; hyphens: auto; min-width: 0;
      /* A last letter may reach into the gap before it goes to a line of its own. */
      margin-inline-end: calc(-1 * var(--space-3)); }
    button.label { display: flex; align-items: flex-start; align-self: start; min-height: var(--finger); }
    button.label span, button.title span { border-bottom: 1px dotted var(--ink3); }
    button.label:hover span, button.title:hover span { border-bottom-style: solid; }
    button.title { min-height: var(--finger); font-weight: 600; padding: var(--space-1) 0; text-align: start; }
    .about { grid-column: 2; padding-block: var(--space-2) var(--space-3);
      padding-inline-start: calc(var(--space-4) + 1px); display: grid; gap: var(--space-1); min-width: 0; }
    .chips { display: flex; flex-wrap: wrap; gap: var(--space-3); padding: var(--space-1) 0; }
    .chip { padding-inline-end: var(--space-2); }
    .chip button { width: var(--press); height: calc(var(--press) - 2px);
      min-height: var(--finger); text-align: center;
      color: var(--ink2); }
    .notice { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-6);
      margin: var(--space-2) 0; padding: var(--space-3) var(--space-4); border: 1px solid var(--line2);
      border-inline-start: 3px solid var(--ink); border-radius: var(--radius); background: var(--raised); }
    .notice span { overflow-wrap: anywhere; }
    .error { grid-column: 2; padding-inline-start: calc(var(--space-4) + 1px); }
    .nested { padding-inline-start: var(--space-5); border-inline-start: 2px solid var(--line);
      margin: var(--space-2) 0 var(--space-4); }
    [data-pointed] { outline: 2px solid var(--ink); outline-offset: 3px; border-radius: var(--radius); }
    .nested h3 { margin-block: var(--space-4) var(--space-2); }
    .nested h3:first-child { margin-block-start: 0; }
    .more { padding: var(--space-3) 0; text-align: start; color: var(--ink2); }
  `;

  private shown: { path: string } | undefined;
  private found: ReadonlySignal<Chosen> | undefined;
  private idle: ReadonlySignal<string> | undefined;

  private get chosen(): Chosen {
    return (this.found ??= chosenIn(this.store)).value;
  }

  override render(): unknown {
    void this.store.view.control;
    const { model, members, choices } = this.chosen;
    if (model) return this.model(this.chosen);
    const module = members[0] && this.store.book.member(members[0].value);
    void standing.wanted();
    const slots = module?.slots ?? [];
    const groups = [...new Set<string>([...GROUPS, ...slots.map(({ group }) => group)])];
    return groups.map((group, k) => {
      const here = slots.filter((slot) => slot.group === group);
      if (here.length === 0 && k > 0) return nothing;
      return html`<section aria-label=${strings.groupNames[group] ?? group}><h2>${
        strings.groupNames[group] ?? group}</h2>
        ${k === 0 ? this.module(module) : nothing}
        ${this.rows(here, '/mechanism', choices, group,
          slots.filter((slot) => groups.indexOf(slot.group) < k))}</section>`;
    }).concat(html`<section aria-label=${strings.data}><h2>${strings.data}</h2><ap-data></ap-data></section>`,
      html`<section aria-label=${strings.standing}><h2>${strings.standing}</h2><ap-taxonomy></ap-taxonomy></section>`);
  }

  // Somebody was sent here: the control comes into view, and can be used at once.
  override updated(): void {
    const { control } = this.store.view;
    if (!control || control === this.shown) return;
    this.shown = control;
    const at = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    let path = this.shownAt(control.path);
    const late = [...this.renderRoot.querySelectorAll<OnDemandElement>('ap-on-demand')]
      .find(({ of, made }) => !made && path.startsWith(`${of}/`));
    if (late) {
      this.shown = undefined;
      return void late.make().then(() => this.requestUpdate());
    }
    // One of a list (a mask among masks) is set where the list is.
    while (path !== '' && !at(`[data-path="${CSS.escape(path)}"]`) && !at(`[data-path^="${CSS.escape(path)}/"]`))
      path = path.slice(0, path.lastIndexOf('/'));
    const found = at(`[data-path="${CSS.escape(path)}"]`) ?? at(`[data-path^="${CSS.escape(path)}/"]`);
    found?.scrollIntoView({ block: 'center' });
    found?.setAttribute('data-pointed', '');
    setTimeout(() => found?.removeAttribute('data-pointed'), POINTED);
  }

  // Of layers that are changed together only the first is listed.
  private shownAt(path: string): string {
    return this.store.targets(path)[0]!;
  }

  // A section for each module of a model, in their order.
  private model({ members, choices }: Chosen): unknown {
    // Where somebody attends comes first, and what surrounds it after.
    const attends = ({ path }: { path: string }) =>
      choices.some((choice) => choice.slot.kind === 'alignment' && choice.path.startsWith(`${path}/`));
    const first = <One extends { path: string }>(all: readonly One[]) =>
      [...all.filter(attends), ...all.filter((one) => !attends(one))];
    const { together } = this.store.view;
    const layers = notes.use(this);
    const listed = first(together ? leadersOf(members) : members);
    return [layers?.layersChoice(this.store, members), ...listed.map(({ name, path, value }, k) => {
      const module = this.store.book.member(value);
      const title = layers?.layersCalled(this.store, path) ?? moduleCalled(name);
      const slots = first((module?.slots ?? []).map((slot) => ({ slot, path: path + join(slot.name) })));
      const rows = () => html`${slots.map(({ slot }) => this.slotRow(slot, path, choices))}${this.knobs(module, path)}`;
      const titles = () => html`${[...slots.map(({ slot }) => slot), ...(module?.knobs ?? [])].map((one) =>
        html`<div class="row"><span class="label" lang=${one.lang ?? nothing}>${one.title}</span></div>`)}`;
      return html`<section aria-label=${title}
        data-path=${path}><h2>${title}</h2>${layers?.layersSaid(this.store, path, 'note')}${
        this.label('title', module?.title ?? typeOf(value) ?? '', path, module)}
        ${this.about(module, path)}${this.problem(path, title)}
        ${k < AT_ONCE ? rows() : onDemand(path, rows, titles)}</section>`;
    }), html`<section aria-label=${strings.data}><h2>${strings.data}</h2><ap-data></ap-data></section>`];
  }

  private module(module: Mechanism | undefined): unknown {
    const { book } = this.store;
    const items = () => book.modules().map((mechanism) => ({ id: mechanism.id, mechanism, refusal: undefined }));
    return html`<div class="row">${this.label('label', strings.mechanism, '/mechanism/type', module)}
        <ap-menu .items=${items} .current=${module?.id} .label=${strings.mechanism} .text=${module?.title ?? ''}
          .foresee=${({ id }: Item) => this.store.foresee(id, switched(book, id!))}
          data-path="/mechanism/type" @choose=${(e: CustomEvent<string>) => this.switchTo(e.detail)}></ap-menu>
        ${answered(this.store, '/mechanism/type')}${this.about(module, '/mechanism/type')}
        ${this.problem('/mechanism/type', strings.mechanism)}</div>
      ${this.knobs(module, '/mechanism')}`;
  }

  // What the new module also offers is kept; the rest would be refused as unknown.
  private switchTo(id: string): void {
    this.open = '/mechanism/type';
    const { book } = this.store;
    this.store.pick(id, book.named(id)?.title ?? id, switched(book, id), '/mechanism/type');
  }

  private slotRow(slot: Slot, owner: string, choices: readonly Choice[], above: readonly Slot[] = []): unknown {
    const path = owner + join(slot.name);
    const own = choices.filter((choice) =>
      choice.path === path || (choice.slot.name === slot.name && choice.path.replace(/\/\d+$/, '') === path));
    if (slot.list) return this.list(slot, owner, path, own);
    const choice = own[0];
    if (slot.only) return this.nested(choice?.mechanism, slot, path, choices, slot.title);
    const { book } = this.store;
    const items = () => itemsOf(book, this.store.documents.document, slot, owner);
    const put = (id: string | undefined) => this.everywhere(path, (at) => putInto(book, slot, at, id));
    const place: Place = { ...placeOf(book, slot, path), put: (draft, id, more) =>
      this.everywhere(path, (at) => (other) => placeOf(book, slot, at).put(other, id, more))(draft) };
    const unknown = typeOf(choice?.value ?? undefined);
    return html`<div class="row">${this.label('label', slot.title, path, choice?.mechanism, slot.lang)}
        <ap-menu .items=${items} .current=${choice?.mechanism?.id} .label=${slot.title}
          .text=${choice?.mechanism?.title ?? unknown ?? strings.none} data-path=${path}
          @choose=${(e: CustomEvent<string | null>) => {
            this.open = path;
            this.choose(slot, e.detail ?? undefined, put(e.detail ?? undefined), path, place);
          }}
          .foresee=${({ id }: Item) => this.store.foresee(id, put(id), place)}
          @preview=${(e: CustomEvent<Item | null>) =>
            this.store.trial.show(e.detail ?? undefined, e.detail ? put(e.detail.id) : undefined)}></ap-menu>
        ${answered(this.store, path)}
        ${notes.use(this)?.layersSaid(this.store, path, 'about note')}
        ${choice?.mechanism ? this.about(choice.mechanism, path) : this.why(slot, owner, choices, above)}${
          this.problem(path, slot.title)}</div>
      ${this.knobs(choice?.mechanism, path)}
      ${this.nested(choice?.mechanism, slot, path, choices)}`;
  }

  // One row at a time shows its formula.
  private isOpen(path: string): boolean {
    return path === (this.open ?? shownFirst(this.chosen.choices)?.path ?? '/mechanism/type');
  }

  // A name that opens what there is to say of what was chosen under it.
  private label(kind: 'label' | 'title', title: string, path: string, mechanism: Mechanism | undefined,
    lang: string | undefined = mechanism?.lang): unknown {
    if (!mechanism?.sentence) return html`<span class=${kind} lang=${lang ?? nothing}>${title}</span>`;
    const open = this.isOpen(path);
    return html`<button class=${kind} aria-expanded=${open} aria-label=${strings.whatIs(title)}
      title=${strings.whatIs(title)} lang=${lang ?? nothing}
      @click=${() => (this.open = open ? '' : path)}><span>${title}</span></button>`;
  }

  // The edit of one place, made in all layers if they are changed together.
  private everywhere(path: string, edit: (at: string) => Edit): Edit {
    const paths = this.store.targets(path);
    return (draft) => paths.forEach((at) => edit(at)(draft));
  }

  private choose(slot: Slot, id: string | undefined, edit: Edit, path: string, place?: Place): void {
    this.store.pick(id, this.store.book.find(slot.kind, id)?.title ?? strings.none, edit, path, place);
  }

  private nested(mechanism: Mechanism | undefined, place: Slot, path: string, choices: readonly Choice[],
    title = ''): unknown {
    if (!mechanism?.slots.length) return nothing;
    const slots = slotsOf(mechanism, place);
    const groups = GROUPS.filter((group) => group !== FEATURES && slots.some((slot) => slot.group === group));
    const groupOf = (slot: Slot) => groups.find((group) => group === slot.group) ?? groups[0];
    return html`<div class="nested">${title ? html`<h3>${title}</h3>` : nothing}${groups.length < 2
      ? this.rows(slots, path, choices)
      : groups.map((group, k) => html`${k === 0 ? nothing : html`<h3>${strings.groupNames[group] ?? group}</h3>`}${
        this.rows(slots.filter((slot) => groupOf(slot) === group), path, choices, group,
          slots.filter((slot) => groups.indexOf(groupOf(slot)!) < k))}`)}</div>`;
  }

  // The rows of a module or a group of it. What is empty and asked for by few stands behind one button.
  private rows(slots: Slot[], owner: string, choices: readonly Choice[], group = '',
    before: readonly Slot[] = []): unknown {
    const key = `${owner} ${group}`;
    const control = this.store.view.control?.path;
    const sent = control === undefined ? undefined : this.shownAt(control);
    const seldom = slots.filter((slot) => {
      const path = owner + join(slot.name);
      const isAnswered = this.store.view.notice.some(({ at }) => at === path);
      const isChosen = choices.some((choice) => (choice.mechanism !== undefined || choice.value !== null)
        && `${choice.path}/`.startsWith(`${path}/`));
      return slot.optional && SELDOM.has(slot.group) && !isChosen && !isAnswered
        && this.store.errorAt(path) === undefined
        && this.reason(slot, owner, choices) === undefined;
    });
    const isSent = sent !== undefined && seldom.some((slot) => `${sent}/`.startsWith(`${owner}${join(slot.name)}/`));
    const isOpen = this.more?.has(key) || isSent || seldom.length < 2;
    const shown = isOpen ? slots : slots.filter((slot) => !seldom.includes(slot));
    return html`${shown.map((slot, k) => this.slotRow(slot, owner, choices,
      [...before, ...shown.slice(0, k)]))}${isOpen ? nothing
      : html`<button class="link more" data-more=${owner} aria-expanded="false"
        title=${seldom.map((slot) => slot.title).join(strings.comma)} @click=${() => {
          this.more = new Set([...(this.more ?? []), key]);
        }}>${strings.moreChoices(seldom.length)}</button>`}`;
  }

  private list(slot: Slot, owner: string, path: string, own: readonly Choice[]): unknown {
    const chosen = new Set(own.map((choice) => choice.mechanism?.id));
    const { book } = this.store;
    const items = () => itemsOf(book, this.store.documents.document, slot, owner)
      .filter((item) => !chosen.has(item.id));
    const adding = (id: string) => this.everywhere(path, (at) => added(book, slot.kind, at, id));
    const add = (id: string) => this.choose(slot, id, adding(id), path);
    const drop = (at: string) =>
      this.store.documents.change(this.everywhere(at, (one) => (draft) => takeOut(draft, one)));
    return html`<div class="row"><span class="label" lang=${slot.lang ?? nothing}>${slot.title}</span>
        <div class="chips" data-path=${path}>${own.map((choice) => {
          const name = choice.mechanism?.title ?? typeOf(choice.value) ?? '';
          return html`<span class="pill chip">${name}<button aria-label=${strings.remove(name)}
            @click=${() => drop(choice.path)}>×</button></span>`;
        })}
        <ap-menu compact .items=${items} .label=${slot.title} .text=${strings.add}
          .foresee=${({ id }: Item) => this.store.foresee(id, adding(id!))}
          @choose=${(e: CustomEvent<string>) => add(e.detail)}></ap-menu></div>
        ${answered(this.store, path)}${notes.use(this)?.layersSaid(this.store, path, 'about note')}${
          this.problem(path, slot.title)}
        ${own.map((choice) => this.problem(choice.path === path ? '' : choice.path,
          choice.mechanism?.title ?? slot.title))}</div>
      ${own.map((choice) => this.knobs(choice.mechanism, choice.path))}`;
  }

  // Why a slot is empty that usually has something in it.
  private reason(slot: Slot, owner: string, choices: readonly Choice[]): string | undefined {
    const beside = choices.filter((c) => c.path.slice(0, c.path.lastIndexOf('/')) === owner);
    return emptied(beside.map((c) => c.mechanism), slot);
  }

  // One reason for several rows is read at the first; who hears the page hears it at each.
  private why(slot: Slot, owner: string, choices: readonly Choice[], above: readonly Slot[]): unknown {
    const reason = this.reason(slot, owner, choices);
    if (reason === undefined) return nothing;
    const again = above.some((other) => this.reason(other, owner, choices) === reason);
    return html`<p class=${again ? 'unseen' : 'about note'}>${said(reason)}</p>`;
  }

  private about(mechanism: Mechanism | undefined, path: string): unknown {
    if (!mechanism?.sentence || !this.isOpen(path)) return nothing;
    const told = (text: string) => prose(text, (id) => this.store.book.find(undefined, id)?.title);
    return html`<div class="about" lang=${mechanism.lang ?? nothing}>
      ${lines(mechanism.formula).map((latex) => html`<ap-math block
        .others=${lettersOf(mechanism.parameters)} .latex=${latex}></ap-math>`)}
      <span class="note">${told(mechanism.sentence)}</span>
      ${mechanism.note ? html`<span class="note" lang=${mechanism.noteLang ?? nothing}>${told(mechanism.note)}</span>`
        : nothing}
      ${mechanism.learns ? html`<span class="note" lang=${mechanism.learnsLang ?? nothing}>${told(mechanism.learns)
        }</span>` : nothing}</div>`;
  }

  private problem(path: string, field: string): unknown {
    const message = path === '' ? undefined : this.store.errorAt(path);
    return message === undefined ? nothing
      : html`<p class="error" role="alert">${objection(field, message)} ${strings.stillShown}</p>`;
  }

  // What no cell of the module reads is not offered; what stands in the document can be taken back. Numbers of the
  // document do not wake the panel.
  private isRead(knob: Knob, owner: string): boolean {
    const given = () => get(this.store.documents.document, owner + join(knob.name));
    if (!knob.memory || untracked(given) !== undefined) return true;
    return this.chosen.choices.some((one) => one.mechanism?.memory && one.path === owner + join(one.slot.name));
  }

  private knobs(mechanism: Mechanism | undefined, path: string): unknown {
    const idle = new Set((this.idle ??= idleIn(this.store, () => this.chosen)).value.split('\n'));
    // A list of words is no number to be moved, and spans are set beside the words that they cut.
    return (mechanism?.knobs ?? []).filter((knob) => knob.type !== 'words' && !isCut(knob) && this.isRead(knob, path)
      && !idle.has(path + join(knob.name)))
      .map((knob) => html`<ap-knob .knob=${knob} .of=${mechanism} .path=${path + join(knob.name)}
      data-path=${path + join(knob.name)}></ap-knob>`);
  }
}
customElements.define('ap-panel', PanelElement);
