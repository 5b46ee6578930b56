// SPDX-License-Identifier: Apache-2.0
// A diagram from left to right that is wider than the page, broken into bands like lines of music. A wire that goes on
// in another band ends at the right in a flag that names where it goes, and begins there at the left in one that names
// where it comes from: no wire runs around the diagram.
import { maximum, minimum } from '../lists.ts';
import { type Laid, type Line, path, type Place, type Point } from './layout.ts';

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

/** At an edge of a band, in place of a wire that goes on elsewhere: what it comes from, or all that it goes to. */
export interface Flag extends Point {
  /** At the right edge; else at the left one. */
  out: boolean;
  ids: string[];
}

export interface Band {
  places: Place[];
  frames: Framed[];
  pieces: Piece[];
  flags: Flag[];
  height: number;
}

export interface Folded {
  bands: Band[];
  width: number;
  /** The room for flags at each side of a band. */
  gutter: number;
  /** How much smaller than its measures it has to be drawn to fit. */
  scale: number;
}

/** Of a frame that was cut into bands, the first of its widest parts: it has the most room for the frame's name. */
export function isWidest(one: Framed, { bands }: Folded): boolean {
  const parts = bands.flatMap(({ frames }) => frames.filter(({ id }) => id === one.id));
  return parts.toSorted((a, b) => b.w - a.w)[0] === one;
}

/** Beside the bands, the least room for flags, and how much more they get where the page is wider. */
export const GUTTER = 76;
const MORE = 48;
// Smaller than this nothing is drawn: there is another band instead.
const LEAST = 0.86;
// Between the line and the name of a flag, and between two names below each other.
const POLE = 10;
const APART = 14;
const EDGE = 4;
const LOOSE = 16;
const LINE = 9;
// A frame's name keeps its room.
const NAME = 26;

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

interface Broken {
  /** By how much the widest band is wider than there is room. */
  over: number;
  /** How many frames are cut. */
  cut: number;
  widest: number;
  ends: number[];
}

const isBetter = (one: Broken, other: Broken): boolean => one.over < other.over
  || (one.over === other.over && (one.cut < other.cut || (one.cut === other.cut && one.widest < other.widest)));

