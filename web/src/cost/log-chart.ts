// SPDX-License-Identifier: Apache-2.0
// Lines over a size or a knob, both axes logarithmic unless a knob is not: the one chart of Cost and of Compare.
import { maximum, minimum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import type { Point } from './fit.ts';
import { strings } from '../strings/en.ts';
import { digits, whole } from '../strings/numerals.ts';

export interface Curve {
  name: string;
  /** The boxed letter at its end. */
  letter?: 'A' | 'B';
  style: 'a' | 'b';
  points: readonly Point[];
  /** Where it would go on, dashed. */
  onward?: readonly Point[];
  /** From the lowest to the highest of several draws. */
  band?: readonly { n: number; low: number; high: number }[];
}

export interface Plot {
  title: string;
  /** Beside and below the title. */
  note: string;
  unit: string;
  axis: string;
  curves: readonly Curve[];
  ends: readonly [number, number];
  linear?: boolean;
  written: (value: number) => string;
  /** Where the curves cross, with what is said of it. */
  mark?: { n: number; text: string };
  /** What stands in its place before there is anything to draw. */
  empty?: unknown;
  /** What is smaller is drawn at the lower edge. */
  least?: number;
  /** The place that the reader has set. */
  ring?: number;
  /** Every size, with a vertical line each; without them only the ends are named. */
  sizes?: readonly number[];
  /** Sizes at which something changes, each with a dotted vertical line. */
  changes?: readonly number[];
  /** Two dashed lines show growth like n and like n² through the highest point. */
  powers?: boolean;
  /** What explains the chart below it. */
  below?: unknown;
}

export const WIDTH = 270;
const HEIGHT = 236;
// The side of a letter's box.
const LETTER = 16;
export const EDGE = { left: 46, right: 22, top: 12, bottom: 34 };
/** Where along a dashed line its name is written: at the first of these places that is free of the curves and of the
 * other name. */
const NAMED = [0.25, 0.5, 0.75, 1, 0.125, 0.375, 0.625, 0.875];
const LETTERS = { wide: 14, high: 10 };

export const across = ({ ends: [low, high], linear }: Pick<Plot, 'ends' | 'linear'>) => (n: number): number => {
  const share = linear ? (n - low) / Math.max(1e-9, high - low)
    : Math.log(n / low) / Math.max(1e-9, Math.log(high / low));
  return EDGE.left + share * (WIDTH - EDGE.left - EDGE.right);
};

// A tick at each power of ten, or at 1, 2 and 5 times it where there are few.
function marks(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); k++) powers.push(10 ** k);
  const by = Math.ceil(powers.length / 6);
  const found = powers.length > 3 ? powers.filter((_, k) => k % by === 0)
    : powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return found.filter((mark) => mark >= low * 0.999 && mark <= high * 1.001);
}

// A knob's value may lie between whole numbers.
const sized = (n: number): string => (Number.isInteger(n) ? whole(n) : digits(n, 6));

