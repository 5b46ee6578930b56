// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Mechanism } from '../engine/types.ts';
import { lettersOf } from '../directory/letters.ts';
import { Part, property, reactive } from '../part.ts';
import type { Foreseen } from '../state/try-choice.ts';
import type { Item } from '../state/proposals.ts';
import { strings } from '../strings/en.ts';
import { prose } from '../strings/prose.ts';
import { said } from '../strings/quote.ts';
import { place } from '../styles/place.ts';
import { lines } from '../styles/roles.ts';
import { icons } from '../styles/icons.ts';
import { FEW, grouped } from './groups.ts';
import { Later } from '../lazy-fetch.ts';
import { words } from './knob-words.ts';
import { isSince, sinceChoice } from './year-filter.ts';
import { unfitSaid } from './misfit-reason.ts';
import { coarse } from '../coarse-pointer.ts';

const finder = new Later(() => import('./search.ts'));
// Pixels that an entry needs at least, and from which on its name stands beside what is said of it.
const SLIM = 240;
const ROOMY = 400;

const yearOf = (mechanism: Mechanism | undefined): number | undefined => mechanism?.source?.year;

/** A menu of mechanisms: name, formula, meaning; impossible ones stay, grey, with the reason. */
export class MenuElement extends Part {
  /** What there is to choose from, worked out when the menu is opened. */
  @reactive items!: () => Item[];
  /** Says what choosing an entry would come to; asked of one after the other while the menu is open. */
  @reactive foresee: ((item: Item) => Promise<Foreseen>) | undefined;
  private all: Item[] = [];
  private readonly foreseen = new Map<string, Foreseen>();
  private round = 0;
  @property() current: string | undefined;
  @property() label!: string;
  @property() text!: string;
  @property({ type: Boolean }) compact = false;
  @reactive open = false;
  @reactive filter = '';
  /** Only entries of this year or later; none: all. */
  @reactive since: number | undefined;
  @reactive at = 0;
  private corner = { left: 0, top: 0, width: 440, height: 520 };

  static override styles = css`
    :host { display: block; min-width: 0; }
    :host([compact]) { display: inline-block; }
    .open {
      display: flex; justify-content: space-between; align-items: center; width: 100%;
      min-height: var(--control);
      border: 1px solid transparent; border-radius: var(--radius); padding: 0 var(--space-2);
      padding-inline-start: var(--space-4); text-align: start;
    }
    .open:hover { border-color: var(--line2); }
    :host([chosen]) .open { border-color: var(--line2); background: var(--raised); font-weight: 600; }
    .open span { line-height: var(--leading-note); padding: var(--space-2) 0; overflow-wrap: anywhere; }
    .open svg { color: var(--ink2); flex: none; }
    .over { position: fixed; inset: 0; z-index: 20; }
    .menu {
      position: fixed; z-index: 21; background: var(--raised); border: 1px solid var(--line2);
      border-radius: var(--radius-large);
      box-shadow: 0 8px 30px rgb(0 0 0 / 16%); display: flex; flex-direction: column;
    }
    .menu > input { flex: none; margin: var(--space-6) var(--space-7) var(--space-4); height: var(--control); }
    .menu > .since { display: flex; gap: var(--space-4); align-items: center;
      margin: 0 var(--space-7) var(--space-4); }
    ul { overflow-y: auto; overflow-anchor: none; padding: var(--space-2) 0; flex: 1; min-height: 0; }
    li { min-height: var(--finger); display: grid; grid-template-columns: 128px minmax(0, 1fr);
      gap: var(--space-1) var(--space-6); padding: var(--space-4) var(--space-7); cursor: pointer;
      border-inline-start: 3px solid transparent; }
    li.at { background: var(--hover); }
    li[aria-selected='true'] { border-inline-start-color: var(--ink); }
    li[aria-disabled='true'] { cursor: default; color: var(--ink2); }
    .slim li { grid-template-columns: minmax(0, 1fr); }
    .slim li b { grid-row: auto; }
    .slim li .note { grid-column: auto; }
    li b { font-weight: 600; grid-row: 1 / 3; overflow-wrap: anywhere; }
    li .note { grid-column: 2; }
    li .note .instead { display: block; }
    li.group { display: block; padding: var(--space-5) var(--space-7) var(--space-2); font-size: var(--text-note);
      color: var(--ink2); cursor: default; min-height: 0; border-top: 1px solid var(--line); }
    li.group:first-child { border: 0; }
    .help { padding: var(--space-4) var(--space-7) var(--space-5); border-top: 1px solid var(--line); }
  `;

