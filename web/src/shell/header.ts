// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Later } from '../lazy-fetch.ts';
import { Part, property } from '../part.ts';
import { titleOf } from '../state/model.ts';
import { hasSides } from '../state/side.ts';
import type { Place } from '../state/view.ts';
import type { DialogName } from '../dialog/list.ts';
import { expectDialog } from '../dialog/open.ts';
import { differences } from '../gallery/presets.ts';
import { titleCalled } from '../state/document-title.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { places } from '../places/places.ts';
import './home.ts';
import './language.ts';
import { icons } from '../styles/icons.ts';
import { drawn, rank } from '../turns.ts';

// What systems are called in another language, and whether a link brought another document than its title names.
const titles = new Later(() => Promise.all([import('../state/system-title.ts'),
  import('../first/preset-shapes.ts')]), false);

/** Title, preset, history, dialogs and colours; tells the shell to open the controls where they are hidden. */
export class HeaderElement extends Part {
  @property({ reflect: true }) size!: string;
  @property() place!: Place;
  @property({ type: Boolean }) open!: boolean;

  /** The size and the words for which the header was measured last. */
  private held = '';

  // button, svg, ap-home, ap-language: A long name gives way, and nothing else.
  // @container (max-width: 1080px): Questions keep their word: they are what a newcomer looks for.
  // @container (max-width: 740px): Rather no name than its first letter.
  static override styles = css`
    :host { display: flex; align-items: center; gap: var(--space-2); height: 48px; padding: 0 var(--space-6);
      padding-inline-start: var(--space-8); border-bottom: 1px solid var(--line); container-type: inline-size; }
    :host(:not([drawn])) { visibility: hidden; }
    h1 { font-size: var(--text-title); font-weight: 600; margin: 0; margin-inline-end: var(--space-8);
      white-space: nowrap; }
    .gap { flex: 1; }
    nav { display: flex; align-self: stretch; margin-inline-end: var(--space-5); }
    nav button { min-width: var(--finger); padding: 0 var(--space-5); color: var(--ink2);
      border-bottom: 2px solid transparent; }
    nav button:focus-visible { outline-offset: -4px; }
    nav button[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--ink); }
    .preset { border: 1px solid var(--line2); background: var(--raised); margin-inline-end: var(--space-4);
      min-width: 0; max-width: 300px; height: var(--control); }
    button, svg, ap-home, ap-language { flex: none; }
    button.preset { flex: 0 1 auto; }
    @container (max-width: 1080px) {
      .tool:not([data-dialog='learn']) span, [data-part='compare'] span { display: none; } }
    [data-part='compare'] { white-space: nowrap; }
    @container (max-width: 740px) { .preset span { display: none; } }
    .preset span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    :host([size='narrow']) { padding-inline: var(--space-3); gap: 0; }
    :host([size='narrow']) nav { flex: 0 1 auto; min-width: 0; margin: 0; overflow-x: auto; }
    :host([size='narrow']) nav button { padding: 0 var(--space-3); flex: none; }
    :host([tight]) { padding-inline: var(--space-1); }
    :host([tight]) nav button { padding: 0 var(--space-2); font-size: var(--text-note); }
    :host([size='drawer']) h1, :host([size='narrow']) h1 { position: absolute; width: 1px; height: 1px;
    overflow: hidden; clip-path: inset(50%); }
    [data-part='compare'][aria-pressed='true'], [data-part='compare'][aria-pressed='true']:hover:not(:disabled) {
      background: var(--ink); color: var(--background); }
    [aria-disabled='true'] { color: var(--ink2); opacity: 0.75; }
  `;

  // Some of its tools draw themselves after it, and those beside them would move: all are shown together.
  override firstUpdated(): void {
    void drawn(rank.picture).then(() => this.setAttribute('drawn', ''));
    this.renderRoot.addEventListener('pointerover', ({ target }) => {
      const what = (target as Element).closest<HTMLElement>('[data-dialog]')?.dataset['dialog'];
      if (what) expectDialog(what as DialogName);
    });
  }

  // Words of some languages need more than a narrow page has: they are set smaller before one is cut off.
  override updated(): void {
    const nav = this.renderRoot.querySelector('nav');
    const held = `${this.size} ${nav?.textContent}`;
    if (held === this.held) return;
    this.held = held;
    this.removeAttribute('tight');
    if (this.size === 'narrow' && nav && nav.scrollWidth > nav.clientWidth) this.setAttribute('tight', '');
  }

