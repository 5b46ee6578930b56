// SPDX-License-Identifier: Apache-2.0
import firstStyles from 'virtual:katex-styles/first';
import { css, html, LitElement } from 'lit';
import { Later } from '../later.ts';
import { grow, ready } from './drawn.ts';
import { declareMathFonts } from './katex-fonts.ts';
import { colourRoles } from './roles.ts';

const SMALLEST = 0.74;
// One sheet for all formulas: the rules that the first picture needs, and the rest with KaTeX.
const sheet = new CSSStyleSheet();
sheet.replaceSync(firstStyles);
const katex = new Later(async () => {
  const module = await import('./katex.ts');
  sheet.replaceSync(module.styles);
  return module;
});

/** `<ap-math latex="...">`: a formula. KaTeX is fetched for the first one that was not drawn while building. */
export class MathElement extends LitElement {
  static override properties = { latex: {}, lit: {}, display: { type: Boolean }, long: { type: Boolean }, block: { type: Boolean } };
  declare latex: string;
  /** A class of terms that is pointed at elsewhere: a role, or `cell3`, the number of one cell. */
  declare lit: string | undefined;
  declare display: boolean;
  /** Large, like a displayed formula, but broken into lines where it is too long. */
  declare long: boolean;
  /** In text size, on a line of its own, set smaller where there is no room. */
  declare block: boolean;

  constructor() {
    super();
    this.latex = '';
    this.display = this.long = this.block = false;
  }

  static override styles = [
    sheet,
    css`
      :host { direction: ltr; unicode-bidi: isolate; display: inline-block; max-width: 100%; }
      :host([long]) { line-height: 1.7; }
      :host([display]), :host([long]), :host([block]) { display: block; overflow-x: auto; overflow-y: hidden; padding: 2px 0; }
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
    if (changed.size === 1 && changed.has('lit')) return this.mark();
    this.draw();
  }

  private get source(): string {
    const latex = colourRoles(this.latex);
    return this.long ? `\\displaystyle ${latex}` : latex;
  }

  private draw(): void {
    const span = this.renderRoot.querySelector('span');
    if (!span) return;
    const { source } = this;
    declareMathFonts();
    const drawn = ready(source, this.display);
    if (drawn) span.replaceChildren(grow(drawn));
    else if (source === '') span.replaceChildren();
    else if (katex.module) katex.module.draw(source, span, this.display);
    else return void katex.fetch().then(() => this.draw());
    this.settle(span);
  }

  private mark(): void {
    for (const old of this.renderRoot.querySelectorAll('.lit')) old.classList.remove('lit');
    if (this.lit && /^\w+$/.test(this.lit)) for (const term of this.renderRoot.querySelectorAll(`.${this.lit}`)) term.classList.add('lit');
  }

  private settle(span: HTMLElement): void {
    const alone = this.display || this.long || this.block;
    this.mark();
    if (alone) this.fit(span);
    if (alone && this.scrollWidth > this.clientWidth) this.tabIndex = 0;
    else this.removeAttribute('tabindex');
  }

  // A long line of numbers is set smaller before it has to scroll.
  private fit(span: HTMLElement): void {
    span.style.fontSize = '';
    const share = this.clientWidth / Math.max(1, this.scrollWidth);
    if (share < 1) span.style.fontSize = `${Math.max(SMALLEST, share * 0.98)}em`;
  }
}
customElements.define('ap-math', MathElement);
