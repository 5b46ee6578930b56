// SPDX-License-Identifier: Apache-2.0
import { css, html, LitElement } from 'lit';
import { Later } from '../lazy-fetch.ts';
import { formula, working } from '../performance-marks.ts';
import { property } from '../signal-element.ts';
import { formulaFromOne } from '../strings/counted.ts';
import { grow, ready } from './rendered-formula.ts';
import { declareMathFonts } from './formula-fonts.ts';
import { colourRoles } from './roles.ts';
import { inTurn, rank } from '../turns.ts';

const SMALLEST = 0.74;
// How long a formula that follows the pointer waits for it to rest, in milliseconds.
const REST = 60;
declareMathFonts();
// One sheet for all formulas: the rules that the first picture needs, and the rest with KaTeX.
const sheet = new CSSStyleSheet();
let whole = false;
const katex = new Later(async () => {
  const module = await import('./katex.ts');
  whole = true;
  sheet.replaceSync(module.styles);
  return module;
});

/** The rules for formulas that were drawn while building. */
export function addMathStyles(styles: string): void {
  if (!whole) sheet.replaceSync(styles);
}

/** `<ap-math latex="...">`: a formula. KaTeX is fetched for the first one that was not drawn while building. */
export class MathElement extends LitElement {
  @property() latex = '';
  /** Letters that stand for no role here (directory/letters.ts). */
  @property() others = '';
  /** A class of terms that is pointed at elsewhere: a role, or `cell3`, the number of one cell. */
  @property() lit: string | undefined;
  @property({ type: Boolean }) display = false;
  /** Large, like a displayed formula, but broken into lines where it is too long. */
  @property({ type: Boolean }) long = false;
  /** In text size, on a line of its own, set smaller where there is no room. */
  @property({ type: Boolean }) block = false;
  /**
   * It follows the pointer: where more than its digits changes it is drawn when the pointer has rested, and while it
   * moves on now and then.
   */
  @property({ type: Boolean }) follows = false;
  /** One of many below the picture: it is drawn once the browser has shown the picture. */
  @property({ type: Boolean }) later = false;
  private waits = false;
  private rest: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    sheet,
    css`
      :host { direction: ltr; unicode-bidi: isolate; display: inline-block; max-width: 100%; }
      :host([long]) { line-height: 1.7; }
      :host([display]), :host([long]), :host([block]) { display: block; overflow-x: auto; overflow-y: hidden;
      scrollbar-width: thin;
      padding: var(--space-1) 0; }
      .katex { font-size: 1.12em; color: var(--ink); }
      :host(.plain) .katex { color: inherit; }
      .katex-display { margin: 0; text-align: left; }
      .katex-display > .katex { text-align: left; white-space: nowrap; }
      .query { color: var(--query); }
      .key { color: var(--key); }
      .value { color: var(--value); }
      .score { color: var(--score); }
      .weight { color: var(--weight); }
      .context { color: var(--context); }
      .enclosing[class*='cell'] { cursor: pointer; }
      .enclosing[class*='cell']:hover, .katex .lit { background: var(--hover); box-shadow: 0 2px 0 0 currentColor; }
      .enclosing[class*='cell'] { text-decoration: underline dotted 1px; text-underline-offset: 3px; }
    `,
  ];

  override render(): unknown {
    return html`<span></span>`;
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (this.later) this.wait();
    else working(() => (changed.size === 1 && changed.has('lit') ? this.mark() : this.draw()));
  }

  private wait(): void {
    if (this.waits) return;
    this.waits = true;
    coming++;
    void inTurn(() => {
      this.waits = false;
      coming--;
      this.draw();
    }, rank.after);
  }

  private get source(): string {
    const latex = colourRoles(formulaFromOne(this.latex), this.others);
    return this.long ? `\\displaystyle ${latex}` : latex;
  }

  private drawn: { source: string; display: boolean } | undefined;
  // So many characters of what is drawn had room at full size.
  private roomy = 0;

  private draw(rested = false): void {
    const span = this.renderRoot.querySelector('span');
    if (!span) return;
    const { source, display, drawn: before } = this;
    const drawn = ready(source, this.display);
    if (rested) this.rest = undefined;
    if (before?.display === display && katex.module?.retype(span, before.source, source)) {
      this.drawn = { source, display };
      // Digits are of one width: no more of them need no more room.
      const asBefore = before.source.length === source.length;
      return asBefore || source.length <= this.roomy ? this.mark() : this.settle();
    }
    if (this.follows && before && !drawn && !rested) {
      this.rest ??= setTimeout(() => formula(() => this.draw(true)), REST);
      return;
    }
    this.drawn = undefined;
    this.roomy = 0;
    if (drawn) span.replaceChildren(grow(drawn));
    else if (source === '') span.replaceChildren();
    else if (katex.module) katex.module.draw(source, span, display);
    else return void katex.wanted().then((there) => there && this.draw());
    this.drawn = { source, display };
    this.settle();
  }

  private mark(): void {
    for (const old of this.renderRoot.querySelectorAll('.lit')) old.classList.remove('lit');
    if (this.lit && /^\w+$/.test(this.lit))
      for (const term of this.renderRoot.querySelectorAll(`.${this.lit}`)) term.classList.add('lit');
  }

  private settle(): void {
    this.mark();
    if (this.display || this.long || this.block) this.refit();
  }

  /** How wide the formula is, at its full size, beside the room there is for it. */
  measured(): { room: number; wide: number } {
    return { room: this.clientWidth, wide: this.scrollWidth };
  }

  /** The part of its size that it is set in. */
  set size(share: number) {
    const span = this.renderRoot.querySelector('span');
    if (span) span.style.fontSize = share < 1 ? `${share}em` : '';
  }

  /** Finds its size again in the next frame. */
  refit(): void {
    if (unfitted.size === 0) requestAnimationFrame(fitAll);
    unfitted.add(this);
  }

  /** It had room at its full size. */
  fitted(): void {
    this.roomy = this.drawn?.source.length ?? 0;
  }
}

const unfitted = new Set<MathElement>();
// So many are still to be drawn, and may take room from those beside them.
let coming = 0;

// Long lines of numbers are set smaller before they have to scroll: all of a frame together,
// since each question for a width makes the browser lay out the page.
function fitAll(): void {
  if (coming > 0) return void requestAnimationFrame(fitAll);
  const all = [...unfitted].filter((one) => one.isConnected);
  unfitted.clear();
  for (const one of all) one.size = 1;
  const found = all.map((one) => one.measured());
  all.forEach((one, k) => {
    const { room, wide } = found[k]!;
    if (room === 0) return;
    const share = room / Math.max(1, wide);
    if (share < 1) one.size = Math.max(SMALLEST, share * 0.98);
    else one.fitted();
    // What is still wider scrolls, and can be reached by keys.
    if (share * 0.98 < SMALLEST) one.tabIndex = 0;
    else one.removeAttribute('tabindex');
  });
  // Until its fonts are here, a formula is drawn with others, which may be narrower.
  if (document.fonts.status === 'loading') void document.fonts.ready.then(() => all.forEach((one) => one.refit()));
}

customElements.define('ap-math', MathElement);
