// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { Part, property } from '../part.ts';
import { keep, known, language, languages, speak } from '../strings/language.ts';
import { strings } from '../strings/en.ts';
import { rank, type Rank } from '../turns.ts';

/** The languages of the page, each under its own name. */
export class LanguageElement extends Part {
  // Drawn anew when the words are others.
  @property() of!: string;

  static override styles = css`
    :host { display: inline-block; }
    select { border-color: transparent; background: none;
      padding: 0 var(--space-1); max-width: 96px; }
    select:hover { border-color: var(--line2); }
    option { background: var(--raised); color: var(--ink); }
  `;

  // The tools beside it in the header would move if it came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    return html`<select aria-label=${strings.language} title=${strings.language} @change=${this.choose}>
      ${Object.entries(languages).map(([code, { name }]) => html`<option value=${code} lang=${code}
        ?selected=${code === language()}>${name}</option>`)}</select>`;
  }

  private async choose(event: Event): Promise<void> {
    const select = event.target as HTMLSelectElement;
    const code = known(select.value) ?? 'en';
    keep(code);
    await speak(code);
    // The old language stays where the words of the new one do not load.
    select.value = language();
  }
}
customElements.define('ap-language', LanguageElement);
