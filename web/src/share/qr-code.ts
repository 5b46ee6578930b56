// SPDX-License-Identifier: Apache-2.0
import { css, html, svg } from 'lit';
import { correction, generate } from 'lean-qr';
import { Part, reactive } from '../part.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { words } from './words.ts';

/** The standard asks for four empty modules on each side; without them readers do not find the code. */
const MARGIN = 4;
/** So many bytes the largest code holds with the least correction. */
export const MOST_BYTES = 2953;

export const bytesOf = (link: string): number => new TextEncoder().encode(link).length;

/** The code of a text: how many modules a side has, margin included, and the dark ones as an SVG path. */
export function codeOf(text: string): { size: number; path: string } | undefined {
  if (bytesOf(text) > MOST_BYTES) return undefined;
  const code = generate(text, { minCorrectionLevel: correction.L });
  let path = '';
  for (let y = 0; y < code.size; y++) for (let x = 0; x < code.size; x++)
    if (code.get(x, y)) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`;
  return { size: code.size + 2 * MARGIN, path };
}

/** The same as a file, dark on white whatever the colours of the page are. */
export const svgOf = ({ size, path }: { size: number; path: string }): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${10 * size}" height="${10 * size}" `
  + `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`;

/** A link as a code that phones read from a screen or from paper; it can fill the window for a projector. */
export class QrCodeElement extends Part {
  @reactive link!: string;

  static override styles = css`
    :host { display: grid; gap: var(--space-4); justify-items: start; }
    svg { display: block; width: min(240px, 100%); height: auto; }
    dialog { width: 100vw; height: 100vh; max-width: none; max-height: none; margin: 0; padding: 0; border: 0;
      background: #fff; }
    dialog[open] { display: grid; place-items: center; }
    dialog svg { width: 96vmin; }
    dialog button { all: unset; cursor: zoom-out; }
    dialog button:focus-visible { outline: 2px solid #000; outline-offset: -4px; }
    .more { display: flex; flex-wrap: wrap; gap: var(--space-4); }
  `;

  override render(): unknown {
    const code = codeOf(this.link);
    if (!code) return html`<p class="note" data-part="too-long">${words().tooLong(bytesOf(this.link), MOST_BYTES)}</p>`;
    const drawn = svg`<svg viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label=${words().called}
      shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${code.size}v${code.size}H0z" /><path fill="#000"
      d=${code.path} /></svg>`;
    return html`${drawn}<div class="more"><button class="button" data-part="enlarge"
        @click=${() => this.large.showModal()}>${words().enlarge}</button>
      <button class="button" data-part="save" @click=${() => save(new Blob([svgOf(code)], { type: 'image/svg+xml' }),
        savedName(this, 'svg', words().file))}>${words().save}</button></div>
      <dialog aria-label=${words().called} @keydown=${(e: KeyboardEvent) => e.key === 'Escape' && e.stopPropagation()}>
        <button aria-label=${words().smaller} @click=${() => this.large.close()}>${drawn}</button></dialog>`;
  }

  private get large(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}
customElements.define('ap-qr-code', QrCodeElement);