  override render(): unknown {
    const { store, size } = this;
    const small = size === 'narrow';
    const leftward = direction() === 'rtl';
    const roomy = size === 'wide' || size === 'medium';
    const several = !hasSides(store.documents.document);
    const press = (what: DialogName) => () => this.dispatchEvent(new CustomEvent('dialog', { detail: what }));
    const tool = (what: DialogName, text: string, icon: unknown) => html`<button class=${roomy ? 'text tool' : 'icon'}
      aria-label=${text} title=${text} data-dialog=${what}
      @click=${press(what)}>${icon}${roomy ? html`<span>${text}</span>` : nothing}</button>`;
    return html`<h1>${strings.title}</h1>
      <nav aria-label=${places().places}>${
        (['look', 'train', 'compare'] as const)
        .map((place) => html`<button data-place=${place} aria-current=${this.place === place ? 'page' : nothing}
        @click=${() => this.dispatchEvent(new CustomEvent('place', { detail: place }))}>${
          places()[place]}</button>`)}</nav>
      ${small ? html`<span class="gap"></span>` : this.preset(press('presets'))}
      <button class="icon" aria-label=${strings.undo} title=${strings.undo} ?disabled=${!store.documents.canUndo}
        @click=${() => store.documents.undo()}>${leftward ? icons.redo : icons.undo}</button>
      ${small ? nothing : html`<button class="icon" aria-label=${strings.redo} title=${strings.redo}
        ?disabled=${!store.documents.canRedo}
        @click=${() => store.documents.redo()}>${leftward ? icons.undo : icons.redo}</button>`}
      ${small ? nothing : html`<button class="text tool" aria-label=${strings.reset} title=${strings.resetHelp}
        @click=${() => store.documents.reset()}>${icons.reset}<span>${strings.reset}</span></button><span
        class="gap"></span>`}
      <button class=${small ? 'icon' : 'text'} aria-label=${`${strings.compare}: ${places().sides}`}
        aria-pressed=${store.comparison.on} data-part="compare" aria-disabled=${several ? 'true' : nothing}
        title=${(several && strings.modelSides) || nothing} @click=${() => this.sides(several)}>${icons.compare}${
          small ? nothing : html`<span>${places().sides}</span>`}</button>
      ${small ? nothing : tool('cost', strings.cost.open, icons.cost)}
      ${small ? nothing : tool('learn', strings.learn.open, icons.learn)}
      ${small ? tool('share', strings.sharing.open, icons.link)
        : html`<ap-home ?bare=${!roomy}
          @dialog=${({ detail }: CustomEvent<DialogName>) => press(detail)()}></ap-home>`}
      ${small ? nothing : html`<ap-language .of=${strings.language}></ap-language>`}
      ${small ? nothing : html`<button class="icon"
        aria-label=${this.theme === 'dark' ? strings.themeToLight : strings.themeToDark}
        @click=${() => this.dispatchEvent(new CustomEvent('theme'))}>${icons.theme}</button>`}
      ${size === 'narrow' || (size === 'drawer' && this.place !== 'train')
        ? html`<button class="icon" aria-label=${this.open ? strings.hide : strings.show} aria-expanded=${this.open}
        @click=${() => this.dispatchEvent(new CustomEvent('controls'))}>${
          this.open ? icons.close : icons.menu}</button>` : nothing}`;
  }

  // What cannot be pressed says why where it is pressed all the same: a title is not seen by whoever touches.
  private sides(several: boolean): void {
    const { comparison, view } = this.store;
    if (several) view.show({ notice: [{ key: 'modelSides' }] });
    else if (comparison.on) comparison.stop();
    else comparison.start();
  }

  private preset(press: () => void): unknown {
    const { document, base: from } = this.store.documents;
    const title = titleOf(document);
    const edits = differences(from, document);
    const [system, shapes] = titles.use(this) ?? [];
    const called = title === undefined ? strings.gallery.open
      : (system?.systemTitle ?? titleCalled)(this.store.book, title, this);
    const shown = [shapes?.isOtherPreset(from) === true ? strings.story.changed(called) : called,
      ...(edits ? [strings.gallery.edits(edits)] : [])].join(' · ');
    return html`<button class="text preset" data-dialog="presets" aria-haspopup="dialog" title=${shown}
      aria-label=${title === undefined && !edits ? strings.gallery.open : strings.gallery.now(shown)}
      @click=${press}>${icons.grid}<span>${shown}</span></button>`;
  }
}
customElements.define('ap-header', HeaderElement);
