// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { css, html } from 'lit';
import { Part, property, reactive } from '../part.ts';
import { inCell } from '../colour/numbers.ts';
import { gridOf } from './map-words.ts';
import { type Chosen, weightsOf } from './maps.ts';
import type { Picture } from './messages.ts';
import { words } from './words.ts';

const SIDE = 96;
/** What is looked at least is seen this faintly. */
const FAINT = 0.16;

/**
 * The pinned image under one row of the map: what is not looked at fades. `true-place`: where the word's thing is
 * instead.
 */
export class TrainLookElement extends Part {
  @reactive picture!: Picture;
  @reactive chosen!: Chosen;
  @reactive row = 0;
  @property({ type: Boolean, attribute: 'true-place' }) truePlace = false;
  private painted: { state: string; pixels: Float32Array } | undefined;

  static override styles = css`canvas { display: block; border: 1px solid var(--line); direction: ltr; }`;

  private get weights(): Float32Array {
    const columns = this.picture.maps[this.chosen.map]!.shape[2];
    return weightsOf(this.picture, this.chosen).subarray(this.row * columns, (this.row + 1) * columns);
  }

  private get links() {
    return this.picture.links.filter(([row]) => row === this.row);
  }

  override render(): unknown {
    return html`<canvas width=${SIDE} height=${SIDE} role="img" aria-label=${this.spoken()}></canvas>`;
  }

  private spoken(): string {
    const { picture, weights } = this;
    const word = picture.truth[this.row] ?? '';
    const [, wide] = gridOf(picture.image!, weights.length);
    const name = (place: number) => words().place(Math.floor(place / wide), place % wide);
    if (this.truePlace) return `${word}, ${words().truePlace}: ${this.links.map(([, place]) => name(place))
      .join('; ')}`;
    const best = weights.indexOf(maximum(weights));
    return words().cell(word, name(best), inCell(weights[best]!, true));
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const paper = canvas?.getContext('2d');
    const { picture } = this;
    if (!canvas || !paper || !picture.image || !picture.pixels) return;
    const { weights } = this;
    // The true place stays where it is while the model learns.
    const state = [this.theme, this.truePlace ? '' : [...weights].join(' '), this.links.join(' ')].join(';');
    if (this.painted?.state === state && this.painted.pixels === picture.pixels) return;
    this.painted = { state, pixels: picture.pixels };
    const style = getComputedStyle(this);
    const [height, width] = picture.image as [number, number];
    const [high, wide] = gridOf(picture.image, weights.length);
    const most = maximum(weights) || 1;
    const meant = new Set(this.links.map(([, place]) => place));
    const image = drawingOf(picture);
    // What fades, fades into grey: black pixels too.
    paper.globalAlpha = 1;
    paper.fillStyle = style.getPropertyValue('--line2') || 'grey';
    paper.fillRect(0, 0, SIDE, SIDE);
    paper.imageSmoothingEnabled = false;
    for (let place = 0; place < weights.length; place++) {
      const [column, row] = [place % wide, Math.floor(place / wide)];
      paper.globalAlpha = this.truePlace ? (meant.has(place) ? 1 : FAINT) : FAINT
        + (1 - FAINT) * (weights[place]! / most);
      paper.drawImage(image, (column * width) / wide, (row * height) / high, width / wide, height / high,
        (column * SIDE) / wide, (row * SIDE) / high, SIDE / wide, SIDE / high);
    }
    // The truth, solid where the word means it, dashed where it agrees with it.
    paper.globalAlpha = 1;
    paper.strokeStyle = style.getPropertyValue('--weight') || 'currentColor';
    paper.lineWidth = 2;
    for (const [, place, kind] of this.links) {
      const [x, y] = [((place % wide) * SIDE) / wide, (Math.floor(place / wide) * SIDE) / high];
      paper.setLineDash(kind === 'means' ? [] : [3, 3]);
      paper.strokeRect(x + 1, y + 1, SIDE / wide - 2, SIDE / high - 2);
    }
  }
}
const drawings = new WeakMap<Float32Array, HTMLCanvasElement>();

/** The image, a pixel a pixel; one channel is grey. All pictures of a training share it. */
function drawingOf({ image, pixels }: Picture): HTMLCanvasElement {
  const known = drawings.get(pixels!);
  if (known) return known;
  const [height, width, channels = 1] = image as [number, number, number?];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const paper = canvas.getContext('2d')!;
  const data = paper.createImageData(width, height);
  for (let at = 0; at < width * height; at++) {
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels![at * channels + Math.min(channel, channels - 1)]!;
      data.data[at * 4 + channel] = Math.round(255 * Math.min(1, Math.max(0, value)));
    }
    data.data[at * 4 + 3] = 255;
  }
  paper.putImageData(data, 0, 0);
  drawings.set(pixels!, canvas);
  return canvas;
}
customElements.define('ap-train-look', TrainLookElement);
