// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { Part } from '../part.ts';
import { keep, known, language, languages, speak } from '../strings/language.ts';
import { strings } from '../strings/en.ts';
import { base, fields } from '../styles/tokens.ts';

// The name of a language in itself, with the capital of a list.
function nameOf(code: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return first.toLocaleUpperCase(code) + rest.join('');
}

// English, then the others by their names.
const named = Object.keys(languages).map((code) => ({ code, name: nameOf(code) }))
  .toSorted((a, b) => Number(b.code === 'en') - Number(a.code === 'en') || a.name.localeCompare(b.name, 'en'));

/** The languages of the page, each under its own name. */
export class LanguageElement extends Part {
  // Drawn anew when the words are others.
  static override properties = { ...Part.properties, of: {} };
  declare of: string;

  static override styles = [
    base,
    fields,
    css`
      :host { display: inline-block; }
      select { border-color: transparent; background: none;
        padding: 0 var(--space-1); max-width: 96px; }
      select:hover { border-color: var(--line2); }
      option { background: var(--raised); color: var(--ink); }
    `,
  ];

  override render(): unknown {
    return html`<select aria-label=${strings.language} title=${strings.language} @change=${this.choose}>
      ${named.map(({ code, name }) => html`<option value=${code} lang=${code}
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
