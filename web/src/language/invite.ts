// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import ships from 'virtual:language';
import '../elements/heat-element.ts';
import { LANGUAGE } from '../engine/language.ts';
import { weightsNamed } from '../engine/weight-files.ts';
import { read } from '../elements/thumbnail.ts';
import { documentIn } from '../learned/open.ts';
import { Part, reactive } from '../part.ts';
import { fixed } from '../strings/numerals.ts';
import { withQuotes } from '../strings/quote.ts';
import { words } from './words.ts';

const SIDE = 56;
const MEGA = 1e6;

/** The small language model that ships: its heads on its own sentence, and the way to open it. */
export class LanguageElement extends Part {
  /** It is on its way. */
  @reactive coming!: boolean;
  @reactive lost!: boolean;

  static override styles = css`
    :host { display: block; border-top: 1px solid var(--line); padding: var(--space-6) 0 var(--space-10); }
    .box { display: flex; flex-wrap: wrap; gap: var(--space-10); align-items: flex-start; margin-top: var(--space-4); }
    .maps { direction: ltr; display: grid; gap: var(--space-3); grid-template-columns: repeat(4, ${SIDE}px); }
    .said { flex: 1; min-width: 220px; }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); }
    .button { margin: var(--space-4) 0; }
  `;

  override render(): unknown {
    void this.theme;
    if (!ships) return nothing;
    const { numbers, bytes, text, thumbnails } = ships;
    const maps = thumbnails.flat();
    return html`<h2>${words().title}</h2><p class="note">${words().invite(fixed(numbers / MEGA, 1))}</p>
      <div class="box"><div class="maps" role="img" aria-label=${words().thumbnails(maps.length, text)}>${
        maps.map((one) => html`<ap-heat .plane=${read(one).plane} .mask=${read(one).mask} .kind=${one.kind}
        .domain=${one.domain} .w=${SIDE} .h=${SIDE}></ap-heat>`)}</div>
      <div class="said"><p class="note">${withQuotes(words().thumbnails(maps.length, text))}</p>
        <button class="button first" data-part="open-language" ?disabled=${this.coming} @click=${() =>
          void this.open()}>${words().open(fixed(bytes / MEGA, 1))}</button>
        ${this.lost ? html`<p class="error" role="alert">${words().lost}</p>` : nothing}</div></div>`;
  }

  private async open(): Promise<void> {
    this.coming = true;
    this.lost = false;
    try {
      const file = await weightsNamed(LANGUAGE);
      if (!file) throw new Error('it is not there');
      this.store.arrive({ document: documentIn(LANGUAGE, file) });
      this.dispatchEvent(new CustomEvent('opened'));
    } catch {
      this.lost = true;
    }
    this.coming = false;
  }
}
customElements.define('ap-language-model', LanguageElement);
