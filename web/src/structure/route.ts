// SPDX-License-Identifier: Apache-2.0
// Wires that pass beside boxes and never behind one: within a rank they run straight, in lanes that the layout keeps
// free; from lane to lane they go between the ranks.
import { maximum, minimum } from '../lists.ts';
import type { Line, Place, Point } from './layout.ts';

/** So far from a box a wire turns: behind it, and before its arrow. */
const BEHIND = 4;
const BEFORE = 9;

/** A direction of the drawing, from which the other follows. */
interface Way {
  along: (point: Point) => number;
  across: (point: Point) => number;
  point: (along: number, across: number) => Point;
  /** Where a box begins and ends along, and across. */
  span: (box: Place) => [from: number, to: number];
  width: (box: Place) => [from: number, to: number];
}

const RIGHT: Way = { along: ({ x }) => x, across: ({ y }) => y, point: (x, y) => ({ x, y }),
  span: ({ x, w }) => [x, x + w], width: ({ y, h }) => [y, y + h] };
const DOWN: Way = { along: ({ y }) => y, across: ({ x }) => x, point: (y, x) => ({ x, y }),
  span: ({ y, h }) => [y, y + h], width: ({ x, w }) => [x, x + w] };

const middle = ([from, to]: readonly [number, number]): number => (from + to) / 2;

// Where the boxes of one rank begin and end: the layout puts their middles on one line.
function ranksOf(places: readonly Place[], { span }: Way): Map<number, [from: number, to: number]> {
  const ranks = new Map<number, [number, number]>();
  for (const place of places) {
    const [from, to] = span(place);
    const key = Math.round(middle([from, to]));
    const [least, most] = ranks.get(key) ?? [from, to];
    ranks.set(key, [minimum([least, from]), maximum([most, to])]);
  }
  return ranks;
}

// Where on a side of its box each wire begins or ends: in the order in which they come, evenly apart.
function ends(lines: readonly Line[], places: ReadonlyMap<string, Place>, way: Way, last: boolean): Map<Line, number> {
  const found = new Map<Line, number>();
  const sides = new Map<string, Line[]>();
  for (const line of lines) {
    const id = last ? line.to : line.from;
    sides.set(id, [...(sides.get(id) ?? []), line]);
  }
  for (const [id, all] of sides) {
    const [from, to] = way.width(places.get(id)!);
    const towards = ({ points }: Line) => way.across(points.at(last ? -2 : 1)!);
    all.toSorted((a, b) => towards(a) - towards(b))
      .forEach((line, k) => found.set(line, from + ((to - from) * (k + 1)) / (all.length + 1)));
  }
  return found;
}

/** The lines as the layout found them, led around the boxes; `down`: from top to bottom. */
export function routed(places: readonly Place[], lines: readonly Line[], down: boolean): Line[] {
  const way = down ? DOWN : RIGHT;
  const by = new Map(places.map((place) => [place.id, place]));
  const ranks = ranksOf(places, way);
  const onward = lines.filter(({ points }) => way.along(points[0]!) < way.along(points.at(-1)!));
  const [starts, stops] = [ends(onward, by, way, false), ends(onward, by, way, true)];
  const rankOf = (place: Place) => ranks.get(Math.round(middle(way.span(place))))!;
  return lines.map((line): Line => {
    const [start, stop] = [starts.get(line), stops.get(line)];
    if (start === undefined || stop === undefined) return line;
    const [source, target] = [by.get(line.from)!, by.get(line.to)!];
    const between = line.points.slice(1, -1).flatMap((point): Point[] => {
      const rank = ranks.get(Math.round(way.along(point)));
      const at = way.across(point);
      return rank ? [way.point(rank[0] - BEFORE, at), way.point(rank[1] + BEHIND, at)] : [point];
    });
    return { ...line, points: [way.point(way.span(source)[1], start), way.point(rankOf(source)[1] + BEHIND, start),
      ...between, way.point(rankOf(target)[0] - BEFORE, stop), way.point(way.span(target)[0], stop)] };
  });
}
