// SPDX-License-Identifier: Apache-2.0
// The diagram of real systems: what is drawn is what the engine computed from what.
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { cut, type Graph, graphOf } from '../src/structure/graph.ts';
import { laid } from '../src/structure/layout.ts';
import { runs, systemFiles } from './runs.ts';

const graphs = new Map(runs(systemFiles.map(({ document }) => document as Doc))
  .map((result, k) => [systemFiles[k]!.id, graphOf(result)]));
const graph = (id: string): Graph => graphs.get(id)!;
const wires = (id: string): string[] => graph(id).edges.map(({ from, to, roles }) =>
  `${from} > ${to}${roles.map((role) => ` ${role}`).join('')}`.replaceAll('module ', '').replaceAll('input ', '*'))
  .toSorted();

// Everything that can be reached from a box, along wires.
function ahead({ edges }: Graph, from: string): Set<string> {
  const found = new Set<string>();
  const go = (id: string): void => {
    for (const { to } of edges.filter((edge) => edge.from === id)) {
      if (found.has(to)) continue;
      found.add(to);
      go(to);
    }
  };
  go(from);
  return found;
}

describe('the diagram of a system', () => {
  it('never goes round: a module that works before and after others is two boxes', () => {
    for (const [id, one] of graphs)
      for (const node of one.nodes) expect(ahead(one, node.id).has(node.id), `${id}: ${node.id}`).toBe(false);
  });

  it('has a wire into every box', () => {
    for (const [id, one] of graphs) {
      if (!one.nodes.some(({ kind }) => kind === 'module')) continue;
      for (const { id: box, kind } of one.nodes)
        if (kind === 'module') expect(one.edges.some(({ to }) => to === box), `${id}: ${box}`).toBe(true);
    }
  });

  it('says which wire brings queries, keys and values', () => {
    expect(wires('pointer-network')).toEqual(expect.arrayContaining(
      ['*points > encoder', '*steps > decoder', 'decoder > pointer.attention query',
      'encoder > pointer.attention key value']));
    expect(wires('transformer')).toContain('encoder-ffn-2 > cross-1 key value');
    expect(wires('transformer')).toContain('decoder-1 > cross-1 query');
  });

  it('cuts a hierarchy where the inner level has its turn, and says what has no results of its own', () => {
    const han = graph('han');
    expect(han.frames.map(({ module }) => module.name)).toEqual(['document']);
    expect(wires('han')).toEqual(['*text > document', 'document > document 2', 'document > document.sentence key',
      'document.sentence > class', 'document.sentence > document 2']);
    expect(han.nodes.map(({ holds }) => holds.map(({ name }) => name)).flat())
      .toEqual(['document.words', 'document.word', 'document.sentences']);
  });

  it('keeps frames and wires of what is shown, where it is shown a part at a time', () => {
    const whole = graph('hiecoatt');
    expect(whole.frames.length).toBe(3);
    const some = cut(whole, 6);
    expect(some.frames.length).toBeLessThan(3);
    const ids = new Set(some.nodes.map(({ id }) => id));
    expect(some.edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
    expect(some.edges.length).toBeGreaterThan(0);
    for (const down of [false, true]) {
      const { frames, places } = laid(whole, () => ({ w: 100, h: 60 }), down);
      for (const { id, x, y, w, h } of frames) {
        const name = whole.frames.find((frame) => frame.id === id)!.module.name;
        const held = places.filter((spot) => whole.nodes.find((node) => node.id === spot.id)!.frame === name);
        expect(held.length).toBeGreaterThan(1);
        // With room for the name above them, and nobody else between them.
        for (const spot of places) {
          const within = spot.x >= x && spot.x + spot.w <= x + w && spot.y >= y + 18 && spot.y + spot.h <= y + h;
          expect(within, `${spot.id} in ${id}`).toBe(held.includes(spot));
        }
      }
    }
  });
});
