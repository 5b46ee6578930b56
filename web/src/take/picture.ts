// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import type { Result, Tensor } from '../engine/result.ts';
import { arrange } from '../flow/modules.ts';
import { naming } from '../directory/naming.ts';
import { titleOf } from '../gallery/presets.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { base, fields } from '../styles/tokens.ts';
import { drawable, type Figure, figure } from './figure.ts';
import { drawOn, pngOf } from './png.ts';
import { fileName, save } from './save.ts';
import { svgOf } from './svg.ts';
import { takeStyles } from './take.styles.ts';

const words = strings.take;

/** The chosen matrices as one figure: drawn here, saved as SVG or PNG. */
export class PictureElement extends Part {
  static override properties = { ...Part.properties, colours: { state: true }, picked: { state: true },
    failed: { state: true } };
  declare colours: 'light' | 'dark' | undefined;
  declare picked: Set<string> | undefined;
  declare failed: boolean;

  static override styles = [
    base,
    fields,
    takeStyles,
    css`
      .paper { direction: ltr; overflow: auto; max-height: 380px; border: 1px solid var(--line);
        border-radius: var(--radius); }
      canvas { display: block; max-width: max(100%, 560px); }
    `,
  ];

  // What a reader looks at first: the scores, the weights and what comes of them.
  private chosen(result: Result): Set<string> {
    if (this.picked) return this.picked;
    const { modules, others } = arrange(result);
    const main = modules.flatMap(({ scores, weights, context }) => [scores, weights, context])
      .filter((t) => t !== undefined);
    return new Set((main.length > 0 ? main : others).map((tensor) => tensor.name));
  }

  private tensors(): Tensor[] {
    const { result } = this.store.sessions;
    if (!result) return [];
    const chosen = this.chosen(result);
    return drawable(result).filter(({ name }) => chosen.has(name));
  }

  private made(): Figure | undefined {
    const { store } = this;
    const tensors = this.tensors();
    if (!store.sessions.result || tensors.length === 0) return undefined;
    return figure(store.sessions.result, tensors, store.selection.chosen, this.colours ?? this.theme,
      titleOf(store.documents.document) ?? strings.title, (tensor, kind) => store.scales.of(tensor, kind));
  }

  override render(): unknown {
    const { result } = this.store.sessions;
    if (!result) return html`<p>${words.waiting}</p>`;
    const chosen = this.chosen(result);
    const colours = this.colours ?? this.theme;
    const none = this.tensors().length === 0;
    return html`<div class="pick" role="group"
      aria-label=${words.what}>${drawable(result).map((tensor) => html`<button aria-pressed=${chosen.has(tensor.name)}
        data-tensor=${tensor.name} @click=${() => this.toggle(result, tensor.name)}>${
          this.named(result, tensor)}</button>`)}</div>
      <div class="paper" tabindex="0" role="group"
        aria-label=${words.preview}><canvas role="img" aria-label=${words.preview}></canvas></div>
      <div class="row"><span class="seg" role="group"
          aria-label=${words.colours}>${
          (['light', 'dark'] as const).map((theme) => html`<button aria-pressed=${theme === colours}
          @click=${() => (this.colours = theme)}>${words[theme]}</button>`)}</span>
        <button class="button first" data-save="svg" ?disabled=${none}
          @click=${() => this.svg()}>${words.svg}</button>
        <button class="button" data-save="png" ?disabled=${none}
          @click=${() => void this.png()}>${words.png}</button></div>
      <p class="note" role="status">${none ? words.nothing : this.failed ? words.failed : words.pictureNote}</p>`;
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const made = this.made();
    if (!canvas) return;
    canvas.hidden = !made;
    if (!made) return;
    drawOn(canvas, made, Math.min(2, devicePixelRatio || 1));
    canvas.style.width = `${made.width}px`;
  }

  // Two of one title are told apart by their shapes.
  private named(result: Result, tensor: Tensor): string {
    const title = (one: Tensor) => naming(one).title || one.name;
    const alone = drawable(result).filter((other) => title(other) === title(tensor)).length === 1;
    return alone ? title(tensor) : `${title(tensor)} ${tensor.shape.join(' × ')}`;
  }

  private toggle(result: Result, name: string): void {
    const next = new Set(this.chosen(result));
    if (!next.delete(name)) next.add(name);
    this.picked = next;
  }

  private svg(): void {
    const made = this.made();
    if (made) save(new Blob([svgOf(made)], { type: 'image/svg+xml' }), fileName(this.store.documents.document, 'svg'));
  }

  private async png(): Promise<void> {
    const made = this.made();
    if (!made) return;
    try {
      save(await pngOf(made), fileName(this.store.documents.document, 'png'));
      this.failed = false;
    } catch {
      this.failed = true;
    }
  }
}
customElements.define('ap-picture', PictureElement);
