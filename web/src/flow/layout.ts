// SPDX-License-Identifier: Apache-2.0
import type { Box } from '../elements/shapes.ts';

/** Sizes in cells of what is there; a missing part takes no room. */
export interface Sizes {
  m: number;
  n: number;
  q?: number;
  k?: number;
  v?: number;
  c?: number;
  x?: { rows: number; cols: number };
  scores: boolean;
  weights: boolean;
  mask: boolean;
  longestLabel: number;
  /** The weights stand alone, with room for larger cells, and what goes with them stands below. */
  alone?: boolean;
  /** What a text or a table in place of the weights needs, in pixels. */
  sheet?: { w: number; h: number };
  /** How long the choice between pictures of the weights is; in most languages no longer than the default. */
  choice?: number;
}

export type Place = 'x' | 'query' | 'key' | 'scores' | 'mask' | 'weights' | 'value' | 'context';

export interface Layout {
  boxes: Partial<Record<Place, Box>>;
  rowLabels: number;
  height: number;
  labelHeight: number;
  width: number;
  /** How wide the weights are as a matrix: what stands below them is beside their caption, whatever picture it is. */
  drawn: number;
  /** Where the choice between pictures of the weights begins, in the room that is kept for it. */
  switchTop: number;
}

const CAPTION = 28;
const LEGEND = 62;
const SWITCH = 34;
const SWITCH_WIDTH = 208;
// Of most languages; and the names of the values, left of them.
const CHOICE = 232;
const NAMES = 74;
// Narrower than this a legend would not fit below.
const SMALLEST = 132;

// What stands below the last matrix, its name and its buttons, is wider than it, and some of that has room at the edge.
const LAST = 76;
// A mask is never drawn lower, so that its rows can be told apart.
const LEAST_MASK = 28;
// Scores are never drawn narrower.
const LEAST = 48;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/**
 * Multiplication geometry: each product stands where its operands cross. Queries left of the
 * scores, keys above them, the mask above the weights, values above the context.
 */
export function layout(sizes: Sizes, width: number): Layout {
  const { m, n } = sizes;
  const rowLabels = clamp(sizes.longestLabel * 7 + 10, 30, 84);
  const left = Math.max(sizes.q ? clamp(sizes.q * 30, 48, 84) : 0, sizes.x ? 84 : 0);
  const right = sizes.c ?? sizes.v ? clamp((sizes.c ?? sizes.v ?? 0) * 30, 48, 68) : 0;
  const gaps = { one: left ? 34 : 0, two: sizes.scores && sizes.weights ? 46 : 0,
    three: right ? (sizes.v ? 74 : 46) : 0 };
  const last = right ? Math.max(right, LAST) : 0;
  const middle = Math.max(120, width - rowLabels - left - last - gaps.one - gaps.two - gaps.three - 6);
  const most = Math.max(SMALLEST, n * (sizes.alone ? 64 : 46));
  // The choice between pictures needs its room above the weights and the gap behind, however few columns they have.
  const kept = right && sizes.weights ? Math.min(SWITCH_WIDTH - gaps.three, middle - LEAST) : 0;
  const forScores = sizes.scores ? Math.min(most, sizes.weights ? middle * 0.455 : middle, middle - kept) : 0;
  const drawn = Math.min(most, middle - forScores);
  const forWeights = sizes.weights ? Math.min(Math.max(drawn, sizes.sheet?.w ?? 0), middle - forScores) : 0;
  // Beyond what can be told apart, a long text shrinks into a field of points.
  const row = m > 64 ? 480 / m : clamp(Math.floor(380 / m), 7, sizes.alone ? 42 : 33);

  const hasTop = !!(sizes.x || sizes.k || sizes.mask || sizes.v);
  const topRows = Math.max(sizes.x?.rows ?? 0, sizes.v ? n : 0, sizes.k ?? 0);
  const labelHeight = clamp(sizes.longestLabel * 5 + 12, 22, 62);
  // The choice between pictures stands below the upper row where the keys stand above the weights, or where it would
  // reach over the values or their names; it does not move when another picture is chosen.
  const beside = right ? Math.max(gaps.three, SWITCH_WIDTH - drawn) : gaps.three;
  const over = sizes.k && !sizes.scores || sizes.v && drawn + beside - NAMES < (sizes.choice ?? CHOICE);
  const between = over && sizes.weights && !sizes.alone ? SWITCH : 0;
  const masked = sizes.mask && (sizes.scores || !sizes.k);
  // Above the mask there is room for its name, and for the choice unless that stands below.
  const spare = between || !masked ? 0 : SWITCH + 6;
  const top = hasTop ? clamp(topRows * 14, masked ? LEAST_MASK + spare : 40, 112) : 0;
  const capped = hasTop ? CAPTION + top : sizes.weights && !sizes.alone ? SWITCH : 0;
  const three = right && sizes.weights ? Math.max(gaps.three, SWITCH_WIDTH - forWeights) : gaps.three;
  const y = capped + between + labelHeight + 8;
  const h = row * m;

  let x = rowLabels;
  const boxes: Layout['boxes'] = {};
  if (sizes.x) boxes.x = { x, y: CAPTION, w: left, h: top };
  if (sizes.q) boxes.query = { x, y, w: left, h };
  x += left + gaps.one;
  if (sizes.scores) {
    boxes.scores = { x, y, w: forScores, h };
    if (sizes.k) boxes.key = above(x, forScores, clamp(sizes.k * 20, 20, top - 6), capped);
    x += forScores + gaps.two;
  }
  if (sizes.weights) {
    boxes.weights = { x, y, w: forWeights, h };
    if (sizes.k && !sizes.scores) boxes.key = above(x, forWeights, clamp(sizes.k * 20, 20, top - 6), capped);
    // Without scores the keys stand where the mask would: what it hides is hatched in the weights.
    if (masked) boxes.mask = above(x, drawn, clamp(m * 9, LEAST_MASK, top - spare), capped);
    x += forWeights + three;
  }
  if (sizes.c) boxes.context = { x, y, w: right, h };
  if (sizes.v) boxes.value = { x, y: CAPTION, w: right, h: top };
  const switchTop = boxes.mask && !between
    ? Math.max(0, boxes.mask.y - CAPTION - SWITCH) : y - labelHeight - SWITCH - 4;
  // A text or a table may reach below the other matrices, and then what stands below does too.
  const taller = boxes.weights && sizes.sheet ? Math.max(0, sizes.sheet.h - h) : 0;
  if (boxes.weights) boxes.weights.h += taller;
  return { boxes, rowLabels, height: y + h + taller + LEGEND, labelHeight, width: x + right, drawn, switchTop };
}

const above = (x: number, w: number, h: number, bottom: number): Box => ({ x, y: bottom - h, w, h });
