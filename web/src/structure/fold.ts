// SPDX-License-Identifier: Apache-2.0
// A diagram from left to right that is wider than the page, broken into bands like lines of music: what goes on in the
// next band leaves at the right, turns back below, and comes in at the left.
import { maximum, minimum } from '../lists.ts';
import { type Laid, type Line, near, path, type Place, type Point } from './layout.ts';

/** The piece of a wire that is seen in one band. */
export interface Piece {
  from: string;
  to: string;
  /** As a path of SVG. */
  d: string;
  /** Where the wire ends, if it ends here. */
  end: Point | undefined;
}

export interface Framed extends Place {
  /** It began in a band before this one, or goes on in the next. */
  began: boolean;
  goesOn: boolean;
}

/** A wire that goes on below, and where. */
export interface Way {
  from: string;
  to: string;
  x: number;
}

export interface Band {
  places: Place[];
  frames: Framed[];
  pieces: Piece[];
  ways: Way[];
  height: number;
}

export interface Folded {
  bands: Band[];
  width: number;
  /** How much smaller than its measures it has to be drawn to fit. */
  scale: number;
}

/** Beside the bands, room for wires that turn back. */
export const GUTTER = 28;
// Smaller than this nothing is drawn: there is another band instead.
const LEAST = 0.86;
const STEP = 5;
const EDGE = 4;
const LOOSE = 16;
const LINE = 9;
// A frame's name keeps its room.
const NAME = 26;
const ROUND = 5;
// Through the middle of what stands in a frame is the worst place to break.
const THROUGH_FRAME = 60;

interface Column {
  left: number;
  right: number;
}

function columnsOf(places: readonly Place[]): Column[] {
  const found: Column[] = [];
  for (const { x, w } of places.toSorted((a, b) => a.x - b.x)) {
    const last = found.at(-1);
    if (last && x < last.right) last.right = Math.max(last.right, x + w);
    else found.push({ left: x, right: x + w });
  }
  return found;
}

// Where the bands end, so that the widest of so many is as narrow as can be.
function breaks(columns: readonly Column[], { width, frames }: Laid, count: number): number[] {
  const cuts = [0, ...columns.slice(1).map(({ left }, k) => (columns[k]!.right + left) / 2), width];
  const through = cuts.map((x) => frames.filter((one) => one.x < x && x < one.x + one.w).length * THROUGH_FRAME);
  const known = new Map<string, { cost: number; ends: number[] }>();
  const best = (from: number, left: number): { cost: number; ends: number[] } => {
    const key = `${from} ${left}`;
    const before = known.get(key);
    if (before) return before;
    let found = { cost: cuts.at(-1)! - cuts[from]!, ends: [cuts.length - 1] };
    if (left > 1) {
      for (let to = from + 1; to < cuts.length - 1; to++) {
        const rest = best(to, left - 1);
        const cost = Math.max(cuts[to]! - cuts[from]! + through[to]!, rest.cost);
        if (cost < found.cost) found = { cost, ends: [to, ...rest.ends] };
      }
    }
    known.set(key, found);
    return found;
  };
  return best(0, count).ends.map((at) => cuts[at]!);
}

const inside = (x: number, from: number, to: number): boolean => x >= from && x <= to;

// The part of a line between two verticals; it runs from left to right.
function clipped(points: readonly Point[], from: number, to: number): Point[] {
  const found: Point[] = [];
  const at = (a: Point, b: Point, x: number): Point => ({ x, y: a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) });
  points.forEach((point, k) => {
    const next = points[k + 1];
    if (inside(point.x, from, to)) found.push(point);
    if (!next) return;
    for (const x of [from, to])
      if ((point.x < x && next.x > x) || (point.x > x && next.x < x)) found.push(at(point, next, x));
  });
  return found;
}

/** A line through these points that turns with rounded corners. */
function turning(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const said = ({ x, y }: Point) => `${x} ${y}`;
  const middle = rest.slice(0, -1).map((corner, k) =>
    `L${said(near(corner, points[k]!, ROUND))}Q${said(corner)} ${said(near(corner, rest[k + 1]!, ROUND))}`);
  return `M${said(first!)}${middle.join('')}L${said(rest.at(-1)!)}`;
}

// What has nothing in it from left to right takes no more room than the lines through it need.
function squeezed(boxes: readonly Place[], lines: readonly Cut[]): (y: number) => number {
  const solid: [number, number][] = [];
  for (const { y, h } of boxes.toSorted((a, b) => a.y - b.y)) {
    const last = solid.at(-1);
    if (last && y <= last[1]) last[1] = Math.max(last[1], y + h);
    else solid.push([y, y + h]);
  }
  const heights = [...new Set(lines.flatMap(({ points }) => points.map(({ y }) => Math.round(y))))];
  const stops: [from: number, to: number][] = [];
  const gap = (from: number, to: number): number => {
    const through = heights.filter((y) => y > from && y < to).length;
    return Math.min(to - from, LOOSE + LINE * through);
  };
  let at = 0;
  const low = minimum(heights, solid[0]?.[0] ?? 0);
  const high = maximum(heights, solid.at(-1)?.[1] ?? 0);
  let before = low;
  stops.push([low, 0]);
  for (const [from, to] of solid) {
    at += gap(before, from);
    stops.push([from, at]);
    at += to - from;
    stops.push([to, at]);
    before = to;
  }
  stops.push([high, at + gap(before, high)]);
  return (y) => {
    const k = Math.max(1, stops.findIndex(([from]) => y <= from));
    const [[from, low_], [to, high_]] = [stops[k - 1]!, stops[k]!];
    return to === from ? low_ : low_ + ((y - from) * (high_ - low_)) / (to - from);
  };
}

