// SPDX-License-Identifier: Apache-2.0
import { html, nothing, svg } from 'lit';
import { onLegend } from '../colour/numbers.ts';
import { colourOf, type Theme } from '../colour/scale.ts';
import { History, type Measured } from './history.ts';
import type { Measures, Step } from './messages.ts';
import { words } from './words.ts';

export const LEFT = 96;
export const RIGHT = 132;
const TALL = 104;
const BAND = 12;
/** Long trainings are drawn by so many points. */
const POINTS = 600;

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

interface Line {
  name: string;
  shown: string;
  style: string;
  points: { step: number; value: number }[];
}

const acrossOf = ({ width, steps }: Axis) =>
  (step: number) => LEFT + (step / Math.max(1, steps)) * (width - LEFT - RIGHT);

export function stepAt(axis: Axis, x: number): number {
  return Math.round(((x - LEFT) / (axis.width - LEFT - RIGHT)) * axis.steps);
}

function thinned<T>(list: readonly T[]): readonly T[] {
  const by = Math.ceil(list.length / POINTS);
  return by <= 1 ? list : list.filter((_, k) => k % by === 0 || k === list.length - 1);
}

function panel(title: string, lines: Line[], others: Line[], marks: { at: number; text: string }[],
  down: (value: number) => number, axis: Axis): unknown {
  const x = acrossOf(axis);
  const spoken = lines.map(({ name, shown }) => `${name} ${shown}`).join(', ');
  return html`<svg class="panel" width=${axis.width} height=${TALL + 16} role="img" aria-label=${`${title}: ${spoken}`}
    direction="ltr">
    <text class="title" x="0" y="16">${title}</text>
    ${marks.map(({ at, text }) => svg`<path class="grid" d="M${LEFT} ${down(at)}H${axis.width - RIGHT}" /><text
      class="tick" x=${LEFT - 6} y=${down(at) + 4} text-anchor="end">${text}</text>`)}
    ${[...others, ...lines].map(({ points, style }) =>
      svg`<polyline class=${style}
      points=${thinned(points).map(({ step, value }) => `${x(step).toFixed(1)},${down(value).toFixed(1)}`)
      .join(' ')} />`)}
    ${lines.map(({ name, shown, style }, k) =>
      svg`<path class=${style} d="M${axis.width - RIGHT + 12} ${22 + 18 * k}h16" />
      <text class="legend" x=${axis.width - RIGHT + 34}
        y=${26 + 18 * k}><tspan class="bold">${shown}</tspan>${` ${name}`}</text>`)}
    <path class="thumb" d="M${x(axis.looksAt)} 0V${TALL + 16}" />
    ${axis.now > axis.looksAt ? svg`<path class="now" d="M${x(axis.now)} 0V${TALL + 16}" />` : nothing}</svg>`;
}

/** The loss, on a logarithmic scale. */
export function lossCurve(history: History, axis: Axis, beside: readonly Beside[] = []): unknown {
  const lines: Line[] = [
    { name: words().inTraining, style: 'line thin',
      points: history.steps.map(({ step, loss }) => ({ step, value: loss })),
      shown: written(History.at(history.steps, axis.looksAt)?.loss) },
    { name: words().heldOut, style: 'line',
      points: history.measured.map(({ step, heldOutLoss }) => ({ step, value: heldOutLoss })),
      shown: written(History.at(history.measured, axis.looksAt)?.heldOutLoss) },
  ];
  const others = othersOf(beside, 'heldOutLoss');
  const values = [...lines, ...others].flatMap(({ points }) => points.map(({ value }) => value))
    .filter((value) => value > 0);
  if (values.length === 0) return nothing;
  const high = Math.ceil(Math.log10(Math.max(...values)) * 2) / 2;
  const low = Math.min(high - 0.5, Math.floor(Math.log10(Math.min(...values)) * 2) / 2);
  const down = (value: number) => 8 + ((high - Math.log10(Math.max(value, 10 ** low))) / (high - low)) * TALL;
  const marks = [high, (high + low) / 2, low].map((power) => ({ at: 10 ** power, text: onLegend(10 ** power) }));
  return panel(words().loss, lines, others, marks, down, axis);
}

type Share = 'accuracy' | 'alignment' | 'agrees';

const othersOf = (beside: readonly Beside[], of: Share | 'heldOutLoss'): Line[] =>
  beside.map(({ name, chosen, measured }) => ({
  name, shown: '', style: chosen ? 'line' : 'line other',
  points: measured.filter((one) => one[of as keyof Measures] !== undefined)
    .map((one) => ({ step: one.step, value: one[of]! })),
}));

