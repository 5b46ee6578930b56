// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { Clipboard } from '../clipboard.ts';
import { HEAD } from '../directory/places.ts';
import { carry, linkTo } from '../lecture/carried.ts';
import { moments } from '../lecture/memory.ts';
import { words as lectureWords } from '../lecture/words.ts';
import { Part, reactive } from '../part.ts';
import { savedText } from '../share/saved.ts';
import { linkOf } from '../state/hash.ts';
import { type Carried, carriedBy, MOST_CARRIED } from '../state/local-weights.ts';
import { strings } from '../strings/en.ts';
import { digits, whole } from '../strings/numerals.ts';
import { prose } from '../strings/prose.ts';
import { icons } from '../styles/icons.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { type Choices, frameAddress, loadsScripts, readsFile, snippet, type Way, WAYS } from './snippets.ts';
import { listening } from '../listening.ts';

// What a frame gets before its content was measured.
const COMPACT_HEIGHT = 640;
// Heights that a frame may have, in pixels.
const [LEAST, MOST, STEP] = [200, 2000, 20];
// How wide the column is that the figure stands in, unless the reader says: that of most articles.
const COLUMN = 640;
const [NARROWEST, WIDEST] = [280, 1600];
/** Longer code with weights in it names a file instead, where it can. */
export const MOST_IN_CODE = 32_000;
// Milliseconds without another height, and those after which the usual height is offered where none comes.
const [STAYS, LATEST] = [1500, 10_000];
const FULL_HEIGHT = 760;
const PARTS = { compact: ['inputs', 'steps', 'card', 'controls'],
  full: ['header', 'controls', 'inputs', 'card', 'steps'] } as const;

/** How to put what is on the page on another one: what to show, for which kind of page, the code. */
export class EmbedElement extends Part {
  @reactive way: Way = 'frame';
  @reactive full = false;
  @reactive hidden_: Set<string> = new Set();
  @reactive fixed = false;
  @reactive colours: '' | 'light' | 'dark' = '';
  @reactive height: number = COMPACT_HEIGHT;
  /** The width in which the content is measured: its height depends on it. */
  @reactive column: number = COLUMN;
  private readonly clipboard = new Clipboard(this);
  /** The preview is open. */
  @reactive shown = false;
  /** The height that the content needs in the column, once it was drawn there. */
  @reactive fits: number | undefined;
  /** The link of the lecture that readers step through, if the code carries it; or how long its weights would be. */
  @reactive lecture: ReturnType<typeof linkTo> | undefined;
  /** No other height was told for a while, or none came at all. */
  @reactive settled = false;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  // The reader types or typed a height, which stays.
  private typed = false;

  static override styles = css`
    :host { display: block; padding: var(--space-2) var(--space-10) var(--space-10); position: relative; }
    fieldset { border: 0; margin: 0; padding: var(--space-3) 0; display: flex; flex-wrap: wrap;
      gap: var(--space-1) var(--space-8); align-items: center; }
    legend { float: inline-start; width: 92px; padding: 0; color: var(--ink2); }
    label { display: inline-flex; align-items: center; gap: var(--space-3); min-height: var(--press); }
    input { accent-color: var(--ink); }
    .num { width: 76px; }
    @media (max-width: 480px) { legend { float: none; width: 100%; padding-bottom: var(--space-1); } }
    .ways { display: flex; flex-wrap: wrap; gap: var(--space-2); margin: var(--space-5) 0 var(--space-4); }
    .ways button { min-height: var(--control); padding: 0 var(--space-5); border: 1px solid var(--line2);
      border-radius: var(--radius); }
    .ways button[aria-pressed='true'] { background: var(--ink); color: var(--background); border-color: var(--ink); }
    textarea { width: 100%; font: var(--text-note)/var(--leading) ui-monospace, monospace; resize: vertical;
      direction: ltr; text-align: left; }
    [data-save] { margin: var(--space-3) 0; }
    /* The line around it takes nothing of its height. */
    iframe { display: block; border: 0; outline: 1px solid var(--line2); border-radius: var(--radius); }
    .preview { margin-top: var(--space-4); padding: 1px; overflow-x: auto; }
    /* A hidden preview is drawn, too, because its height is needed; only a frame in view draws itself. */
    .measures { position: absolute; inset-block-start: 0; opacity: 0; pointer-events: none; z-index: -1;
      margin: 0; width: calc(100% - 2 * var(--space-10)); overflow: hidden; }
    .row { display: flex; flex-wrap: wrap; justify-content: space-between; gap: var(--space-4) var(--space-8);
      align-items: center; margin-top: var(--space-4); }
    .copy { border: 1px solid var(--ink); min-width: 96px; justify-content: center; }
    .row a { color: inherit; text-underline-offset: 3px; min-height: var(--press); display: inline-flex;
      align-items: center; }
  `;

  constructor() {
    super();
    listening(this, globalThis, 'message', this.told);
  }

