// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { full } from '../colour/numbers.ts';
import type { Term } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import type { Pointing } from './bars.ts';

interface Part {
  term: Term;
  left: number;
  width: number;
}

// So many parts can be told apart; of more, those thinner than this share of the row are drawn together.
const MANY = 256;
const THIN = 0.3;
// In percent: up to here a number has room behind its bar.
const SIDE = 60;

/** The parts to draw: neighbours too thin to be seen as one, which stands for its largest. */
export function visible(parts: Part[]): Part[] {
  if (parts.length <= MANY) return parts;
  const drawn: Part[] = [];
  for (const part of parts) {
    const last = drawn.at(-1);
    if (!last || part.term.chosen || last.term.chosen || last.width + part.width > THIN) drawn.push({ ...part });
    else {
      last.width += part.width;
      if (part.term.value > last.term.value) last.term = part.term;
    }
  }
  return drawn;
}

/** A share drawn to length: the numerator above the line, the whole row below it. */
export function fraction(terms: Term[], { point, lit }: Pointing): unknown {
  const total = terms.reduce((sum, term) => sum + Math.max(0, term.value), 0);
  if (!(total > 0)) return '';
  const share = (term: Term) => (Math.max(0, term.value) / total) * 100;
  let start = 0;
  const parts = terms.map((term) => {
    const part = { term, left: start, width: share(term) };
    start += part.width;
    return part;
  });
  const chosen = parts.find(({ term }) => term.chosen);
  // Where there is no room on either side of the bar, its number stands in it.
  const within = chosen && chosen.left + chosen.width >= SIDE && chosen.left < 100 - SIDE;
  const pct = (n: number) => `${n.toFixed(3)}%`;
  return html`<figure class="fraction" aria-label=${strings.share}>
    <div class="over">${chosen ? html`<i
      class="chosen" ${place({ left: pct(chosen.left), width: pct(chosen.width) })}></i>
      <span class=${within ? 'within' : ''} ${place(within ? { left: `calc(${pct(chosen.left)} + 6px)` }
        : chosen.left + chosen.width < SIDE ? { left: `calc(${pct(chosen.left + chosen.width)} + 6px)` }
        : { right: `calc(${pct(100 - chosen.left)} + 6px)` })}>${full(chosen.term.value)}</span>` : ''}</div>
    <div class="under">${visible(parts)
      .map(({ term, left, width }) =>
      html`<i class="${term.chosen ? 'chosen' : ''} ${lit !== undefined && lit === term.cell ? 'lit' : ''}"
      title="${term.label}: ${full(term.value)}"
      @pointerenter=${() => point(term.cell)}
      @pointerleave=${() => point(undefined)} ${
        place({ left: pct(left), width: `max(1px, calc(${pct(width)} - 1px))` })}></i>`)}</div>
    <div class="names">${parts.filter(({ term, width }) => term.chosen || width > 14)
      .map(({ term, left, width }) => html`<span class=${term.chosen ? 'weight' : ''}
      ${place({ left: pct(Math.min(90, Math.max(8, left + width / 2))) })}>${term.label}</span>`)}</div>
    <p class="note">${strings.wholeRow(full(total))}</p>
  </figure>`;
}