  override render(): unknown {
    return html`${this.compact
      ? html`<button class="pill dashed" aria-haspopup="listbox" aria-expanded=${this.open}
      aria-label="${strings.add}: ${this.label}" @click=${this.toggle}>${this.text}</button>`
      : html`<button class="open" role="combobox" aria-haspopup="listbox" aria-expanded=${this.open}
      aria-controls="list" aria-label="${this.label}: ${this.text}"
      @click=${this.toggle}><span>${this.text}</span>${icons.down}</button>`}
      ${this.open ? this.list() : nothing}`;
  }

  private get shown(): Item[] {
    const found = this.all.filter(({ mechanism }) => isSince(yearOf(mechanism), this.since));
    return this.filter === '' ? found : finder.use(this)?.ranked(found, this.filter) ?? found;
  }

  private list(): unknown {
    const { left, top, width, height } = this.corner;
    const { shown } = this;
    // What was searched for stands in the order of how well it fits, across the groups.
    const heads = new Map((this.filter.trim() ? [] : grouped(this.all)).filter(({ group }) => group)
      .map(({ group, items }) => [items.find((item) => shown.includes(item)), strings.menuGroups[group] ?? group]));
    return html`<div class="over" @click=${this.leave}></div>
      <div class="menu ${width < ROOMY ? 'slim' : ''}"
        ${place({ left, top, width, 'max-height': height })} @keydown=${this.key}>
        <input role="searchbox" aria-label=${strings.filter(this.all.length, this.label)}
          placeholder=${strings.filter(this.all.length, this.label)}
              aria-controls="list" aria-activedescendant=${shown.length ? `item-${this.at}` : nothing}
              .value=${this.filter}
              @input=${(e: Event) => { this.filter = (e.target as HTMLInputElement).value; this.at = 0; }} />
        ${this.years()}
        <ul role="listbox" id="list" tabindex="-1"
          aria-label=${this.label}>${shown.map((item, k) =>
          html`${heads.has(item) ? html`<li class="group" aria-hidden="true">${heads.get(item)}</li>` : nothing}<li
          role="option" id="item-${k}" class=${k === this.at ? 'at' : ''}
            aria-selected=${item.id === this.current} aria-disabled=${item.refusal !== undefined}
            data-id=${item.id ?? ''} lang=${item.mechanism?.lang ?? nothing}
            @pointermove=${() => (this.at = k)} @click=${() => this.choose(item)}>
            <b>${item.mechanism?.title ?? strings.none}</b>
            ${item.mechanism?.formula ? html`<ap-math block class=${item.refusal ? 'plain' : ''}
              .others=${lettersOf(item.mechanism.parameters)}
              .latex=${lines(item.mechanism.formula)[0] ?? ''}></ap-math>` : html`<span></span>`}
            <span class="note">${item.refusal === undefined ? prose(item.mechanism?.sentence ?? words().leftOut)
              : said(item.refusal)}${this.instead(item)}</span></li>`)}
          ${shown.length === 0 ? html`<li role="option" aria-selected="false"
            aria-disabled="true">${strings.nothingFits}</li>` : nothing}</ul>
        <p class="help note" role="status">${this.store.trial.error ? unfitSaid(this.store)
          : coarse.matches ? strings.menuHelpTap : strings.menuHelp}</p>
      </div>`;
  }

  // A short menu is seen at a glance, whatever its years.
  private years(): unknown {
    if (this.all.length <= FEW) return nothing;
    return sinceChoice(this.all.map(({ mechanism }) => yearOf(mechanism)), this.since, (since) => {
      this.since = since;
      this.at = 0;
    });
  }

  private instead({ id = '' }: Item): unknown {
    const other = this.foreseen.get(id)?.instead;
    return other === undefined ? nothing : html`<b class="instead">${strings.menuInstead(other)}</b>`;
  }

  // One entry after the other, so that nothing else waits long.
  private async lookAhead(): Promise<void> {
    const { foresee, foreseen } = this;
    foreseen.clear();
    this.toggleAttribute('looked', false);
    const round = ++this.round;
    for (const item of [...this.all]) {
      const { id, refusal } = item;
      if (!foresee || id === undefined || refusal !== undefined || id === this.current) continue;
      const found = await foresee(item);
      if (!this.open || round !== this.round) return;
      foreseen.set(id, found);
      if (found.refusal !== undefined || found.instead !== undefined) this.requestUpdate();
    }
    this.toggleAttribute('looked', true);
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    this.toggleAttribute('chosen', !this.compact && this.current !== undefined);
    if (changed.has('open')) this.opened();
    if (['at', 'open', 'filter', 'since'].some((name) => changed.has(name))) this.toChoice();
    else if (this.open) this.stay();
  }

