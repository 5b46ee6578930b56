// SPDX-License-Identifier: Apache-2.0
// A model of many layers is a chain: everything that comes after a layer reads it only through the layer's output.
// Such a graph is laid out one segment at a time, and segments that are alike only once, because the time of a layout
// grows faster than its graph.
import type { Edge, Frame, Graph, Node } from './graph.ts';

/** A piece of a chain, which begins with the node that ends the piece before. */
export type Segment = Graph;

// Each node behind all that it follows from; undefined if the graph has a circle.
function ordered({ nodes, edges }: Graph): Node[] | undefined {
  const open = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { to } of edges) open.set(to, open.get(to)! + 1);
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const by = new Map(nodes.map((node) => [node.id, node]));
  const found = nodes.filter(({ id }) => open.get(id) === 0);
  for (const { id } of found)
    for (const to of next.get(id) ?? []) {
      open.set(to, open.get(to)! - 1);
      if (open.get(to) === 0) found.push(by.get(to)!);
    }
  return found.length === nodes.length ? found : undefined;
}

/** Splits a graph at each node that everything passes and that ends the frames around it. */
export function segmentsOf(graph: Graph): Segment[] {
  const order = ordered(graph);
  if (!order) return [graph];
  const at = new Map(order.map(({ id }, k) => [id, k]));
  const around = framesAround(graph.frames);
  // What may not be split, as the first and the last position.
  const spans = graph.edges.map(({ from, to }): [number, number] => [at.get(from)!, at.get(to)!]);
  const framed = new Map<string, [number, number]>();
  for (const [k, node] of order.entries())
    for (const { id } of around(node)) framed.set(id, [framed.get(id)?.[0] ?? k, k]);
  const cuts = order.map((_, k) => k).slice(1, -1).filter((k) =>
    [...spans, ...framed.values()].every(([first, last]) => last <= k || first >= k));
  return [0, ...cuts].map((from, k, all) => piece(graph, order.slice(from, (all[k + 1] ?? order.length) + 1), around));
}

// The frames in which a node stands, from the innermost.
function framesAround(frames: readonly Frame[]): (node: Node) => Frame[] {
  const by = new Map(frames.map((one) => [one.module.name, one]));
  return ({ frame }) => {
    const found: Frame[] = [];
    for (let one = by.get(frame ?? ''); one; one = by.get(one.inside ?? '')) found.push(one);
    return found;
  };
}

function piece({ nodes, edges, frames }: Graph, members: readonly Node[], around: (node: Node) => Frame[]): Segment {
  const here = new Set(members);
  const ids = new Set(members.map(({ id }) => id));
  const kept = new Set(members.flatMap(around));
  return { nodes: nodes.filter((node) => here.has(node)), frames: frames.filter((one) => kept.has(one)),
    edges: edges.filter(({ from, to }: Edge) => ids.has(from) && ids.has(to)) };
}
