// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import { onLegend } from '../colour/numbers.ts';
import { colourOf, type Theme } from '../colour/scale.ts';
import { lines as wrapped } from '../elements/labels.ts';
import { digits, fixed, percent as inPercent, whole as wholeNumber } from '../strings/numerals.ts';
import { strings } from '../strings/en.ts';
import { History } from './history.ts';
import { factsOf } from './map-facts.ts';
import type { Measured, Picture, Step } from './messages.ts';
import { points, range, thinning } from './polyline.ts';
import { words } from './words.ts';

export const LEFT = 96;
export const RIGHT = 132;
const TALL = 104;
const BAND = 12;
// The title of the bands is wider than the room beside them: the thumb's line begins below it.
const TITLE = 14;

export interface Axis {
  width: number;
  steps: number;
  /** The step that is looked at, and the newest. */
  looksAt: number;
  now: number;
}

/** Another run, to be drawn beside this one. */
export interface Beside {
  name: string;
  chosen: boolean;
  measured: readonly Measured[];
}

interface Line<T extends { step: number } = { step: number }> {
  name: string;
  shown: string;
  style: string;
  list: readonly T[];
  of: (one: T) => number | undefined;
}
// Lines over lists of different kinds stand in one panel.
const line = <T extends { step: number }>(one: Line<T>): Line => one as unknown as Line;

const acrossOf = ({ width, steps }: Axis) =>
  (step: number) => LEFT + (step / Math.max(1, steps)) * (width - LEFT - RIGHT);

export function stepAt(axis: Axis, x: number): number {
  return Math.round(((x - LEFT) / (axis.width - LEFT - RIGHT)) * axis.steps);
}

// A legend's line has room for so many letters beside the panel.
const ROOM = 16;
const LINE = 15;
// A title has so many letters beside its panel, between the numbers of the two highest lines.
const TITLE_ROOM = 12;
const TITLE_TOP = 30;

// A value and its name, in as many lines as they take.
const legend = (shown: string, name: string): string[] => wrapped(`${shown} ${name}`.trim(), ROOM);

const isDrawn = ({ list, of }: Line): boolean => {
  const [least] = range(list, of.name, of);
  return least !== Infinity;
};

function panel(title: string, lines: Line[], others: Line[], marks: { at: number; text: string }[],
  down: (value: number) => number, axis: Axis, scale = ''): unknown {
  const x = acrossOf(axis);
  const spoken = lines.map(({ name, shown }) => `${name} ${shown}`).join(strings.comma);
  const named = others.length === 0 ? lines
    : [...lines, line({ name: words().otherRuns, shown: '', style: 'line other', list: [], of: () => undefined })];
  const drawn = ({ list, of }: Line) => points(list, of.name, {
    across: ({ step }) => x(step), scale: `${axis.width} ${axis.steps} ${scale}`,
    down: (one) => {
      const value = of(one);
      return value === undefined ? undefined : down(value);
    },
  });
  return html`<svg class="panel" width=${axis.width} height=${TALL + 16} role="img" aria-label=${`${title}: ${spoken}`}
    direction="ltr">
    ${marks.map(({ at, text }) => svg`<path class="grid" d="M${LEFT} ${down(at)}H${axis.width - RIGHT}" /><text
      class="tick" x=${LEFT - 6} y=${down(at) + 4} text-anchor="end">${text}</text>`)}
    <svg x=${LEFT} width=${Math.max(0, axis.width - LEFT - RIGHT)} height=${TALL + 16}
      viewBox="${LEFT} 0 ${Math.max(1, axis.width - LEFT - RIGHT)} ${TALL + 16}">${[...others, ...lines].map((one) =>
      svg`<polyline class=${one.style} points=${drawn(one)} />`)}</svg>
    ${named.map(({ name, shown, style }, k) => {
      const before = named.slice(0, k).reduce((sum, one) => sum + LINE * legend(one.shown, one.name).length + 3, 0);
      const [x0, y] = [axis.width - RIGHT + 34, 26 + before];
      const [first = '', ...rest] = legend(shown, name);
      return svg`<path class=${style} d="M${x0 - 22} ${y - 4}h16" /><text class="legend" x=${x0} y=${y}><tspan
        class="bold">${shown}</tspan>${first.slice(shown.length)}${rest.map((text, down) =>
        svg`<tspan x=${x0} y=${y + LINE * (down + 1)}>${text}</tspan>`)}</text>`;
    })}
    <path class="thumb" d="M${x(axis.looksAt)} 0V${TALL + 16}" />
    ${axis.now > axis.looksAt ? svg`<path class="now" d="M${x(axis.now)} 0V${TALL + 16}" />` : nothing}
    <text class="title" x="0">${wrapped(title, TITLE_ROOM).map((text, k) =>
      svg`<tspan x="0" y=${TITLE_TOP + LINE * k}>${text}</tspan>`)}</text></svg>`;
}