const onward = (d: string): string => `L${d.slice(1)}`;

interface Cut extends Line {
  began: boolean;
  goesOn: boolean;
}

/** In bands that are no wider than this, drawn a little smaller where that saves one. */
export function fold(laid: Laid, width: number): Folded {
  const columns = columnsOf(laid.places);
  const room = width / LEAST;
  let ends = [laid.width];
  for (let count = 1; count <= columns.length; count++) {
    ends = breaks(columns, laid, count);
    const widest = maximum(ends.map((end, k) => end - (ends[k - 1] ?? 0)));
    if (widest + (ends.length > 1 ? 2 * GUTTER : 0) <= room) break;
  }
  const gutter = ends.length > 1 ? GUTTER : 0;
  const whole = maximum(ends.map((end, k) => end - (ends[k - 1] ?? 0))) + 2 * gutter;
  let ways: Way[] = [];
  const bands = ends.map((end, k) => {
    const made = band(laid, [ends[k - 1] ?? 0, end], gutter, ways);
    ({ ways } = made);
    return made;
  });
  return { bands, width: whole, scale: Math.min(1, width / whole) };
}

function band(laid: Laid, [from, to]: [number, number], gutter: number, above: readonly Way[]): Band {
  const places = laid.places.filter(({ x, w }) => inside(x + w / 2, from, to));
  const frames = laid.frames.filter((one) => places.some(({ x, y, w, h }) =>
    x >= one.x && x + w <= one.x + one.w && y >= one.y && y + h <= one.y + one.h));
  const lines = laid.lines.flatMap(({ points, ...line }): Cut[] => {
    const [first, last] = [points[0]!.x, points.at(-1)!.x];
    const seen = clipped(points, from, to);
    return seen.length > 1 ? [{ ...line, points: seen, began: first < from, goesOn: last > to }] : [];
  });
  const low = squeezed([...places, ...frames.map((one) => ({ ...one, h: NAME })),
    ...frames.map((one) => ({ ...one, y: one.y + one.h - 1, h: 1 }))], lines);
  const spots = [...places, ...frames].flatMap(({ y, h }) => [low(y), low(y + h)])
    .concat(lines.flatMap(({ points }) => points.map(({ y }) => low(y))));
  const [left, top] = [from - gutter, minimum(spots) - EDGE];
  const bottom = maximum(spots) - top + EDGE;
  const right = to - left;
  const moved = <Spot extends Point>(spot: Spot): Spot => ({ ...spot, x: spot.x - left, y: low(spot.y) - top });
  // The lowest turns first, so that no two cross.
  const turned = lines.filter(({ goesOn }) => goesOn).toSorted((a, b) => b.points.at(-1)!.y - a.points.at(-1)!.y);
  const step = Math.min(STEP, (GUTTER - 14) / Math.max(1, turned.length));
  const height = bottom + (turned.length > 0 ? 10 + step * turned.length : 0);
  const ways = turned.map(({ from: source, to: target }, k): Way => ({ from: source, to: target, x: 6 + k * step }));
  const same = (one: { from: string; to: string }) => (other: { from: string; to: string }) =>
    one.from === other.from && one.to === other.to;
  const pieces = lines.map((line): Piece => {
    const points = line.points.map(moved);
    const [start, last] = [points[0]!, points.at(-1)!];
    let d = path(points);
    const entry = line.began ? above.find(same(line)) : undefined;
    if (entry) d = turning([{ x: entry.x, y: 0 }, { x: entry.x, y: start.y }, start]) + onward(d);
    const way = ways.findIndex(same(line));
    if (way >= 0) {
      const [x, y] = [right + 6 + way * step, bottom + 4 + way * step];
      d += onward(turning([last, { x, y: last.y }, { x, y }, { x: ways[way]!.x, y }, { x: ways[way]!.x, y: height }]));
    }
    return { from: line.from, to: line.to, d, end: line.goesOn ? undefined : last };
  });
  return {
    places: places.map(moved), pieces, ways, height,
    frames: frames.map((one) => {
      const [x, end] = [Math.max(one.x, from), Math.min(one.x + one.w, to)];
      return { ...moved({ ...one, x }), w: end - x, h: low(one.y + one.h) - low(one.y), began: one.x < from,
        goesOn: one.x + one.w > to };
    }),
  };
}