  // The frame tells its height whenever that changes.
  private readonly told = ({ source, data }: MessageEvent): void => {
    const frame = this.renderRoot.querySelector('iframe');
    if (!frame || source !== frame.contentWindow || this.full) return;
    const { type, height } = data as { type?: unknown; height?: unknown };
    if (type !== 'attention-playground' || typeof height !== 'number' || height < LEAST) return;
    this.fits = Math.min(MOST, Math.ceil(height / STEP) * STEP);
    if (!this.typed) this.height = this.fits;
    this.measureAgain();
  };

  // A content that is not drawn yet is lower: its height counts once it stays for a while.
  private measureAgain(wait = STAYS): void {
    clearTimeout(this.waiting);
    this.settled = false;
    this.waiting = setTimeout(() => (this.settled = true), wait);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.measureAgain(LATEST);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
  }

  private get choices(): Choices {
    const site = new URL('./', location.href.split(/[?#]/)[0]).href;
    const lang = document.documentElement.lang;
    const carried = this.lecture && 'link' in this.lecture ? this.lecture.link : undefined;
    const link = carried ?? linkOf(this.store);
    return {
      site, link, ...(carried === undefined && this.besides(link) ? { src: this.file } : {}),
      full: this.full, fixed: this.fixed, theme: this.colours, height: this.height,
      hide: PARTS[this.full ? 'full' : 'compact'].filter((part) => this.hidden_.has(part)),
      lang: lang === 'en' ? '' : lang, title: strings.title,
      fallback: strings.embed.fallback,
    };
  }

  private get file(): string {
    return savedName(this, 'json');
  }

  private get carried(): Carried {
    return carriedBy(this.store.documents.document, this.store.comparison.held);
  }

  // What reads the code has no weights of this model: there is no height to measure.
  private get lacking(): boolean {
    return this.carried.tooMany.some(({ large }) => large);
  }

  // Whether weights of the reader's own lie in a file beside the page.
  private besides(link: string): boolean {
    const { packed, tooMany } = this.carried;
    return tooMany.length > 0 || (packed.length > 0 && link.length > MOST_IN_CODE);
  }

  // Whoever kept several moments for a lecture can let readers step between them.
  private steps(): unknown {
    const kept = moments();
    if (kept.length < 2) return nothing;
    const { lecture } = this;
    const say = lectureWords();
    return html`<fieldset data-part="lecture"><legend>${say.title}</legend><label><input type="checkbox"
      .checked=${lecture !== undefined}
      @change=${(e: Event) => void this.carries((e.target as HTMLInputElement).checked)} />${
        say.stepping(kept.length)}</label></fieldset>
      ${lecture && 'letters' in lecture ? html`<p class="error" role="alert">${
        say.noLink(whole(lecture.letters), whole(MOST_CARRIED))}</p>` : nothing}`;
  }

  private async carries(on: boolean): Promise<void> {
    const head = this.store.selection.chosen[HEAD] ?? 0;
    this.lecture = on ? linkTo(await carry({ at: 0, moments: [...moments()], ...(head > 0 ? { head } : {}) }))
      : undefined;
  }

  // Where the weights of the reader's own are.
  private weights({ src, link }: Choices, code: string): unknown {
    const words = strings.embed;
    const { packed, tooMany } = this.carried;
    if (this.lecture && 'link' in this.lecture) return html`<p class="note">${
      lectureWords().linkSize(whole(link.length))} ${this.lecture.rounding > 0
      ? lectureWords().rounded(digits(this.lecture.rounding, 2)) : nothing}</p>`;
    const count = [...packed, ...tooMany].reduce((sum, one) => sum + one.count, 0);
    if (count === 0) return nothing;
    if (this.lacking) return html`<p class="note" data-part="large">${
      prose(words.large(count))}</p>`;
    if (src !== undefined && readsFile(this.way)) {
      return html`<p class="note" data-part="beside">${words.beside(src, count)}</p>
        <button class="button" data-save="beside" @click=${() => void this.keep()}>${words.saveBeside(src)}</button>`;
    }
    return html`<p class="note" data-part="inside">${tooMany.length > 0 ? words.notInside(count)
      : words.inside(count, code.length)} ${src === undefined || tooMany.length > 0 ? nothing
      : words.insideLong(link.length)}</p>`;
  }

  private async keep(): Promise<void> {
    save(new Blob([await savedText(this.store, true)], { type: 'application/json' }), this.file);
  }

  override render(): unknown {
    const words = strings.embed;
    const { choices } = this;
    const code = snippet(this.way, choices);
    const radio = (group: string, on: boolean, text: string, set: () => void) =>
      html`<label><input type="radio" name=${group} .checked=${on} @change=${set} />${text}</label>`;
    return html`<fieldset><legend>${words.what}</legend>
        ${radio('what', !this.full, words.compact, () => this.size(false))}${
          radio('what', this.full, words.full, () => this.size(true))}</fieldset>
      <fieldset><legend>${words.hide}</legend>${
        PARTS[this.full ? 'full' : 'compact'].map((part) =>
        html`<label><input type="checkbox" .checked=${this.hidden_.has(part)}
        @change=${() => this.toggle(part)} />${words.parts[part]}</label>`)}</fieldset>
      <fieldset><legend>${words.readers}</legend><label><input type="checkbox" .checked=${this.fixed}
        @change=${() => (this.fixed = !this.fixed)} />${words.fixed}</label></fieldset>
      ${this.steps()}
      <fieldset><legend>${words.colours}</legend>${
        (['', 'light', 'dark'] as const)
        .map((theme) => radio('colours', this.colours === theme, words.themes[theme || 'auto'],
        () => (this.colours = theme)))}</fieldset>
      ${this.full ? nothing : html`<fieldset><legend id="column">${words.column}</legend><input class="num"
        type="number" data-part="column" min=${NARROWEST} max=${WIDEST} step="20" aria-labelledby="column"
        .value=${String(this.column)} @change=${(e: Event) => this.widen(e.target as HTMLInputElement)} /></fieldset>`}
      <fieldset><legend id="height">${words.height}</legend><input class="num" data-part="height"
        type="number" min=${LEAST} max=${MOST} step="20" aria-labelledby="height"
        .value=${this.measuring ? '' : String(this.height)} placeholder=${this.measuring ? '…' : nothing}
        @input=${() => (this.typed = true)}
        @change=${(e: Event) => this.type(e.target as HTMLInputElement)} />${this.measuring ? html`<span
        class="note" role="status" data-part="measuring">${words.measuring}</span>` : this.full || !this.fits ? nothing
        : html`<span class="note" data-part="fits">${words.fits(this.fits, this.column)}</span>`}</fieldset>
      <div class="ways" role="group"
        aria-label=${words.where}>${WAYS.map((way) =>
        html`<button data-way=${way} aria-pressed=${this.way === way}
        @click=${() => (this.way = way)}>${words.ways[way]}</button>`)}</div>
      <p class="note">${words.about[this.way]}</p>
      ${loadsScripts(this.way) ? html`<p class="note" data-part="other-origin">${words.otherOrigin(location.host)}
        <button class="text" data-part="use-frame" @click=${() => (this.way = 'frame')}>${
          words.useFrame}</button></p>` : nothing}
      ${this.weights(choices, code)}
      <textarea readonly rows="6" aria-label=${words.code} .value=${code}
        @focus=${(e: Event) => (e.target as HTMLTextAreaElement).select()}></textarea>
      <div class="row"><button class="text" data-part="preview" aria-expanded=${this.shown}
          @click=${() => void this.preview()}>${this.shown ? words.noPreview : words.preview}</button>
        <a href=${frameAddress(choices)} target="_blank" rel="noopener">${words.alone}</a>
        <button class="text copy" ?disabled=${this.measuring}
          @click=${() => void this.clipboard.copy(code, 'textarea')}>${icons.link}${
          this.said || words.copy}</button></div>
      ${this.shown || (!this.full && !this.lacking) ? html`<div class=${this.shown ? 'preview' : 'measures'}
        ?inert=${!this.shown} aria-hidden=${this.shown ? nothing : 'true'} tabindex=${this.shown ? 0 : -1}
        role="group" aria-label=${words.previewTitle}><iframe title=${words.previewTitle} height=${this.height}
        width=${this.full ? '100%' : this.column} src=${frameAddress(choices)}></iframe></div>` : nothing}
      <span class="unseen" role="status">${this.said || nothing}</span>`;
  }

  // The height that the code would name is not known yet: the frame's content still grows, or was not drawn so wide.
  private get measuring(): boolean {
    return !this.full && !this.lacking && !this.typed && !this.settled;
  }

  private size(full: boolean): void {
    this.full = full;
    this.typed = false;
    this.height = full ? FULL_HEIGHT : (this.fits ?? COMPACT_HEIGHT);
  }

  private type(field: HTMLInputElement): void {
    this.typed = true;
    this.height = Math.min(MOST, Math.max(LEAST, Math.round(Number(field.value)) || COMPACT_HEIGHT));
  }

  private widen(field: HTMLInputElement): void {
    this.column = Math.min(WIDEST, Math.max(NARROWEST, Math.round(Number(field.value)) || COLUMN));
    // The frame tells its height again once it is so wide.
    this.typed = false;
    this.measureAgain();
  }

  private get said(): string {
    return this.clipboard.copied ? strings.embed.copied : this.clipboard.refused ? strings.embed.marked : '';
  }

  private async preview(): Promise<void> {
    this.shown = !this.shown;
    await this.updateComplete;
    if (this.shown) this.renderRoot.querySelector('iframe')?.scrollIntoView({ block: 'nearest' });
  }

  private toggle(part: string): void {
    const next = new Set(this.hidden_);
    if (!next.delete(part)) next.add(part);
    this.hidden_ = next;
  }
}
customElements.define('ap-embed', EmbedElement);