  // Formulas and reasons come after their entries, and make them higher: the present choice, and later the entry under
  // the pointer, stays where it is.
  private readonly grown = new ResizeObserver(() => this.stay());
  private stood = 0;

  private readonly note = (): void => void (this.stood = this.entry?.getBoundingClientRect().top ?? 0);

  private get entry(): Element | null {
    return this.renderRoot.querySelector('li.at');
  }

  private toChoice(): void {
    this.entry?.scrollIntoView({ block: 'nearest' });
    this.note();
  }

  private stay(): void {
    const { entry, stood } = this;
    if (entry) this.renderRoot.querySelector('ul')!.scrollTop += entry.getBoundingClientRect().top - stood;
    this.toChoice();
  }

  private opened(): void {
    this.grown.disconnect();
    if (!this.open) return;
    // A finger that chooses would have a keyboard over what there is to choose from.
    if (!coarse.matches) this.renderRoot.querySelector('input')?.focus();
    void this.lookAhead();
    for (const entry of this.renderRoot.querySelectorAll('li')) this.grown.observe(entry);
    this.renderRoot.querySelector('ul')?.addEventListener('scroll', this.note, { passive: true });
  }

  override willUpdate(): void {
    if (!this.open) return;
    const before = this.all.length;
    this.all = this.inGroups();
    // The rest of the catalogue has come: what is chosen now is somewhere else in the list.
    if (this.all.length !== before && this.filter === '')
      this.at = Math.max(0, this.all.findIndex((item) => item.id === this.current));
  }

  // In the order in which they are shown, so that the arrow keys go down the list.
  private inGroups(): Item[] {
    return grouped(this.items().map((item) => ({ ...item,
      refusal: item.refusal ?? this.foreseen.get(item.id ?? '')?.refusal }))).flatMap(({ items }) => items);
  }

  private toggle(): void {
    this.all = this.inGroups();
    const box = this.getBoundingClientRect();
    const [wide, high] = [innerWidth, innerHeight];
    const column = this.column();
    const width = column?.width ?? Math.min(440, wide - 16);
    const below = high - box.bottom - 12;
    const height = Math.max(220, Math.min(540, Math.max(below, box.top - 12)));
    const top = below >= Math.min(height, 300) ? box.bottom + 6
      : Math.max(8, box.top - 6 - Math.min(height, this.all.length * 66 + 110));
    this.corner = { left: column?.left ?? Math.max(8, Math.min(box.left, wide - width - 8)), top, width,
      height: Math.min(height, high - top - 8) };
    this.filter = '';
    this.since = undefined;
    this.at = Math.max(0, this.all.findIndex((item) => item.id === this.current));
    this.open = !this.open;
  }

  // Beside the picture it stays within the column of the controls, so that what is tried out can be seen.
  private column(): { left: number; width: number } | undefined {
    const { host } = this.getRootNode() as ShadowRoot;
    const box = host?.getBoundingClientRect();
    if (!box || box.width < SLIM || box.width > innerWidth / 2) return undefined;
    return { left: box.left + 4, width: box.width - 8 };
  }

  private shut(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>('button')?.focus();
  }

  private leave(): void {
    this.shut();
    this.dispatchEvent(new CustomEvent('preview'));
  }

  private key(event: KeyboardEvent): void {
    const { shown } = this;
    // The choice of a year has arrow keys of its own.
    const leaves = event.key === 'Escape' || event.key === 'Tab';
    if (event.composedPath()[0] instanceof HTMLSelectElement && !leaves) return;
    const move: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const by = move[event.key];
    if (by !== undefined) {
      this.at = Math.min(shown.length - 1, Math.max(0, this.at + by));
      const item = shown[this.at];
      // One that cannot be chosen is tried out, too: where its map would be, the page says why there is none.
      if (item) this.dispatchEvent(new CustomEvent('preview', { detail: item }));
    }
    else if (event.key === 'Enter') { const item = shown[this.at]; if (item) this.choose(item); }
    else if (event.key === 'Escape' || event.key === 'Tab') this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private choose(item: Item): void {
    if (item.refusal !== undefined) return;
    this.shut();
    this.dispatchEvent(new CustomEvent('choose', { detail: item.id }));
  }
}
customElements.define('ap-menu', MenuElement);
