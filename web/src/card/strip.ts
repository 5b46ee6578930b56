// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { place } from '../styles/place.ts';

interface Strip {
  values: number[];
  fills: string[];
  /** The cell that is pointed at elsewhere. */
  lit: number;
  name: string;
  point: (cell: number | undefined) => void;
  hold: (cell: number) => void;
}

/** Numbers as a row of coloured cells: one background, since pointing at a matrix draws several of these anew. */
export function strip({ values, fills, lit, name, point, hold }: Strip): unknown {
  const under = (event: PointerEvent | MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * values.length);
    return Math.min(values.length - 1, Math.max(0, at));
  };
  const over = (event: PointerEvent) => {
    const at = under(event);
    (event.currentTarget as HTMLElement).title = full(values[at]!);
    point(at);
  };
  return html`<span class="strip ${name}" aria-hidden="true"
    ${place({ background: bands(fills), '--cells': String(fills.length), '--lit': lit < 0 ? undefined : String(lit) })}
    @pointermove=${over} @pointerleave=${() => point(undefined)}
    @click=${(event: MouseEvent) => hold(under(event))}>${lit < 0 ? nothing : html`<i></i>`}</span>`;
}

/** Colours side by side, each of one width. */
export function bands(fills: string[]): string {
  const at = (k: number) => `${((k / fills.length) * 100).toFixed(2)}%`;
  return `linear-gradient(90deg, ${fills.map((fill, k) => `${fill} ${at(k)} ${at(k + 1)}`).join(', ')})`;
}
