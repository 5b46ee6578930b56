// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { Part } from '../part.ts';
import { base } from '../styles/tokens.ts';
import { inCell } from '../colour/numbers.ts';
import { type Chosen, weightsOf } from './maps.ts';
import type { Picture } from './messages.ts';
import { words } from './words.ts';

const SIDE = 96;
/** What is looked at least is seen this faintly. */
const FAINT = 0.16;

/** Height and width in places of a map over an image: a coarser grid of the image's proportions. */
export function gridOf([height, width]: readonly number[], places: number): [number, number] {
  const rows = Math.max(1, Math.round(Math.sqrt((places * height!) / width!)));
  return [rows, Math.round(places / rows)];
}

/**
 * The pinned image under one row of the map: what is not looked at fades. `true-place`: where the word's thing is
 * instead.
 */
export class TrainLookElement extends Part {
  static override properties = { ...Part.properties, picture: { attribute: false }, chosen: { attribute: false },
    row: { attribute: false }, truePlace: { type: Boolean, attribute: 'true-place' } };
  declare picture: Picture;
  declare chosen: Chosen;
  declare row: number;
  declare truePlace: boolean;

  static override styles = [base, css`canvas { display: block; border: 1px solid var(--line); direction: ltr; }`];

  constructor() {
    super();
    this.row = 0;
    this.truePlace = false;
  }

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
    const name = (place: number) => words().place(Math.floor(place / wide) + 1, (place % wide) + 1);
    if (this.truePlace) return `${word}, ${words().truePlace}: ${this.links.map(([, place]) => name(place))
      .join('; ')}`;
    const best = weights.indexOf(Math.max(...weights));
    return words().cell(word, name(best), inCell(weights[best]!, true));
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const paper = canvas?.getContext('2d');
    const { picture } = this;
    if (!canvas || !paper || !picture.image || !picture.pixels) return;
    const { weights } = this;
    const [high, wide] = gridOf(picture.image, weights.length);
    const most = Math.max(...weights) || 1;
    const at = (place: number): [number, number] =>
      [((place % wide) * SIDE) / wide, (Math.floor(place / wide) * SIDE) / high];
    const meant = new Set(this.links.map(([, place]) => place));
    // What fades, fades into grey: black pixels too.
    paper.fillStyle = getComputedStyle(this).getPropertyValue('--line2') || 'grey';
    paper.fillRect(0, 0, SIDE, SIDE);
    for (let place = 0; place < weights.length; place++) {
      const [x, y] = at(place);
      paper.save();
      paper.globalAlpha = this.truePlace ? (meant.has(place) ? 1 : FAINT) : FAINT
        + (1 - FAINT) * (weights[place]! / most);
      paper.beginPath();
      paper.rect(x, y, SIDE / wide, SIDE / high);
      paper.clip();
      this.paint(paper, [x, y, x + SIDE / wide, y + SIDE / high]);
      paper.restore();
    }
    // The truth, solid where the word means it, dashed where it agrees with it.
    paper.strokeStyle = getComputedStyle(this).getPropertyValue('--weight') || 'currentColor';
    paper.lineWidth = 2;
    for (const [, place, kind] of this.links) {
      const [x, y] = at(place);
      paper.setLineDash(kind === 'means' ? [] : [3, 3]);
      paper.strokeRect(x + 1, y + 1, SIDE / wide - 2, SIDE / high - 2);
    }
  }

  // The pixels that lie in a box; one channel is grey.
  private paint(paper: CanvasRenderingContext2D,
    [left, top, right, bottom]: readonly [number, number, number, number]): void {
    const [height, width, channels = 1] = this.picture.image!;
    const numbers = this.picture.pixels!;
    const [w, h] = [SIDE / width!, SIDE / height!];
    for (let i = Math.floor(top / h); i < Math.min(height!, Math.ceil(bottom / h)); i++) {
      for (let j = Math.floor(left / w); j < Math.min(width!, Math.ceil(right / w)); j++) {
        const of = (channel: number) =>
          Math.round(255 * Math.min(1, Math.max(0,
            numbers[(i * width! + j) * channels + Math.min(channel, channels - 1)]!)));
        paper.fillStyle = `rgb(${of(0)} ${of(1)} ${of(2)})`;
        paper.fillRect(j * w, i * h, w, h);
      }
    }
  }
}
customElements.define('ap-train-look', TrainLookElement);