// What is drawn of a step and of a measurement. Their names tell the lines over one list from each other.
const of = {
  loss: ({ loss }: Step) => loss,
  gradientNorm: ({ gradientNorm: norm }: Step) => (Number.isFinite(norm) ? norm : undefined),
  rate: ({ rate }: Step) => (Number.isFinite(rate) ? rate : undefined),
  heldOutLoss: ({ heldOutLoss }: Measured) => heldOutLoss,
  accuracy: ({ accuracy }: Measured) => accuracy,
  alignment: ({ alignment }: Measured) => alignment,
  agrees: ({ agrees }: Measured) => agrees,
  firstKey: (picture: Picture) => factsOf(picture).first,
  entropy: (picture: Picture) => factsOf(picture).entropy,
};
/** What has a logarithm. */
const positive = ({ list, of: value }: Line) => range(list, `${value.name} positive`, (one) => {
  const own = value(one);
  return own !== undefined && own > 0 ? own : undefined;
});

/** The loss, on a logarithmic scale. */
export function lossCurve(history: History, axis: Axis, beside: readonly Beside[] = []): unknown {
  const lines: Line[] = [
    line({ name: words().inTraining, style: 'line thin', list: history.steps, of: of.loss,
      shown: written(History.at(history.steps, axis.looksAt)?.loss) }),
    line({ name: words().heldOut, style: 'line', list: history.measured, of: of.heldOutLoss,
      shown: written(History.at(history.measured, axis.looksAt)?.heldOutLoss) }),
  ];
  const others = othersOf(beside, of.heldOutLoss);
  const ranges = [...lines, ...others].map(positive);
  const most = maximum(ranges.map((one) => one[1]));
  if (most === -Infinity) return nothing;
  const high = Math.ceil(Math.log10(most) * 2) / 2;
  const low = Math.min(high - 0.5, Math.floor(Math.log10(minimum(ranges.map((one) => one[0]))) * 2) / 2);
  const down = (value: number) => 8 + ((high - Math.log10(Math.max(value, 10 ** low))) / (high - low)) * TALL;
  const marks = [high, (high + low) / 2, low].map((power) => ({ at: 10 ** power, text: onLegend(10 ** power) }));
  return panel(words().loss, lines, others, marks, down, axis, `${low} ${high}`);
}

type Share = 'accuracy' | 'alignment' | 'agrees';

/** Whether dashed cells count for something: a task whose truth has none gives the alignment accuracy twice. */
export const hasDashed = ({ alignment, agrees }: Pick<Measured, 'alignment' | 'agrees'>): boolean =>
  agrees !== undefined && agrees !== alignment;

const othersOf = (beside: readonly Beside[], value: Line<Measured>['of']): Line[] =>
  beside.map(({ chosen, measured, name }) =>
    line({ name, shown: '', style: chosen ? 'line' : 'line other', list: measured, of: value }));

const written = (value: number | undefined): string => (value === undefined ? '' : onLegend(value));
// What is not all is not rounded to all.
export const percent = (share: number | undefined): string => {
  if (share === undefined) return '';
  const whole = Math.round(100 * share);
  return inPercent(whole === 100 && share < 1 ? fixed(Math.min(99.9, 100 * share), 1) : String(whole));
};

/** The difference of two shares, in percentage points, as the head of its column says. */
export const inPoints = (share: number): string =>
  `${share > 0.0005 ? '+' : share < -0.0005 ? '−' : '±'}${digits(Math.abs(Math.round(1000 * share) / 10), 4)}`;

/** What is right: words, and where the rows look most. */
export function shareCurve(history: History, axis: Axis, beside: readonly Beside[] = [],
  share: Share = 'accuracy'): unknown {
  const here = History.at(history.measured, axis.looksAt);
  const shown = (name: string, style: string, which: Share): Line =>
    line({ name, style, shown: percent(here?.[which]), list: history.measured, of: of[which] });
  const lines = [shown(words().wordsRight, 'line', 'accuracy'), shown(words().looksRight, 'line looks', 'alignment'),
    ...(history.measured.some(hasDashed) ? [shown(words().orAgrees, 'line looks dashed', 'agrees')] : [])];
  const down = (value: number) => 8 + (1 - value) * TALL;
  return panel(words().share, lines.filter(isDrawn), othersOf(beside, of[share]),
    [1, 0.5, 0].map((at) => ({ at, text: percent(at) })), down, axis);
}

/** What the maps of the pinned example are like: how much weight the first key gets, and the entropy of a row. */
export function mapCurves(history: History, axis: Axis): unknown {
  const { pictures } = history;
  const here = History.at(pictures, axis.looksAt);
  const bits = (value: number | undefined) => (value === undefined ? '' : fixed(value, 2));
  const one = (title: string, name: string, value: (picture: Picture) => number | undefined, shown: string,
    most: number, write: (value: number) => string) => {
    const drawn = line({ name, style: 'line looks', list: pictures, of: value, shown });
    const down = (x: number) => 8 + (1 - x / most) * TALL;
    return isDrawn(drawn) ? panel(title, [drawn], [], [most, most / 2, 0].map((at) => ({ at, text: write(at) })), down,
      axis, String(most)) : nothing;
  };
  // The scale of the entropy ends at what a row with the same weight on all keys has.
  const keys = maximum((pictures.at(-1)?.maps ?? []).map(({ shape }) => shape[2]), 2);
  const [share, spread] = [here && of.firstKey(here), here && of.entropy(here)];
  return html`${one(words().firstKey, words().firstKeyOf, of.firstKey, percent(share), 1, percent)}${
    one(words().entropy, words().entropyIn, of.entropy, bits(spread), Math.log2(keys), bits)}`;
}

