// SPDX-License-Identifier: Apache-2.0
// The diagram of real systems: what is drawn is what the engine computed from what.
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { cut, withDrawnWires as shownWires, type Graph, graphOf } from '../src/structure/graph.ts';
import { fold, GUTTER, isWidest } from '../src/structure/fold.ts';
import { laid, lookOf } from '../src/structure/layout.ts';
import { Told } from '../src/structure/labels.ts';
import { book, runs, systemFiles } from './runs.ts';

const results = runs(systemFiles.map(({ document }) => document as Doc));
const graphs = new Map(results.map((result, k) => [systemFiles[k]!.id, graphOf(result)]));
const modulesOf = new Map(results.map((result, k) => [systemFiles[k]!.id, result.directory.modules ?? []]));
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
    // A decoder asks with its own state: its memory brings keys and values.
    expect(wires('rnnsearch')).toContain('encoder > decoder key value');
    expect(wires('show-attend-tell')).toContain('regions > decoder key value');
    // One phrase asks both sides: neither hands the question on to the other.
    expect(wires('lcr-rot-hop').filter((one) => one.endsWith(' query') && one.includes('hop0')).slice(0, 6))
      .toEqual(['rotation.lt-hop0 > rotation.tl-hop1 query', 'rotation.rt-hop0 > rotation.tr-hop1 query',
      'rotation.tl-hop0 > rotation.lt-hop0 query', 'rotation.tr-hop0 > rotation.rt-hop0 query',
      't > rotation.tl-hop0 query', 't > rotation.tr-hop0 query']);
  });

  it('says in the box what would be the third wire and more from one memory, and every box keeps a wire', () => {
    const said = (id: string) => graph(id).edges.filter((edge) => edge.said);
    expect(said('lcr-rot-hop').map(({ from }) => from).toSorted())
      .toEqual(['l', 'l', 'r', 'r', 't', 't', 't', 't', 't'].map((name) => `module ${name}`));
    expect(said('lcr-rot-hop').every(({ roles }) => roles.join() === 'key,value')).toBe(true);
    expect(said('rnnsearch')).toEqual([]);
    for (const [id, one] of graphs)
      for (const { id: box } of one.nodes)
        if (one.edges.some(({ to }) => to === box))
          expect(shownWires(one).edges.some(({ to }) => to === box), `${id}: ${box}`).toBe(true);
  });

  it('cuts a hierarchy where the inner level has its turn, and says what has no results of its own', () => {
    const han = graph('han');
    expect(han.frames.map(({ module }) => module.name)).toEqual(['document']);
    expect(wires('han')).toEqual(['*text > document', 'document > document 2', 'document > document.sentence key',
      'document.sentence > class', 'document.sentence > document 2']);
    expect(han.nodes.map(({ holds }) => holds.map(({ name }) => name)).flat())
      .toEqual(['document.words', 'document.word', 'document.sentences']);
  });

  it('calls no two modules or parts of them alike, and says what each is', () => {
    for (const [id, one] of graphs) {
      const told = new Told(book, true, modulesOf.get(id));
      const names = one.nodes.filter(({ kind }) => kind === 'module').map((node) => told.whole(node, one));
      expect(names.filter((name, k) => names.indexOf(name) !== k), id).toEqual([]);
      for (const node of one.nodes.filter(({ kind }) => kind === 'module'))
        expect(told.under(node)[0] ?? '', `${id}: ${told.called(node)}`).not.toBe('');
    }
    const called = (id: string): string[] => graph(id).nodes.filter(({ frame }) => frame !== undefined)
      .map((node) => new Told(book, true, modulesOf.get(id)).called(node));
    expect(called('han')).toEqual(['Weights of document.word', 'Weights of document', 'sentence']);
    expect(called('llama')).toEqual(['Output of block 1', 'attention', 'ffn', 'Output of block 2', 'attention', 'ffn']);
    expect(called('bidaf')).toEqual(['Affinity of flow', 'Output of flow', 'second', 'first']);
    // Turns are counted from 1, as everywhere else.
    expect(called('iana').filter((name) => name.startsWith('first'))).toEqual(['first1', 'first2', 'first3', 'first4']);
    const brief = graph('llama').nodes.filter(({ frame }) => frame === 'block-1')
      .map((node) => new Told(book, true, modulesOf.get('llama')).brief(node, graph('llama')));
    expect(brief).toEqual(['block 1', 'block 1.attention', 'block 1.ffn']);
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

it('new numbers move nothing in a diagram; another wire, part, size or way round does', () => {
  const { document } = systemFiles.find(({ id }) => id === 'hiecoatt')!;
  const [again] = runs([{ ...document, seed: 99 } as Doc]).map(graphOf);
  const size = () => ({ w: 100, h: 60 });
  const look = lookOf(graph('hiecoatt'), size, false);
  expect(lookOf(again!, size, false)).toBe(look);
  expect(laid(again!, size, false)).toEqual(laid(graph('hiecoatt'), size, false));
  const { nodes, edges, frames } = again!;
  const others = [{ nodes, edges: edges.slice(1), frames }, cut(again!, nodes.length - 1),
    { nodes, edges, frames: frames.slice(1) }].map((one) => lookOf(one, size, false));
  for (const other of [...others, lookOf(again!, () => ({ w: 100, h: 61 }), false), lookOf(again!, size, true)])
    expect(other).not.toBe(look);
});

describe('the diagram in bands', () => {
  const size = () => ({ w: 100, h: 80 });
  const drawn = [...graphs].flatMap(([id, one]) => [746, 640].map((width) =>
    ({ id: `${id} at ${width}`, one, width, sheet: laid(cut(one, 24), size, false) })))
    .map((each) => ({ ...each, folded: fold(each.sheet, each.width) }));

  it('fits the page, hardly smaller, and shows every box once', () => {
    for (const { id, width, sheet, folded } of drawn) {
      expect(folded.width * folded.scale, id).toBeLessThanOrEqual(width + 0.5);
      expect(folded.scale, id).toBeGreaterThan(0.85);
      const places = folded.bands.flatMap((band) => band.places);
      expect(places.map((one) => one.id).toSorted(), id).toEqual(sheet.places.map((one) => one.id).toSorted());
      for (const band of folded.bands) for (const { x, y, w, h } of band.places) {
        expect([x >= 0, y >= 0, x + w <= folded.width, y + h <= band.height], id).toEqual([true, true, true, true]);
        const over = band.places.filter((other) => other.x < x + w && x < other.x + other.w && other.y < y + h
          && y < other.y + other.h);
        expect(over.length, id).toBe(1);
      }
    }
  });

  it('names each frame once, where a frame that was cut has the most room', () => {
    let cuts = 0;
    for (const { id, folded } of drawn) {
      const all = folded.bands.flatMap(({ frames }) => frames);
      const named = all.filter((one) => isWidest(one, folded));
      expect(named.map((one) => one.id).toSorted(), id).toEqual([...new Set(all.map((one) => one.id))].toSorted());
      for (const one of named) {
        const parts = all.filter((other) => other.id === one.id);
        if (parts.length > 1) cuts++;
        expect(one.w, id).toBe(Math.max(...parts.map(({ w }) => w)));
      }
    }
    expect(cuts).toBeGreaterThan(0);
  });

  it('keeps what stands in a frame together where there is room for it, in one more band if need be', () => {
    const whole = ['llama', 'mistral', 'phi'].flatMap((id) => drawn.filter((one) => one.id.startsWith(`${id} at`)));
    expect(whole.length).toBe(6);
    for (const { id, folded } of whole)
      expect(folded.bands.flatMap(({ frames }) => frames).filter(({ began }) => began), id).toEqual([]);
  });

  it('shows both ends of every wire: whole within a band, else by flags that name the other end', () => {
    for (const { id, sheet, folded } of drawn) {
      const at = new Map(folded.bands.flatMap(({ places }, k) => places.map((one) => [one.id, k] as const)));
      for (const { from, to } of sheet.lines) {
        const [first, last] = [at.get(from)!, at.get(to)!];
        folded.bands.forEach(({ pieces, flags, places }, k) => {
          const piece = pieces.find((one) => one.from === from && one.to === to);
          const said = `${id}: ${from} > ${to} in band ${k}`;
          if (k === last) {
            const box = places.find((one) => one.id === to);
            expect(piece!.end!.x, said).toBeGreaterThan(box!.x - 2);
          } else expect(piece?.end, said).toBeUndefined();
          if (k !== first && k !== last) expect(piece, said).toBeUndefined();
          if (first === last) return;
          if (k === first) {
            expect(flags.some(({ out, ids }) => out && ids.includes(to)), said).toBe(true);
            expect(pieces.some((one) => one.from === from && one.end === undefined), said).toBe(true);
          }
          if (k === last) expect(flags.some(({ out, ids }) => !out && ids.includes(from)), said).toBe(true);
        });
      }
    }
  });

  it('gives the names at the edges what room the page leaves', () => {
    const wider = drawn.filter(({ folded }) => folded.bands.length > 1 && folded.gutter > GUTTER);
    expect(wider.length).toBeGreaterThan(0);
    for (const { id, folded } of wider) for (const { places, flags } of folded.bands) {
      const right = Math.max(...places.map(({ x, w }) => x + w));
      for (const { out, x } of flags) {
        const room = out ? folded.width - x : x;
        expect(room, id).toBeGreaterThan(GUTTER - 20);
        expect(out ? x > right : places.every((one) => one.x > x), id).toBe(true);
      }
    }
  });

  it('keeps the names at an edge apart, and within the band', () => {
    for (const { id, folded } of drawn) for (const { flags, height } of folded.bands) for (const out of [true, false]) {
      const heights = flags.filter((one) => one.out === out).map(({ y }) => y).toSorted((a, b) => a - b);
      heights.slice(1).forEach((y, k) => expect(y - heights[k]!, id).toBeGreaterThan(13));
      expect(heights.every((y) => y >= 0 && y < height), id).toBe(true);
    }
  });

  it('leads no wire behind a box: what seems to come from it would be another\'s', () => {
    const inside = (a: number, b: number, from: number, to: number) => Math.max(a, b) > from && Math.min(a, b) < to;
    // A straight piece and the inside of a box: the part of the piece that lies between its left and right.
    const meets = (a: { x: number; y: number }, b: { x: number; y: number },
      { x, y, w, h }: { x: number; y: number; w: number; h: number }) => {
      if (!inside(a.x, b.x, x, x + w) && !(a.x === b.x && a.x > x && a.x < x + w)) return false;
      const at = (where: number) => (a.x === b.x ? undefined : a.y + ((b.y - a.y) * (where - a.x)) / (b.x - a.x));
      const [left, right] = [Math.max(x, Math.min(a.x, b.x)), Math.min(x + w, Math.max(a.x, b.x))];
      const [p, q] = [at(left) ?? a.y, at(right) ?? b.y];
      return inside(p, q, y, y + h) || (p === q && p > y && p < y + h);
    };
    for (const down of [false, true]) for (const [id, one] of graphs) {
      const sizes = new Map(one.nodes.map((node, k) => [node.id, { w: 64 + (k % 3) * 24, h: 40 + (k % 4) * 20 }]));
      const { places, lines } = laid(shownWires(one), (name) => sizes.get(name)!, down);
      for (const { from, to, points } of lines) for (const box of places) {
        const behind = points.slice(1).some((point, k) => meets(points[k]!, point,
          { x: box.x + 1, y: box.y + 1, w: box.w - 2, h: box.h - 2 }));
        expect(behind, `${id}, ${down ? 'down' : 'right'}: ${from} > ${to} behind ${box.id}`).toBe(false);
      }
    }
  });

  it('begins a new band only where it has to', () => {
    const bands = (id: string) => drawn.find((one) => one.id === `${id} at 746`)!.folded.bands.length;
    expect([bands('han'), bands('rnnsearch'), bands('transformer')]).toEqual([1, 1, 2]);
  });
});