// Where so many bands end: with their flags in the room, the fewest frames cut, and the widest as narrow as can be.
function breaks(columns: readonly Column[], { width, frames }: Laid, count: number, room: number): Broken {
  const cuts = [0, ...columns.slice(1).map(({ left }, k) => (columns[k]!.right + left) / 2), width];
  const through = cuts.map((x) => frames.filter((one) => one.x < x && x < one.x + one.w).length);
  const last = cuts.length - 1;
  const flags = (at: number): number => (at > 0 && at < last ? GUTTER : 0);
  const alone = (from: number, to: number, rest?: Broken): Broken => {
    const widest = Math.max(cuts[to]! - cuts[from]! + flags(from) + flags(to), rest?.widest ?? 0);
    return { widest, over: Math.max(0, widest - room), cut: (rest?.cut ?? 0) + through[to]!,
      ends: [to, ...rest?.ends ?? []] };
  };
  const known = new Map<string, Broken>();
  const best = (from: number, left: number): Broken => {
    const key = `${from} ${left}`;
    const before = known.get(key);
    if (before) return before;
    let found = alone(from, last);
    if (left > 1) {
      for (let to = from + 1; to < last; to++) {
        const one = alone(from, to, best(to, left - 1));
        if (isBetter(one, found)) found = one;
      }
    }
    known.set(key, found);
    return found;
  };
  const found = best(0, count);
  return { ...found, ends: found.ends.map((at) => cuts[at]!) };
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

interface Cut extends Line {
  began: boolean;
  goesOn: boolean;
}

/** In bands that are no wider than this, drawn a little smaller where that saves one. */
export function fold(laid: Laid, width: number): Folded {
  const columns = columnsOf(laid.places);
  const room = width / LEAST;
  const inBands = (count: number): Broken => breaks(columns, laid, count, room);
  let count = 1;
  while (count < columns.length && inBands(count).over > 0) count++;
  // What belongs together stays together, even where that takes one more band.
  const [few, more] = [inBands(count), inBands(Math.min(count + 1, columns.length))];
  const { ends, widest: whole } = few.cut > 0 && more.over === 0 && more.cut === 0 ? more : few;
  const spare = ends.length > 1 ? Math.max(0, Math.min(MORE, (width - whole) / 2)) : 0;
  const gutter = GUTTER + spare;
  // The first band begins with nothing from elsewhere.
  const bands = ends.map((end, k) => band(laid, [ends[k - 1] ?? 0, end], k > 0 ? gutter : 0));
  return { bands, width: whole + 2 * spare, gutter, scale: Math.min(1, width / whole) };
}

// Of what one box sends on, one wire to the edge is enough.
function once(lines: readonly Cut[]): Cut[] {
  const sent = new Set<string>();
  return lines.filter(({ from, goesOn }) => {
    if (!goesOn) return true;
    const first = !sent.has(from);
    sent.add(from);
    return first;
  });
}

// Names below each other keep their distance; what they belong to leads to them.
function spaced(flags: readonly Flag[]): Flag[] {
  let low = -Infinity;
  return flags.toSorted((a, b) => a.y - b.y).map((one) => ({ ...one, y: (low = Math.max(one.y, low + APART)) }));
}

function band(laid: Laid, [from, to]: [number, number], gutter: number): Band {
  const places = laid.places.filter(({ x, w }) => inside(x + w / 2, from, to));
  const frames = laid.frames.filter((one) => places.some(({ x, y, w, h }) =>
    x >= one.x && x + w <= one.x + one.w && y >= one.y && y + h <= one.y + one.h));
  const cut = laid.lines.flatMap(({ points, ...line }): Cut[] => {
    const [first, last] = [points[0]!.x, points.at(-1)!.x];
    const seen = clipped(points, from, to);
    const [began, goesOn] = [first < from, last > to];
    // What only passes by is told by the flags at its ends.
    return seen.length > 1 && !(began && goesOn) ? [{ ...line, points: seen, began, goesOn }] : [];
  });
  const lines = once(cut);
  const low = squeezed([...places, ...frames.map((one) => ({ ...one, h: NAME })),
    ...frames.map((one) => ({ ...one, y: one.y + one.h - 1, h: 1 }))], lines);
  const spots = [...places, ...frames].flatMap(({ y, h }) => [low(y), low(y + h)])
    .concat(lines.flatMap(({ points }) => points.map(({ y }) => low(y))));
  const [left, top] = [from - gutter, minimum(spots) - EDGE];
  const bottom = maximum(spots) - top + EDGE;
  const right = to - left;
  const moved = <Spot extends Point>(spot: Spot): Spot => ({ ...spot, x: spot.x - left, y: low(spot.y) - top });
  const targets = (source: string) => cut.filter((one) => one.goesOn && one.from === source).map((one) => one.to);
  const leaves = spaced(lines.filter(({ goesOn }) => goesOn).map((line) =>
    ({ out: true, x: right + POLE, y: moved(line.points.at(-1)!).y, ids: [line.from, ...targets(line.from)] })));
  const enters = spaced(lines.filter(({ began }) => began).map((line) =>
    ({ out: false, x: gutter - POLE, y: moved(line.points[0]!).y, ids: [line.to, line.from] })));
  const pieces = lines.map((line): Piece => {
    const points = line.points.map(moved);
    const last = points.at(-1)!;
    const enter = line.began ? enters.find(({ ids }) => ids[0] === line.to && ids[1] === line.from) : undefined;
    const leave = line.goesOn ? leaves.find(({ ids }) => ids[0] === line.from) : undefined;
    return { from: line.from, to: line.to, d: path([...(enter ? [enter] : []), ...points, ...(leave ? [leave] : [])]),
      end: line.goesOn ? undefined : last };
  });
  // A flag's own end of the wire is seen beside it: it names the others.
  const flags = [...leaves, ...enters].map((flag) => ({ ...flag, ids: flag.ids.slice(1) }));
  const height = Math.max(bottom, maximum(flags.map(({ y }) => y), 0) + APART / 2);
  return {
    places: places.map(moved), pieces, flags, height,
    frames: frames.map((one) => {
      const [x, end] = [Math.max(one.x, from), Math.min(one.x + one.w, to)];
      return { ...moved({ ...one, x }), w: end - x, h: low(one.y + one.h) - low(one.y), began: one.x < from,
        goesOn: one.x + one.w > to };
    }),
  };
}
