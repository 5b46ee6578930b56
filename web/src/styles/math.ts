// SPDX-License-Identifier: Apache-2.0
import katexStyles from 'virtual:katex-styles';
import { css, html, LitElement, unsafeCSS } from 'lit';
import { colourRoles } from './roles.ts';

type Drawer = typeof import('./katex.ts');
const SMALLEST = 0.74;
let drawer: Drawer | undefined;
let loading: Promise<Drawer> | undefined;

/** `<ap-math latex="...">`: a formula. KaTeX is fetched when the first one is shown. */
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
    unsafeCSS(katexStyles),
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
    if (drawer) this.paint(drawer);
    else {
      loading ??= import('./katex.ts');
      void loading.then((module) => {
        drawer = module;
        this.paint(module);
      });
    }
  }

  private mark(): void {
    for (const old of this.renderRoot.querySelectorAll('.lit')) old.classList.remove('lit');
    if (this.lit && /^\w+$/.test(this.lit)) for (const term of this.renderRoot.querySelectorAll(`.${this.lit}`)) term.classList.add('lit');
  }

  private paint(module: Drawer): void {
    const span = this.renderRoot.querySelector('span');
    if (!span) return;
    const latex = colourRoles(this.latex);
    module.draw(this.long ? `\\displaystyle ${latex}` : latex, span, this.display);
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
