// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import groups from 'virtual:presets';
import { css, html, nothing } from 'lit';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { phrase, said } from '../strings/quote.ts';
import { base, fields } from '../styles/tokens.ts';
import { differences, madeOf, type Preset, type PresetGroup, titleOf, withWordsOf } from './presets.ts';
import './thumb.ts';

const words = strings.gallery;
const all = (groups as PresetGroup[]).flatMap(({ group, presets }) => presets.map((preset) => ({ ...preset, group })));

/** Published systems and highlights of the catalogue, each with a picture of what it computes. */
export class GalleryElement extends Part {
  static override properties = { ...Part.properties, filter: { state: true }, group: { state: true }, at: { state: true }, keep: { state: true } };
  declare filter: string;
  declare group: string | undefined;
  declare at: number;
  declare keep: boolean | undefined;

  constructor() {
    super();
    this.filter = '';
    this.at = 0;
  }

  static override styles = [
    base,
    fields,
    css`
      :host { display: flex; flex-direction: column; height: 100%; }
      .top { position: sticky; top: 0; z-index: 1; background: var(--raised); display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: center; padding: 4px 20px 12px; }
      .top input { flex: 1 1 220px; height: 32px; }
      .seg { display: flex; flex-wrap: wrap; gap: 4px; }
      .seg button { padding: 0 9px; height: 28px; border: 1px solid var(--line2); border-radius: 4px; }
      .seg button[aria-pressed='true'] { background: var(--ink); border-color: var(--ink); color: var(--background); }
      ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(232px, 1fr)); gap: 6px; padding: 0 14px 12px; }
      .preset { display: grid; grid-template-columns: 72px minmax(0, 1fr); gap: 12px; align-items: center; width: 100%; padding: 7px; border: 2px solid transparent; border-radius: 6px; }
      .preset:hover, .preset:focus-visible { background: var(--hover); }
      .preset[aria-current] { border-color: var(--ink); }
      .preset b { display: block; font-weight: 600; font-size: 14px; }
      .preset .note { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
      .none { padding: 8px 20px 24px; }
      .foot { position: sticky; bottom: 0; margin-top: auto; background: var(--raised); display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: space-between; align-items: center; padding: 10px 20px; border-top: 1px solid var(--line); }
      label { display: inline-flex; gap: 6px; align-items: center; min-height: 24px; }
      @media (pointer: coarse) { .seg button, .top input, label, .link { min-height: 44px; } .seg { flex-wrap: nowrap; overflow-x: auto; } .seg button { white-space: nowrap; } }
    `,
  ];

  private get shown(): typeof all {
    const wanted = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const { book } = this.store;
    return all.filter(({ document, group }) => {
      if (this.group !== undefined && group !== this.group) return false;
      if (wanted.length === 0) return true;
      const used = [book.module(document), ...book.choices(document).map((choice) => choice.mechanism)];
      const about = used.flatMap((m) => [m?.title, m?.id, ...(m?.aliases ?? []), m?.source?.authors, m?.source?.year]);
      const text = [titleOf(document), phrase(titleOf(document) ?? ''), words.groups[group], ...about].join(' ').toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
  }

  private get current(): Preset | undefined {
    const title = titleOf(this.store.documents.document);
    return title === undefined ? undefined : all.find(({ document }) => titleOf(document) === title);
  }

  // Whoever has put in words of their own will want to keep them.
  private get keeps(): boolean {
    if (this.keep !== undefined) return this.keep;
    const [mine, given] = [this.store.documents.document, this.current?.document ?? this.store.documents.base];
    return JSON.stringify(mine.inputs) !== JSON.stringify(given.inputs) || mine['seed'] !== given['seed'];
  }

  override render(): unknown {
    const { shown, current } = this;
    return html`<div class="top">
        <input type="text" role="searchbox" aria-label=${words.find} placeholder=${words.find} .value=${this.filter}
          @input=${(e: Event) => { this.filter = (e.target as HTMLInputElement).value; this.at = 0; }} @keydown=${this.down} />
        <div class="seg" role="group" aria-label=${words.open}>
          <button aria-pressed=${this.group === undefined} @click=${() => (this.group = undefined)}>${words.all(all.length)}</button>
          ${groups.filter(({ presets }) => presets.length).map(({ group }) => html`<button aria-pressed=${this.group === group} @click=${() => { this.group = group; this.at = 0; }}>${words.groups[group] ?? group}</button>`)}</div>
        <span class="unseen" role="status">${words.found(shown.length)}</span></div>
      ${shown.length ? html`<ul @keydown=${this.key}>${shown.map((preset, k) => this.item(preset, k, preset.document === current?.document))}</ul>`
        : html`<p class="none quiet">${words.none}</p>`}
      <div class="foot"><label><input type="checkbox" .checked=${this.keeps} @change=${(e: Event) => (this.keep = (e.target as HTMLInputElement).checked)} />${words.keep}</label>
        <span class="note">${words.undo}</span>
        <button class="link note" @click=${() => this.tell('go', 'bring')}>${words.bring}</button></div>`;
  }

  private item(preset: Preset, k: number, current: boolean): unknown {
    const { store } = this;
    const edits = current ? differences(preset.document, store.documents.document) : 0;
    return html`<li><button class="preset" tabindex=${k === this.at ? 0 : -1} aria-current=${current ? 'true' : nothing}
        @focus=${() => (this.at = k)} @click=${() => this.take(preset)}>
      <ap-thumb .picture=${preset.thumbnail}></ap-thumb>
      <span><b>${said(titleOf(preset.document) ?? '')}</b><span class="note">${madeOf(store.book, preset.document)}</span>
        ${current ? html`<span class="note">${words.current}${edits ? `${strings.comma}${words.edits(edits)}` : ''}</span>` : nothing}</span></button></li>`;
  }

  override firstUpdated(): void {
    // On a phone the keyboard would cover what there is to choose from.
    if (!matchMedia('(pointer: coarse)').matches) this.renderRoot.querySelector('input')?.focus();
  }

  private take(preset: Preset): void {
    const { store } = this;
    store.documents.replace(this.keeps ? withWordsOf(preset.document, store.documents.document) : preset.document);
    this.tell('shut');
  }

  private tell(name: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private down(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    this.focusAt(0);
  }

  // One tab stop; the arrows go to the neighbours in the grid.
  private key(event: KeyboardEvent): void {
    const list = event.currentTarget as HTMLElement;
    const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length;
    const step: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -this.at, End: this.shown.length - 1 - this.at };
    const by = step[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.focusAt(Math.min(this.shown.length - 1, Math.max(0, this.at + by)));
  }

  private focusAt(k: number): void {
    this.at = k;
    this.renderRoot.querySelectorAll<HTMLElement>('.preset')[k]?.focus();
  }
}
customElements.define('ap-gallery', GalleryElement);
