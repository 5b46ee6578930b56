// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { Graph as DagreGraph, layout } from '@dagrejs/dagre';
import type { Box } from '../elements/shapes.ts';
import type { Graph } from './graph.ts';
import { routed } from './route.ts';
import { segmentsOf } from './segments.ts';

export interface Place extends Box {
  id: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Line {
  from: string;
  to: string;
  points: Point[];
}

export interface Laid {
  places: Place[];
  /** Around what stands together. */
  frames: Place[];
  lines: Line[];
  width: number;
  height: number;
}

const EDGE = 3;
const ROUND = 12;

type Size = (id: string) => { w: number; h: number };

/** All that `laid` depends on, as a text: where that is the same, everything stands where it stood. */
export const lookOf = ({ nodes, edges, frames }: Graph, size: Size, down: boolean): string => JSON.stringify([down,
  nodes.map(({ id, frame }) => [id, frame, size(id)]), edges.map(({ from, to }) => [from, to]),
  frames.map(({ id, module, inside }) => [id, module.name, inside])]);

/** Where dagre puts everything, before wires are led around boxes. */
interface Sheet {
  /** Nodes, then frames, by their ids. */
  places: Map<string, Place>;
  lines: Line[];
}

// A smaller graph is laid out as a whole, in less time than a frame of the screen takes.
const CHAIN = 16;

function sheetOf({ nodes, edges, frames }: Graph, size: Size, down: boolean, roomy: boolean): Sheet {
  const sheet = new DagreGraph({ compound: true });
  // A frame's name stands between it and what it holds.
  sheet.setGraph({ rankdir: down ? 'TB' : 'LR', nodesep: roomy ? 24 : 14,
    ranksep: down ? (roomy ? 48 : 34) : roomy ? 36 : 32 });
  sheet.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) {
    const { w, h } = size(id);
    sheet.setNode(id, { width: w, height: h });
  }
  const frameOf = new Map(frames.map(({ id, module }) => [module.name, id]));
  for (const { id } of frames) sheet.setNode(id, {});
  for (const { id, frame } of nodes) if (frame !== undefined) sheet.setParent(id, frameOf.get(frame)!);
  for (const { id, inside } of frames) if (inside !== undefined) sheet.setParent(id, frameOf.get(inside)!);
  for (const { from, to } of edges) sheet.setEdge(from, to);
  layout(sheet);
  const placeOf = ({ id }: { id: string }): [string, Place] => {
    const { x, y, width, height } = sheet.node(id) as { x: number; y: number; width: number; height: number };
    return [id, { id, x: x - width / 2, y: y - height / 2, w: width, h: height }];
  };
  return { places: new Map([...nodes, ...frames].map(placeOf)), lines: edges.map(({ from, to }): Line =>
    ({ from, to, points: (sheet.edge(from, to) as { points: Point[] }).points })) };
}

// Each segment continues where the one before ends; segments that are alike are laid out once.
function chained(segments: readonly Graph[], size: Size, down: boolean, roomy: boolean): Sheet {
  const known = new Map<string, Sheet>();
  const all: Sheet = { places: new Map(), lines: [] };
  for (const { nodes, edges, frames } of segments) {
    const names = new Map([...nodes, ...frames].map(({ id }, k) => [id, String(k)]));
    const modules = new Map(frames.map(({ id, module }) => [module.name, names.get(id)!]));
    const alike: Graph = {
      nodes: nodes.map((node) => ({ ...node, id: names.get(node.id)!, frame: modules.get(node.frame ?? '') })),
      edges: edges.map((edge) => ({ ...edge, from: names.get(edge.from)!, to: names.get(edge.to)! })),
      frames: frames.map((one) => ({ id: names.get(one.id)!, inside: modules.get(one.inside ?? ''),
        module: { ...one.module, name: names.get(one.id)! } })),
    };
    const sizes = new Map(nodes.map(({ id }) => [names.get(id)!, size(id)]));
    const look = lookOf(alike, (id) => sizes.get(id)!, down);
    const sheet = known.get(look) ?? sheetOf(alike, (id) => sizes.get(id)!, down, roomy);
    known.set(look, sheet);
    const shared = nodes.map(({ id }) => all.places.get(id)).find((one) => one !== undefined);
    const own = shared && sheet.places.get(names.get(shared.id)!)!;
    const [x, y] = shared && own ? [shared.x - own.x, shared.y - own.y] : [0, 0];
    for (const [id, name] of names) {
      const place = sheet.places.get(name)!;
      if (!all.places.has(id)) all.places.set(id, { ...place, id, x: place.x + x, y: place.y + y });
    }
    edges.forEach(({ from, to }, k) => all.lines.push({ from, to,
      points: sheet.lines[k]!.points.map((point) => ({ x: point.x + x, y: point.y + y })) }));
  }
  return all;
}

/** Where everything stands: from left to right, or on a narrow page from top to bottom. */
export function laid(graph: Graph, size: Size, down: boolean): Laid {
  const { nodes, edges, frames } = graph;
  const segments = nodes.length > CHAIN ? segmentsOf(graph) : [graph];
  const roomy = frames.length > 0;
  const sheet = segments.length > 1 ? chained(segments, size, down, roomy) : sheetOf(graph, size, down, roomy);
  const places = nodes.map(({ id }) => sheet.places.get(id)!);
  const around = frames.map(({ id }) => sheet.places.get(id)!);
  const order = new Map(edges.map((edge, k) => [keyOf(edge), k]));
  const lines = routed(places, sheet.lines.toSorted((a, b) => order.get(keyOf(a))! - order.get(keyOf(b))!), down);
  // Lines may swing out beyond what they join.
  const all = [...[...places, ...around].flatMap(({ x, y, w, h }) => [{ x, y }, { x: x + w, y: y + h }]),
    ...lines.flatMap(({ points }) => points)];
  const [left, top] = [minimum(all.map(({ x }) => x), 0), minimum(all.map(({ y }) => y), 0)];
  for (const one of [...places, ...around, ...lines.flatMap(({ points }) => points)]) {
    one.x += EDGE - left;
    one.y += EDGE - top;
  }
  return { places, frames: around, lines, width: maximum(all.map(({ x }) => x), 0) - left + 2 * EDGE,
    height: maximum(all.map(({ y }) => y), 0) - top + 2 * EDGE };
}

const keyOf = ({ from, to }: { from: string; to: string }): string => `${from}\n${to}`;

/** A line through these points, its corners rounded. */
export function path(points: Line['points']): string {
  const [first, ...rest] = points;
  if (!first || rest.length === 0) return '';
  const middle = rest.slice(0, -1).map((corner, k) => {
    const [before, after] = [near(corner, points[k]!, ROUND), near(corner, rest[k + 1]!, ROUND)];
    return `L${before.x} ${before.y}Q${corner.x} ${corner.y} ${after.x} ${after.y}`;
  });
  const last = rest.at(-1)!;
  return `M${first.x} ${first.y}${middle.join('')}L${last.x} ${last.y}`;
}

/** Where a line leaves its straight at a corner, so far from it, towards where it comes from or goes. */
export function near(corner: Point, towards: Point, distance: number): Point {
  const [dx, dy] = [towards.x - corner.x, towards.y - corner.y];
  const share = Math.min(0.5, distance / Math.max(1, Math.hypot(dx, dy)));
  return { x: corner.x + dx * share, y: corner.y + dy * share };
}
