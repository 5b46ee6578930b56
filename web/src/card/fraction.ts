// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { full } from '../colour/numbers.ts';
import type { Term } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import type { Pointing } from './bars.ts';

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
  const pct = (n: number) => `${n.toFixed(3)}%`;
  return html`<figure class="fraction" aria-label=${strings.share}>
    <div class="over">${chosen ? html`<i class="chosen" ${place({ left: pct(chosen.left), width: pct(chosen.width) })}></i>
      <span ${place(chosen.left + chosen.width < 60 ? { left: `calc(${pct(chosen.left + chosen.width)} + 6px)` } : { right: `calc(${pct(100 - chosen.left)} + 6px)` })}>${full(chosen.term.value)}</span>` : ''}</div>
    <div class="under">${parts.map(({ term, left, width }) => html`<i class="${term.chosen ? 'chosen' : ''} ${lit !== undefined && lit === term.cell ? 'lit' : ''}" title="${term.label}: ${full(term.value)}"
      @pointerenter=${() => point(term.cell)} @pointerleave=${() => point(undefined)} ${place({ left: pct(left), width: `max(1px, calc(${pct(width)} - 1px))` })}></i>`)}</div>
    <div class="names">${parts.filter(({ term, width }) => term.chosen || width > 14).map(({ term, left, width }) => html`<span class=${term.chosen ? 'weight' : ''}
      ${place({ left: pct(Math.min(90, Math.max(8, left + width / 2))) })}>${term.label}</span>`)}</div>
    <p class="note">${strings.wholeRow(full(total))}</p>
  </figure>`;
}
