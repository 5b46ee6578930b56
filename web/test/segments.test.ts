// SPDX-License-Identifier: Apache-2.0
// A diagram of many layers is laid out one layer at a time.
import { describe, expect, it } from 'vitest';
import type { ModuleEntry } from '../src/engine/types.ts';
import type { Edge, Node } from '../src/structure/graph.ts';
import { laid } from '../src/structure/layout.ts';
import { segmentsOf } from '../src/structure/segments.ts';

describe('a model of many layers', () => {
  const LAYERS = 8;
  const node = (id: string, frame?: string): Node =>
    ({ id, kind: 'module', tensors: [], parameters: [], holds: [], frame });
  const names = Array.from({ length: LAYERS }, (_, k) => `layer-${k + 1}`);
  const nodes = [node('words'), ...names.flatMap((name) => ['', '.attention', '.ffn'].map((part) =>
    node(name + part, name)))];
  const wires = names.flatMap((name, k) => {
    const before = names[k - 1] ?? 'words';
    const [attention, ffn] = [`${name}.attention`, `${name}.ffn`];
    return [[before, attention], [before, ffn], [before, name], [attention, ffn], [attention, name], [ffn, name]];
  });
  const wire = (from: string, to: string): Edge => ({ from, to, roles: [], tensors: [] });
  const edges = wires.map(([from, to]) => wire(from!, to!));
  const frames = names.map((name) => ({ id: `frame ${name}`, module: { name } as ModuleEntry, inside: undefined }));
  const keyOf = ({ from, to }: { from: string; to: string }) => `${from} > ${to}`;
  const size = (id: string) => ({ w: id.length < 8 ? 110 : 80, h: 60 });

  it('is split where a layer ends, and nowhere if a wire passes a layer', () => {
    const held = segmentsOf({ nodes, edges, frames }).map((one) => one.nodes.map(({ id }) => id));
    expect(held.length).toBe(LAYERS);
    expect(held[0]).toEqual(['words', 'layer-1', 'layer-1.attention', 'layer-1.ffn']);
    expect(held[1]).toEqual(['layer-1', 'layer-2', 'layer-2.attention', 'layer-2.ffn']);
    for (const passing of [wire('words', 'layer-8'), wire('layer-8', 'words')])
      expect(segmentsOf({ nodes, edges: [...edges, passing], frames }).length).toBe(1);
  });

  it('shows each layer as the one before, one behind the other', () => {
    for (const down of [false, true]) {
      const sheet = laid({ nodes, edges, frames }, size, down);
      const at = (id: string) => [...sheet.places, ...sheet.frames].find((one) => one.id === id)!;
      const from = (name: string, id: string) => {
        const [frame, place] = [at(`frame ${name}`), at(id)];
        return [place.x - frame.x, place.y - frame.y, frame.w, frame.h].map((x) => Math.round(x * 100) / 100);
      };
      for (const part of ['', '.attention', '.ffn'])
        for (const name of names.slice(2)) expect(from(name, name + part)).toEqual(from('layer-2', `layer-2${part}`));
      names.slice(1).forEach((name, k) => {
        const [before, frame] = [at(`frame ${names[k]}`), at(`frame ${name}`)];
        expect(down ? frame.y - before.y - before.h : frame.x - before.x - before.w).toBeGreaterThan(0);
      });
      expect(sheet.lines.map(keyOf)).toEqual(edges.map(keyOf));
      for (const { x, y, w, h } of sheet.places)
        expect(x >= 0 && y >= 0 && x + w <= sheet.width && y + h <= sheet.height).toBe(true);
    }
  });
});