export function plot(one: Plot): unknown {
  const drawn = one.curves.flatMap(({ points, onward = [], band = [] }) =>
    [...points, ...onward, ...band.flatMap(({ n, low, high }) => [{ n, value: low }, { n, value: high }])])
    .filter(({ value }) => value > 0);
  const head = html`<figcaption><b>${one.title}</b> <span class="note">${one.note}</span></figcaption>`;
  if (drawn.length === 0) return html`<figure class="plot">${head}<div
    class="blank">${one.empty ?? nothing}</div></figure>`;
  const values = drawn.map(({ value }) => value);
  const [low, high] = [Math.max(minimum(values) / 1.3, one.least ?? 0), maximum(values) * 1.3];
  const x = across(one);
  const tall = HEIGHT - EDGE.top - EDGE.bottom;
  const y = (value: number) => EDGE.top + (1 - Math.log(Math.max(value, low) / low) / Math.log(high / low)) * tall;
  const path = (points: readonly Point[]) =>
    points.filter(({ value }) => value > 0).map(({ n, value }) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`)
    .join(' ');
  const spoken = one.curves.map(({ name, points }) =>
    `${name}: ${points.map(({ n, value }) => `${sized(n)}: ${one.written(value)}`).join(strings.comma)}`).join('. ');
  return html`<figure class="plot">${head}
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" direction="ltr"
      aria-label=${`${one.title}, ${one.unit}. ${spoken}${one.mark ? `. ${one.mark.text}` : ''}`}>
      ${marks(low, high).map((mark) =>
        svg`<path class="grid" d="M${EDGE.left} ${y(mark)}H${WIDTH - EDGE.right}" /><text class="tick"
        x=${EDGE.left - 6} y=${y(mark) + 4} text-anchor="end">${one.written(mark)}</text>`)}
      ${(one.sizes ?? []).map((n) => svg`<path class="grid" d="M${x(n)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" />`)}
      ${(one.changes ?? []).map((n) => svg`<path class="change" data-from=${n}
        d="M${x(n)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" />`)}
      ${one.powers ? powers(drawn, one.ends, [low, high], x, y) : nothing}
      <path class="base" d="M${EDGE.left} ${HEIGHT - EDGE.bottom}H${WIDTH - EDGE.right}" />
      ${one.curves.map(({ band = [] }) =>
        (band.length > 1 ? svg`<polygon class="band"
        points=${`${path(band.map(({ n, high: value }) => ({ n, value })))} ${path(
        band.map(({ n, low: value }) => ({ n, value })).toReversed())}`} />` : nothing))}
      ${one.ring === undefined ? nothing
        : svg`<path class="ring-line" d="M${x(one.ring)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" />`}
      ${one.curves.map(({ points, onward = [], style }) =>
        svg`<polyline class="line ${style}" points=${path(points)} /><polyline class="line ${style} dashed"
          points=${path(onward)} />
          ${points.map(({ n, value }) =>
            svg`<circle class="dot ${style}" cx=${x(n)} cy=${y(value)} r="3" data-n=${n}
            data-value=${value}><title>${sized(n)}: ${one.written(value)} ${one.unit}</title></circle>`)}`)}
      ${lettered(one.curves, x, y).map(({ letter, left, top }) => svg`<g class="letter ${letter}"
        transform="translate(${left} ${top})"><rect width="${LETTER}" height="${LETTER}" rx="3" /><text x="8" y="12"
        text-anchor="middle">${letter}</text></g>`)}
      ${one.mark ? crossed(one.mark, x, y, one.curves) : nothing}
      ${[one.ends[0], one.ends[1]].map((n, k) =>
        svg`<text class="tick" x=${x(n)} y=${HEIGHT - 8} text-anchor=${k === 0 ? 'start' : 'end'}>${whole(n)}</text>`)}
      <text class="tick" x=${(EDGE.left + WIDTH - EDGE.right) / 2} y=${HEIGHT - 8}
        text-anchor="middle">${one.axis}</text>
    </svg>${one.below ?? nothing}</figure>`;
}

// Lines of growth like n and n² through the highest point: the smallest runs cost what only small ones do.
function powers(drawn: readonly Point[], [first, last]: readonly [number, number], [low, high]: [number, number],
  x: (n: number) => number, y: (value: number) => number): unknown {
  const { n, value } = drawn.reduce((a, b) => (b.value > a.value ? b : a));
  const names: [number, number][] = [];
  return [1, 2].map((power) => {
    const at = (size: number): [number, number] => [x(size), y(value * (size / n) ** power)];
    // Each is cut where it leaves the picture.
    const [from, to] = [low, high].map((height) => n * (height / value) ** (1 / power)) as [number, number];
    const [left, right] = [Math.max(first, from), Math.min(last, to)];
    const places = NAMED.map((part) => at(left * (right / left) ** part))
      .map(([across, down]): [number, number] => [across + 6, down + 10]);
    // A point of a curve lies in the middle of a name, which begins at its left and stands on its base.
    const taken: [number, number][] = [...names, ...drawn.map((point): [number, number] =>
      [x(point.n) - LETTERS.wide / 2, y(point.value) + LETTERS.high / 2])];
    const name = places.find(([across, down]) => !taken.some(([other, above]) =>
      Math.abs(across - other) < LETTERS.wide && Math.abs(down - above) < LETTERS.high)) ?? places[0]!;
    names.push(name);
    return svg`<path class="power" d="M${at(left).join(' ')}L${at(right).join(' ')}" /><text class="tick"
      data-guide=${power} x=${name[0]} y=${name[1]}>${power === 1 ? 'n' : 'n²'}</text>`;
  });
}

// The letters at the ends of the curves. Of two that would lie on each other one gives way upwards, one downwards.
function lettered(curves: readonly Curve[], x: (n: number) => number, y: (value: number) => number):
  { letter: string; left: number; top: number }[] {
  const all = curves.flatMap(({ points, onward = [], letter }) => {
    const end = onward.at(-1) ?? points.at(-1);
    return letter && end ? [{ letter, left: Math.min(x(end.n) + 4, WIDTH - LETTER - 1),
      top: y(end.value) - LETTER / 2 }] : [];
  }).toSorted((one, other) => one.top - other.top);
  const [above, below] = all;
  if (above && below && Math.abs(above.left - below.left) < LETTER) {
    const lacking = Math.max(0, LETTER + 2 - (below.top - above.top)) / 2;
    above.top -= lacking;
    below.top += lacking;
  }
  return all;
}

function crossed({ n, text }: NonNullable<Plot['mark']>, x: (n: number) => number, y: (value: number) => number,
  [curve]: readonly Curve[]): unknown {
  const points = curve?.points ?? [];
  const after = points.find((point) => point.n >= n) ?? points.at(-1);
  const before = points.findLast((point) => point.n <= n) ?? after;
  if (!after || !before) return nothing;
  const share = after.n === before.n ? 0 : Math.log(n / before.n) / Math.log(after.n / before.n);
  const at = y(before.value * (after.value / before.value) ** share);
  const left = x(n) < WIDTH / 2;
  return svg`<path class="guide" d="M${x(n)} ${at}V${HEIGHT - EDGE.bottom}" /><circle class="crossing" data-n=${n}
    cx=${x(n)} cy=${at} r="4.500" />
    <text class="said" x=${x(n) + (left ? 7 : -7)} y=${HEIGHT - EDGE.bottom - 8}
      text-anchor=${left ? 'start' : 'end'}>${text}</text>`;
}
