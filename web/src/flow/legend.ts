// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Domain, Kind } from '../colour/scale.ts';
import { type Scale, scaleFor, ticks } from '../elements/scale.ts';
import { drawScale } from '../elements/scale-canvas.ts';
import type { Tensor } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { place } from '../styles/place.ts';
import { palette } from '../styles/tokens.ts';

// About the width of a character of the numbers below the bar, and the least room between two of them.
const CHARACTER = 6.2;
const GAP = 5;

/** The bar, at least so wide that the numbers of both ends stand below it, and the numbers that have room there. */
export function laidOut(marks: readonly { at: number; text: string }[], width: number): {
  wide: number; shown: { at: number; text: string }[] } {
  const room = marks.map(({ text }) => text.length * CHARACTER);
  const wide = Math.max(width, Math.ceil(room[0]! + GAP + room.at(-1)!));
  const shown = marks.filter(({ at }, k) => {
    const left = at * (wide - room[k]!);
    return at === 0 || at === 1 || (left >= room[0]! + GAP && left + room[k]! + GAP <= wide - room.at(-1)!);
  });
  return { wide, shown };
}

const called = (tensor?: Tensor): string => (tensor ? `${tensor.group} ${tensor.name} ${tensor.shape.join()}` : '');

/** The colour scale of one matrix, with what masked and zero cells look like. */
export class LegendElement extends Part {
  @property({ attribute: false, hasChanged: (now: Domain, before?: Domain) => now?.join() !== before?.join() })
  domain!: Domain;
  @property() kind!: Kind;
  @property({ type: Number }) width!: number;
  @property({ type: Boolean }) masked!: boolean;
  @property({ type: Boolean }) zeros!: boolean;
  /** What hatched cells are, where they are of several kinds. */
  @reactive kinds: readonly string[] = [];
  /** Whose scale it is, where the reader may pin it. */
  @property({ attribute: false, hasChanged: (now?: Tensor, before?: Tensor) => called(now) !== called(before) })
  of: Tensor | undefined;
  private drawn = '';

  static override styles = css`
    :host { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-7); align-items: flex-start;
      font-size: var(--text-mark); line-height: var(--leading-mark); color: var(--ink2); }
    .bar { flex: none; direction: ltr; }
    canvas { display: block; }
    .ticks { position: relative; height: 14px; }
    .ticks span { position: absolute; white-space: nowrap; }
    .pin { flex: none; width: var(--press); height: var(--press);
      margin: calc(-1 * var(--space-3)) 0 0 calc(-1 * var(--space-5)); border-radius: var(--radius); display: grid;
      place-items: center; color: var(--ink3); }
    .pin:hover { background: var(--hover); color: var(--ink); }
    .pin[aria-pressed='true'] { color: var(--background); background: var(--ink); }
    @media (pointer: coarse) { .pin { margin-block: calc(-1 * var(--space-8)); } }
    .swatch { unicode-bidi: plaintext; display: flex; align-items: center; gap: var(--space-3); white-space: nowrap; }
  `;

  private get scale(): Scale {
    return scaleFor(this.kind, this.domain);
  }

  private get laid(): ReturnType<typeof laidOut> {
    return laidOut(ticks(this.scale.domain), this.width);
  }

  private get hatched(): readonly string[] {
    return [...(this.masked ? [strings.masked] : []), ...this.kinds];
  }

  override render(): unknown {
    return html`<div class="bar">
        <canvas class="scale" aria-hidden="true"></canvas>
        <div class="ticks">${this.laid.shown.map(({ at, text }) => html`<span ${place({ left: `${100 * at}%`,
          transform: `translateX(${-100 * at}%)` })}>${text}</span>`)}</div>
      </div>
      ${this.pin()}
      ${this.hatched.map((said) => html`<span class="swatch"><canvas class="hatch"
        aria-hidden="true"></canvas>${said}</span>`)}
      ${this.zeros ? html`<span class="swatch"><canvas class="zero"
        aria-hidden="true"></canvas>${strings.exactlyZero}</span>` : nothing}`;
  }

  // The ends stay where they are, whatever becomes of the numbers.
  private pin(): unknown {
    const { of: tensor, kind } = this;
    if (!tensor) return nothing;
    const { scales } = this.store;
    return html`<button class="pin" aria-pressed=${scales.pinned(tensor, kind)} aria-label=${strings.pinScale}
      title=${strings.pinScale}
      @click=${() => scales.toggle(tensor, kind)}>${icons.pin}</button>`;
  }

  override updated(): void {
    // The strip is the same whatever its ends are; those are text.
    const { wide } = this.laid;
    const look = [this.scale.kind, this.theme, wide, this.hatched.length, this.zeros, devicePixelRatio].join();
    if (look === this.drawn) return;
    this.drawn = look;
    const bar = this.renderRoot.querySelector<HTMLCanvasElement>('.scale');
    if (bar) {
      drawScale(bar, this.scale.kind, this.theme, wide, 6, Math.min(3, devicePixelRatio || 1));
      bar.style.width = `${wide}px`;
      bar.style.height = '6px';
    }
    const paper = palette[this.theme];
    for (const hatch of this.surfaces('.hatch', 14, 10)) {
      hatch.strokeStyle = paper.hatch;
      hatch.strokeRect(0.5, 0.5, 13, 9);
      for (let x = -10; x < 14; x += 5) {
        hatch.beginPath();
        hatch.moveTo(x, 10);
        hatch.lineTo(x + 10, 0);
        hatch.stroke();
      }
    }
    for (const zero of this.surfaces('.zero', 14, 10)) {
      zero.strokeStyle = paper.line2;
      zero.strokeRect(0.5, 0.5, 13, 9);
    }
  }

  private surfaces(selector: string, w: number, h: number): CanvasRenderingContext2D[] {
    const ratio = Math.min(3, devicePixelRatio || 1);
    return [...this.renderRoot.querySelectorAll<HTMLCanvasElement>(selector)].flatMap((canvas) => {
      canvas.width = w * ratio;
      canvas.height = h * ratio;
      canvas.style.width = `${w}px`;
      canvas.style.height = `${h}px`;
      const to = canvas.getContext('2d');
      to?.scale(ratio, ratio);
      return to ?? [];
    });
  }
}
customElements.define('ap-legend', LegendElement);
