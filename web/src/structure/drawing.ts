// SPDX-License-Identifier: Apache-2.0
// Lines of the diagram: wires with the letters of what they bring, and the loop of what runs in time.
import { nothing, svg } from 'lit';
import type { TensorRole } from '../engine/types.ts';
import type { Flag, Piece } from './fold.ts';
import type { Place } from './layout.ts';

/** Room beside a box for what it hands to itself, one step later. */
export const LOOP = 16;
export const LETTERS: Partial<Record<TensorRole, string>> = { query: 'Q', key: 'K', value: 'V' };
const CORNER = 4;
const INSET = 20;

export interface Wire {
  roles: readonly TensorRole[];
  lit: boolean;
  point: (over: boolean) => void;
  press: () => void;
}

/** A wire or a piece of one; what an attention asks and is asked with has its colour and, where it ends, its letter. */
export function wire({ d: drawn, end }: Piece, { roles, lit, point, press }: Wire, down: boolean): unknown {
  const letters = roles.filter((role) => LETTERS[role] !== undefined);
  return svg`<path class="${letters[0] ?? ''} ${lit ? 'lit' : ''}" d=${drawn}
      marker-end=${end ? 'url(#end)' : nothing} />
    ${letters.length > 0 && end ? svg`<text x=${end.x + (down ? 5 : -3)} y=${end.y - (down ? 9 : 5)}
      text-anchor=${down ? 'start' : 'end'}>${letters.map((role) =>
        svg`<tspan class=${role}>${LETTERS[role]}</tspan>`)}</text>` : nothing}
    <path class="hit" d=${drawn} @pointerenter=${() => point(true)} @pointerleave=${() => point(false)}
      @click=${press} />`;
}

// What lies between a band and the first letter of a flag, and about how wide letters are there.
const BEFORE = 14;
const letterWidth = (letter: string): number =>
  (/[fijlrt.,:' ]/.test(letter) ? 3.4 : /[mwMW]/.test(letter) ? 8.8 : 5.9);
const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);

// As much of a name as there is room for.
function fitted(name: string, room: number): string {
  if (widthOf(name) <= room) return name;
  const letters = [...name];
  while (letters.length > 1 && widthOf(`${letters.join('')}…`) > room) letters.pop();
  return `${letters.join('')}…`;
}

/** In place of a wire that goes on in another band, what it comes from, or the first of what it goes to. */
export function flag({ x, y, out, ids }: Flag, gutter: number, brief: (id: string) => string,
  whole: (id: string) => string): unknown {
  const names = [...new Set(ids.map(brief))];
  const more = names.length > 1 ? ` +${names.length - 1}` : '';
  const [first = ''] = names;
  const name = fitted(first, gutter - BEFORE - widthOf(more));
  return svg`<text class="flag" x=${x + (out ? 4 : -4)} y=${y + 4} text-anchor=${out ? 'start' : 'end'}>${name}${more}
    <title>${ids.map(whole).join(', ')}</title></text>`;
}

/** From a box back into it: what one step hands to the next. */
export function loop({ x, y, w, h }: Place, down: boolean): unknown {
  const [right, bottom] = [x + w - (down ? LOOP : 0), y + h - (down ? 0 : LOOP)];
  const out = LOOP - CORNER - 2;
  const inset = Math.min(INSET, (down ? h : w) / 4);
  const around = down
    ? `M${right} ${bottom - inset}h${out}q${CORNER} 0 ${CORNER} -${CORNER}V${y + inset + CORNER}q0 -${CORNER} -${CORNER}
      -${CORNER}H${right + 1}`
    : `M${right - inset} ${bottom}v${out}q0 ${CORNER} -${CORNER} ${CORNER}H${x + inset + CORNER}q-${CORNER} 0 -${CORNER}
      -${CORNER}V${bottom + 1}`;
  return svg`<path class="later" d=${around} marker-end="url(#end)" />`;
}