const written = (value: number | undefined): string => (value === undefined ? '' : onLegend(value));
export const percent = (share: number | undefined): string =>
  (share === undefined ? '' : `${Math.round(100 * share)} %`);

/** What is right: words, and where the rows look most. */
export function shareCurve(history: History, axis: Axis, beside: readonly Beside[] = [],
  of: Share = 'accuracy'): unknown {
  const here = History.at(history.measured, axis.looksAt);
  const line = (name: string, style: string, of: 'accuracy' | 'alignment' | 'agrees'): Line => ({
    name, style, shown: percent(here?.[of]),
    points: history.measured.filter((one) => one[of] !== undefined).map((one) => ({ step: one.step, value: one[of]! })),
  });
  const lines = [line(words().wordsRight, 'line', 'accuracy'), line(words().looksRight, 'line looks', 'alignment'),
    line(words().orAgrees, 'line looks dashed', 'agrees')];
  const down = (value: number) => 8 + (1 - value) * TALL;
  return panel(words().share, lines.filter(({ points }) => points.length > 0), othersOf(beside, of),
    [1, 0.5, 0].map((at) => ({ at, text: percent(at) })), down, axis);
}

/** What else is known of each step: how long all gradients together were (log), and how far a step went. */
export function moreCurves(history: History, axis: Axis): unknown {
  const here = History.at(history.steps, axis.looksAt);
  const of = (title: string, value: (one: Step) => number, log: boolean) => {
    const points = history.steps.map((one) => ({ step: one.step, value: value(one) }))
      .filter((one) => Number.isFinite(one.value));
    if (points.length === 0) return nothing;
    const scale = (x: number) => (log ? Math.log10(Math.max(x, 1e-9)) : x);
    const values = points.map((one) => scale(one.value));
    const high = values.reduce((most, x) => Math.max(most, x), -Infinity);
    const low = log ? Math.min(high - 0.5, values.reduce((least, x) => Math.min(least, x), Infinity)) : 0;
    const back = (x: number) => (log ? 10 ** x : x);
    const down = (x: number) => 8 + ((high - scale(x)) / (high - low || 1)) * TALL;
    return panel(title, [{ name: '', style: 'line', points, shown: written(here && value(here)) }], [],
      [high, low].map((x) => ({ at: back(x), text: onLegend(back(x)) })), down, axis);
  };
  return html`${of(words().gradientNorm, (one) => one.gradientNorm, true)}${
    of(words().rate, (one) => one.rate, false)}`;
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
  const spoken = last.truth.map((word, k) => `${word} ${percent(here?.chance[k])}`).join(', ');
  return html`<div class="bands"><canvas class="cells" width=${Math.round(axis.width)} height=${height}></canvas>
    <svg class="panel" width=${axis.width} height=${bandsHeight(last.truth.length)} role="img"
      aria-label=${`${words().sure}: ${spoken}`} direction="ltr">
    <text class="title" x="0" y="10">${words().sure}</text>
    ${last.truth.map((word, k) => svg`<text class="tick" x=${LEFT - 6} y=${24 + k * BAND}
      text-anchor="end">${word}</text>`)}
    ${[0, 0.25, 0.5, 0.75, 1].map((share) =>
      svg`<text class="tick" x=${x(share * axis.steps)} y=${height + 28}
      text-anchor="middle">${Math.round(share * axis.steps)}</text>`)}
    <path class="thumb" d="M${x(axis.looksAt)} 0V${height + 16}" /></svg></div>`;
}

/** Paints the cells of the bands: thousands of them would keep the page busy as elements. */
export function paintBands(canvas: HTMLCanvasElement, history: History, axis: Axis, theme: Theme): void {
  const paper = canvas.getContext('2d');
  if (!paper) return;
  paper.clearRect(0, 0, canvas.width, canvas.height);
  const x = acrossOf(axis);
  const pictures = thinned(history.pictures);
  pictures.forEach((picture, n) => {
    const from = x(picture.step);
    const to = x(pictures[n + 1]?.step ?? axis.now);
    picture.chance.forEach((chance, k) => {
      paper.fillStyle = colourOf(chance, [0, 1], 'weights', theme).fill;
      paper.fillRect(from, k * BAND, Math.max(0, to - from) + 0.5, BAND - 1);
    });
  });
}
