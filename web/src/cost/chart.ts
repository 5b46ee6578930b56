// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import { onLegend } from '../colour/numbers.ts';
import { raised } from '../strings/numerals.ts';
import { growth, type Point } from './fit.ts';

export interface Line {
  name: string;
  points: Point[];
  /** The sizes at which the engine begins to keep fewer numbers. */
  from?: number[];
}

const WIDTH = 360;
const HEIGHT = 220;
/** Where along a dashed line its name stands: at the first of these places that leaves the other name free. */
const NAMED = [0.25, 0.5, 0.75, 1];
const LETTERS = { wide: 14, high: 10 };
const EDGE = { left: 46, right: 44, top: 14, bottom: 30 };

const decades = (low: number, high: number): number[] => {
  const marks: number[] = [];
  for (let mark = Math.floor(low); mark <= Math.ceil(high); mark++) marks.push(10 ** mark);
  return marks;
};

const written = (value: number): string =>
  (value >= 1e4 || value < 1e-3 ? value.toExponential(0).replace('+', '') : onLegend(value));

/**
 * Values over sizes, both axes logarithmic, so that a power of n is a straight line; two dashed ones say n and n².
 * `below` explains the vertical lines, where fewer numbers are kept.
 */
export function chart(title: string, unit: string, lines: Line[], most: number, below: unknown = nothing): unknown {
  const all = lines.flatMap(({ points }) => points).filter(({ value }) => value > 0);
  if (all.length === 0) return nothing;
  const sizes = all.map(({ n }) => n);
  const [first, last] = [minimum(sizes), maximum(sizes, most)];
  const marks = decades(Math.log10(minimum(all.map(({ value }) => value))),
    Math.log10(maximum(all.map(({ value }) => value))));
  const [low, high] = [Math.log10(marks[0]!), Math.log10(marks.at(-1)!)];
  const [inner, tall] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
  const x = (n: number) => EDGE.left + (Math.log2(n / first) / Math.max(1, Math.log2(last / first))) * inner;
  const y = (value: number) => EDGE.top + (1 - (Math.log10(value) - low) / Math.max(1, high - low)) * tall;
  const ticks = Array.from({ length: Math.floor(Math.log2(last / first)) + 1 }, (_, k) => first * 2 ** k);
  const names: [number, number][] = [];
  return html`<figure class="chart"><figcaption><b>${title}</b> <span class="note">${unit}</span>${
    lines.length > 1 ? html`<span class="legend">${lines.map(({ name }, k) => html`<span><svg viewBox="0 0 24 8"
      aria-hidden="true"><polyline class="line line${k}" points="0,4 24,4" /><circle class="dot line${k}" cx="12" cy="4"
      r="3.2" /></svg>${name}</span>`)}</span>` : nothing}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
      aria-label=${`${title}: ${lines.map((line) => spoken(line)).join('; ')}`} direction="ltr">
      ${marks.map((mark) => svg`<path class="grid" d="M${EDGE.left} ${y(mark)}H${WIDTH - EDGE.right}" /><text
        class="tick" x=${EDGE.left - 6} y=${y(mark) + 4} text-anchor="end">${written(mark)}</text>`)}
      ${ticks.map((n, k) => svg`<path class="grid"
        d="M${x(n)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" />${
        k % 2 === 0 ? svg`<text class="tick" x=${x(n)} y=${HEIGHT - EDGE.bottom + 14} text-anchor="middle">${n}</text>`
        : nothing}`)}
      <text class="tick" x=${WIDTH - EDGE.right + 22} y=${HEIGHT - EDGE.bottom + 14} text-anchor="middle">n</text>
      ${[...new Set(lines.flatMap(({ from = [] }) => from))].map((n) => svg`<path class="from" data-from=${n}
        d="M${x(n)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" />`)}
      ${guides(all).map(({ power, n, value }) => {
        // Cut where it leaves the picture.
        const at = (height: number) => n * (10 ** height / value) ** (1 / power);
        const on = (size: number) => `${x(size)} ${y(value * (size / n) ** power)}`;
        const [from, to] = [Math.max(first, at(low)), Math.min(last, at(high))];
        // Where they begin they are apart, unless one leaves the picture there: both end in one point.
        const places = NAMED.map((part): [number, number] => {
          const size = from * (to / from) ** part;
          return [x(size) + 6, y(value * (size / n) ** power) + 10];
        });
        const place = places.find(([left, top]) => !names.some(([otherLeft, otherTop]) =>
          Math.abs(left - otherLeft) < LETTERS.wide && Math.abs(top - otherTop) < LETTERS.high)) ?? places[0]!;
        names.push(place);
        return svg`<path class="guide" d="M${on(from)}L${on(to)}" /><text class="tick" data-guide=${power}
          x=${place[0]} y=${place[1]}>${power === 1 ? 'n' : 'n²'}</text>`;
      })}
      ${lines.map(({ points }, k) =>
        svg`<polyline class="line line${k}" points=${points.map(({ n, value }) => `${x(n)},${y(value)}`).join(' ')} />
        ${points.map(({ n, value }) =>
          svg`<circle class="dot line${k}" cx=${x(n)} cy=${y(value)} r="3.2"
          data-n=${n}><title>n = ${n}: ${written(value)} ${unit}</title></circle>`)}`)}
    </svg>${below}</figure>`;
}

// Through the highest point, which is the last one before the engine keeps less: the first runs cost what only small
// ones do.
function guides(all: Point[]): (Point & { power: number })[] {
  const through = all.reduce((a, b) => (b.value > a.value ? b : a));
  return [1, 2].map((power) => ({ ...through, power }));
}

const spoken = (line: Line): string => {
  const fit = growth(line.points);
  return `${line.name} ${fit ? `n${raised(fit.exponent, 1)}` : ''}`.trim();
};
