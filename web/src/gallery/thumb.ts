// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { paint } from '../flow/paint.ts';
import { Part } from '../part.ts';
import { palette } from '../styles/tokens.ts';
import { read, type Thumbnail } from './thumbnail.ts';

const SIDE = 72;
const SMALL = 46;

/** A thumbnail, drawn as the large matrices are. */
export class ThumbElement extends Part {
  static override properties = { picture: { attribute: false }, small: { type: Boolean, reflect: true } };
  declare picture: Thumbnail | undefined;
  declare small: boolean;

  static override styles = css`
    :host { display: grid; place-items: center; width: ${SIDE}px; height: ${SIDE}px; }
    :host([small]) { width: ${SMALL}px; height: ${SMALL}px; }
    canvas { display: block; }
  `;

  override render(): unknown {
    return html`<canvas aria-hidden="true"></canvas>`;
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const { picture, theme } = this;
    if (!canvas || !picture) return;
    const { rows, cols, kind, domain } = picture;
    const side = this.small ? SMALL : SIDE;
    const cell = Math.max(2, Math.min(18, Math.floor(side / Math.max(rows, cols))));
    const [w, h] = [Math.min(side, cols * cell), Math.min(side, rows * cell)];
    canvas.style.width = `${w}px`;
    canvas.style.height = `${h}px`;
    paint(canvas, w, h, { rows, cols, ...read(picture), kind, domain, theme, paper: palette[theme] });
  }
}
customElements.define('ap-thumb', ThumbElement);
