// SPDX-License-Identifier: Apache-2.0
import { html, nothing, svg } from 'lit';
import { full } from '../colour/numbers.ts';
import type { Term } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { whole } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import type { Pointing } from './bars.ts';
import { shownPiece } from '../strings/displayed-word.ts';

interface Part {
  term: Term;
  /** Where it begins and how wide it is, in percent of the row. */
  left: number;
  width: number;
}

// In percent of the row: from where on parts have a gap between them and are named, and what can just be seen.
const APART = 1;
const NAMED = 14;
const SEEN = 0.35;
// Up to here a number has room behind its bar.
const SIDE = 60;

// Before a row is divided by its sum its numbers may be large; the scale of powers of ten says less than the digits.
const long = (value: number): string => (value >= 1e4 && value < 1e7 ? whole(value) : full(value));

/** The parts of a row, side by side. */
export function partsOf(terms: Term[]): { parts: Part[]; total: number } {
  const total = terms.reduce((sum, term) => sum + Math.max(0, term.value), 0);
  let left = 0;
  const parts = terms.map((term): Part => {
    const part = { term, left, width: total > 0 ? (Math.max(0, term.value) / total) * 100 : 0 };
    left += part.width;
    return part;
  });
  return { parts, total };
}

/** The part that lies under this percentage of the row. */
export const partAt = (parts: Part[], percent: number): Part | undefined =>
  parts.find(({ left, width }) => percent >= left && percent < left + width);

/** A share drawn to length: the numerator above the line, the whole row below it. */
export function fraction(terms: Term[], { point, lit }: Pointing): unknown {
  const { parts, total } = partsOf(terms);
  if (!(total > 0)) return '';
  const chosen = parts.find(({ term }) => term.chosen);
  const pointed = lit === undefined ? undefined : parts.find(({ term }) => term.cell === lit);
  // Where there is no room on either side of the bar, its number stands in it.
  const within = chosen && chosen.left + chosen.width >= SIDE && chosen.left < 100 - SIDE;
  const pct = (n: number) => `${n.toFixed(3)}%`;
  const over = (event: PointerEvent) => {
    const row = event.currentTarget as Element;
    const box = row.getBoundingClientRect();
    const under = partAt(parts, ((event.clientX - box.left) / box.width) * 100);
    row.querySelector('title')!.textContent = under ? `${shownPiece(under.term.label)}: ${full(under.term.value)}` : '';
    point(under?.term.cell);
  };
  return html`<figure class="fraction" aria-label=${strings.share}>
    <div class="over">${chosen ? html`<i
      class="chosen" ${place({ left: pct(chosen.left), width: pct(chosen.width) })}></i>
      <span class=${within ? 'within' : ''} ${place(within ? { left: `calc(${pct(chosen.left)} + 6px)` }
        : chosen.left + chosen.width < SIDE ? { left: `calc(${pct(chosen.left + chosen.width)} + 6px)` }
        : { right: `calc(${pct(100 - chosen.left)} + 6px)` })}>${long(chosen.term.value)}</span>` : ''}</div>
    <svg class="under" viewBox="0 0 100 18" preserveAspectRatio="none" @pointermove=${over}
      @pointerleave=${() => point(undefined)}><title></title><rect width="100" height="18" />${bar('chosen', chosen)}
      <path d=${gaps(parts)} />${bar('lit', pointed)}</svg>
    <div class="names">${namesOf(parts).map(({ term, middle }) => html`<span class=${term.chosen ? 'weight' : ''}
      ${place({ left: pct(middle) })}>${shownPiece(term.label)}</span>`)}</div>
    <p class="note">${strings.wholeRow(long(total))}</p>
  </figure>`;
}

// Half of what a letter takes of the card's width, in percent: a long name at an end stays in the card.
const LETTER = 1.2;
const halfOf = (label: string): number => Math.min(50, Math.max(8, LETTER * label.length));

/** The names below the parts, and their middles: the chosen part's, and those of large parts where there is room. */
export function namesOf(parts: readonly Part[]): { term: Term; middle: number }[] {
  const wanted = parts.filter(({ term, width }) => term.chosen || width > NAMED)
    .toSorted((one, other) => Number(other.term.chosen ?? false) - Number(one.term.chosen ?? false));
  const named: { term: Term; middle: number; half: number }[] = [];
  for (const { term, left, width } of wanted) {
    const half = halfOf(shownPiece(term.label));
    const middle = Math.min(100 - half, Math.max(half, left + width / 2));
    if (named.every((other) => Math.abs(other.middle - middle) >= (other.half + half) * 0.75))
      named.push({ term, middle, half });
  }
  return named;
}

const bar = (name: string, part: Part | undefined): unknown => (part
  ? svg`<rect class=${name} x=${part.left} width=${Math.max(SEEN, part.width)} height="18" />` : nothing);

// One line for all gaps, however long the row is.
const gaps = (parts: Part[]): string => parts.map(({ left, width }, k) =>
  (k > 0 && width >= APART && parts[k - 1]!.width >= APART ? `M${left.toFixed(2)} 0v18` : '')).join('');