/** What else is known of each step: how long all gradients together were (log), and how far a step went. */
export function moreCurves(history: History, axis: Axis): unknown {
  const here = History.at(history.steps, axis.looksAt);
  const one = (title: string, value: (step: Step) => number | undefined, log: boolean) => {
    const drawn = line({ name: '', style: 'line', list: history.steps, of: value,
      shown: written(here && value(here)) });
    if (!isDrawn(drawn)) return nothing;
    const scale = (x: number) => (log ? Math.log10(Math.max(x, 1e-9)) : x);
    const [least, most] = range(drawn.list, drawn.of.name, drawn.of);
    const high = scale(most);
    const low = log ? Math.min(high - 0.5, scale(least)) : 0;
    const back = (x: number) => (log ? 10 ** x : x);
    const down = (x: number) => 8 + ((high - scale(x)) / (high - low || 1)) * TALL;
    return panel(title, [drawn], [], [high, low].map((x) => ({ at: back(x), text: onLegend(back(x)) })), down, axis,
      `${low} ${high}`);
  };
  return html`${one(words().gradientNorm, of.gradientNorm, true)}${one(words().rate, of.rate, false)}`;
}

/** How high the bands of so many words are, with their axis. */
export const bandsHeight = (rows: number): number => rows * BAND + 30;

/**
 * For each word of the answer, the chance given to the right one, from the first step on: when it came. The cells are
 * painted (below).
 */
export function sureBands(history: History, axis: Axis): unknown {
  const last = history.pictures.at(-1);
  if (!last) return nothing;
  const x = acrossOf(axis);
  const height = last.truth.length * BAND;
  const here = History.at(history.pictures, axis.looksAt);
  const title = last.outside ? words().sureOutside : words().sure;
  const spoken = last.truth.map((word, k) => `${word} ${percent(here?.chance[k])}`).join(strings.comma);
  return html`<div class="bands"><canvas class="cells" width=${Math.round(axis.width)} height=${height}></canvas>
    <svg class="panel" width=${axis.width} height=${bandsHeight(last.truth.length)} role="img"
      aria-label=${`${title}: ${spoken}`} direction="ltr">
    <text class="title" x="0" y="10">${title}</text>
    ${last.truth.map((word, k) => svg`<text class="tick" x=${LEFT - 6} y=${24 + k * BAND}
      text-anchor="end">${word}</text>`)}
    ${[0, 0.25, 0.5, 0.75, 1].map((share) =>
      svg`<text class="tick" x=${x(share * axis.steps)} y=${height + 28}
      text-anchor="middle">${wholeNumber(share * axis.steps)}</text>`)}
    <path class="thumb" d="M${x(axis.looksAt)} ${TITLE}V${height + 16}" /></svg></div>`;
}

interface Painted {
  pictures: readonly Picture[];
  key: string;
  taken: number;
}
const painted = new WeakMap<HTMLCanvasElement, Painted>();

/** How many cells were painted so far. */
export const cells = { painted: 0 };

/**
 * Paints the cells of the bands: thousands of them would keep the page busy as elements. What is there already stays,
 * where only more came.
 */
export function paintBands(canvas: HTMLCanvasElement, { pictures }: History, axis: Axis, theme: Theme): void {
  const paper = canvas.getContext('2d');
  if (!paper) return;
  const x = acrossOf(axis);
  const by = thinning(pictures.length);
  const key = `${by} ${canvas.width} ${canvas.height} ${axis.steps} ${theme}`;
  const before = painted.get(canvas);
  const goesOn = before?.pictures === pictures && before.key === key && before.taken <= pictures.length;
  if (!goesOn) paper.clearRect(0, 0, canvas.width, canvas.height);
  const drawn = pictures.filter((_, k) => k % by === 0 || k === pictures.length - 1);
  // The last that was painted reached to the newest step of then.
  const from = goesOn ? Math.max(0, Math.floor((before.taken - 1) / by)) : 0;
  painted.set(canvas, { pictures, key, taken: pictures.length });
  for (let n = from; n < drawn.length; n++) {
    const left = x(drawn[n]!.step);
    const right = x(drawn[n + 1]?.step ?? axis.now);
    paper.clearRect(left, 0, canvas.width, canvas.height);
    drawn[n]!.chance.forEach((chance, k) => {
      cells.painted++;
      paper.fillStyle = colourOf(chance, [0, 1], 'weights', theme).fill;
      paper.fillRect(left, k * BAND, Math.max(0, right - left) + 0.5, BAND - 1);
    });
  }
}
