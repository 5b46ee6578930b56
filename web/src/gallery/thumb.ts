// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import '../elements/heat-element.ts';
import { Part, property, reactive } from '../part.ts';
import { read, type Thumbnail } from '../elements/thumbnail.ts';

const SIDE = 72;
const SMALL = 46;
// A single row of many keys is no hairline.
const THIN = 8;

/** A thumbnail, in a square of the gallery. */
export class ThumbElement extends Part {
  @reactive picture: Thumbnail | undefined;
  @property({ type: Boolean, reflect: true }) small!: boolean;

  static override styles = css`
    :host { display: grid; place-items: center; width: ${SIDE}px; height: ${SIDE}px; }
    :host([small]) { width: ${SMALL}px; height: ${SMALL}px; }
  `;

  override render(): unknown {
    const { picture } = this;
    if (!picture) return nothing;
    const { rows, cols, kind, domain } = picture;
    const side = this.small ? SMALL : SIDE;
    const cell = Math.max(2, Math.min(18, Math.floor(side / Math.max(rows, cols))));
    const { plane, mask } = read(picture);
    return html`<ap-heat .plane=${plane} .mask=${mask} .kind=${kind} .domain=${domain}
      .w=${Math.min(side, Math.max(THIN, cols * cell))} .h=${Math.min(side, Math.max(THIN, rows * cell))}></ap-heat>`;
  }
}
customElements.define('ap-thumb', ThumbElement);
