// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { fromTrack, onTrack } from '../src/controls/knob.ts';
import { plane, Result } from '../src/engine/result.ts';
import type { Knob, TensorEntry } from '../src/engine/types.ts';
import { sheetOf } from '../src/flow/geometry.ts';
import type { Box } from '../src/elements/shapes.ts';
import { layout } from '../src/flow/layout.ts';
import { arrange } from '../src/directory/modules.ts';
import { nest } from '../src/state/nested-lists.ts';
import { lettersOf } from '../src/directory/letters.ts';
import { colourRoles } from '../src/styles/roles.ts';
import { catalogue } from './runs.ts';
import { output } from './directory.ts';

function result(...named: [string, number[], string[]][]): Result {
  let offset = 0;
  const tensors: TensorEntry[] = named.map(([name, shape, axes]) => {
    const entry: TensorEntry = { ...output(name, shape, axes, { step: offset }), offset };
    offset += shape.reduce((a, b) => a * b, 1);
    return entry;
  });
  const data = Float32Array.from({ length: offset }, (_, k) => k);
  return new Result({ ok: true, tensors, labels: {}, warnings: [], measures: {},
    cost: { multiply_adds: 0, exponentials: 0, bytes: 0, exact: true },
    document: { schema: '', inputs: {}, mechanism: {} } }, data);
}

describe('the geometry', () => {
  const sizes = { q: 4, k: 4, v: 4, c: 4, x: { rows: 8, cols: 16 }, scores: true, weights: true, mask: true,
    longestLabel: 7 };

  it('keeps matrices apart and inside, from 1 to 16 tokens and at every width', () => {
    for (const width of [620, 750, 800, 1100, 1700]) {
      for (let n = 1; n <= 16; n++) {
        const made = layout({ ...sizes, m: n, n }, width);
        const boxes = Object.values(made.boxes) as Box[];
        for (const [k, a] of boxes.entries()) {
          expect(a.w).toBeGreaterThan(0);
          expect(a.x + a.w, `${width} ${n}`).toBeLessThanOrEqual(Math.max(width, 640));
          for (const b of boxes.slice(k + 1)) {
            const gap = 8;
            const apart = a.x + a.w + gap <= b.x || b.x + b.w + gap <= a.x || a.y + a.h + gap <= b.y
              || b.y + b.h + gap <= a.y;
            expect(apart, `${width} ${n}`).toBe(true);
          }
        }
      }
    }
  });

  it('keeps what stands below the last matrix inside the page, whose edge has some room', () => {
    const [below, edge] = [98, 24];
    for (const width of [600, 616, 640, 700, 800, 1100]) for (let n = 1; n <= 16; n++)
      for (const more of [{}, { x: undefined, k: undefined, v: undefined, mask: false }]) for (const c of [2, 4, 8]) {
        const { boxes: { context } } = layout({ ...sizes, ...more, m: 1, n, c, q: 8, longestLabel: 12 }, width);
        expect(context!.x + below, `${width}, ${n} keys, ${c} wide, ${JSON.stringify(more)}`)
          .toBeLessThanOrEqual(width + edge);
      }
  });

  it('keeps room for the choice between pictures, of a core too, whose keys stand above its weights', () => {
    const inside = (top: number, { y, h }: Box) => top + 28 > y && top < y + h;
    for (const scores of [true, false]) for (const mask of [true, false]) for (const q of [1, 4, 12]) {
      const { boxes, switchTop, labelHeight } = layout({ ...sizes, q, k: q, scores, mask, m: 5, n: 5 }, 800);
      const named = `${scores ? 'scores' : 'core'}, ${q} wide${mask ? ', masked' : ''}`;
      expect(switchTop, named).toBeGreaterThanOrEqual(0);
      for (const above of [scores ? undefined : boxes.key, boxes.mask])
        if (above) expect(inside(switchTop, above), named).toBe(false);
      if (!boxes.mask) expect(switchTop + 28, named).toBeLessThanOrEqual(boxes.weights!.y - labelHeight);
    }
  });

  it('keeps the choice off the values and their names, however few the keys are and however long it is', () => {
    for (const mask of [true, false]) for (const n of [1, 2, 3, 5, 8, 16]) for (const choice of [232, 370]) {
      const { boxes, switchTop } = layout({ ...sizes, mask, m: 5, n, choice }, 800);
      const [value, { x }] = [boxes.value!, boxes.weights!];
      const beside = x + choice <= value.x - 74;
      expect(beside || switchTop >= value.y + value.h, `${n} keys, ${choice} long${mask ? ', masked' : ''}`).toBe(true);
    }
  });

  it('gives a mask of two rows its height, and a text or a table its room', () => {
    const few = { ...sizes, x: undefined, q: 2, k: 2, v: 2, c: 2, m: 2, n: 3, longestLabel: 2 };
    for (const mask of [true, false]) {
      const made = layout({ ...few, mask }, 800);
      if (mask) expect(made.boxes.mask!.h).toBeGreaterThanOrEqual(28);
      const table = layout({ ...few, mask, ...sheetOf('table', ['q1', 'q2'], ['k1', 'k2', 'k3']) }, 800);
      expect(table.switchTop, 'the choice stays under the pointer').toBe(made.switchTop);
      expect(table.boxes.scores).toEqual(made.boxes.scores);
      expect(table.boxes.weights!.w).toBeGreaterThan(270);
      expect(table.boxes.weights!.h).toBeGreaterThan(110);
      expect(table.height - made.height).toBe(table.boxes.weights!.h - made.boxes.weights!.h);
      expect(table.boxes.context!.x + table.boxes.context!.w).toBeLessThanOrEqual(800);
    }
    expect(sheetOf('matrix', [], [])).toBeUndefined();
  });

  it('puts a token on one line across queries, scores, weights and context', () => {
    const { boxes } = layout({ ...sizes, m: 5, n: 7 }, 800);
    for (const at of ['scores', 'weights', 'context'] as const) {
      expect([boxes[at]!.y, boxes[at]!.h]).toEqual([boxes.query!.y, boxes.query!.h]);
    }
    expect(boxes.key!.x).toBe(boxes.scores!.x);
    expect(boxes.key!.w).toBe(boxes.scores!.w);
  });
});

describe('modules', () => {
  it('are found by what the engine says of each result', () => {
    const one = arrange(result(['query', [2, 3], ['m', 'd']], ['scores', [2, 2], ['m', 'n']],
      ['weights', [2, 2], ['m', 'n']], ['heads', [1, 2, 3], ['h', 'm', 'p']], ['context', [2, 3], ['m', 'd']],
      ['gate', [2], ['m']]));
    expect(one.modules.length).toBe(1);
    expect(one.modules[0]!.context!.name).toBe('heads');
    expect(one.others.map((t) => t.name)).toEqual(['context', 'gate']);
    const two = arrange(result(['right.scores', [1, 2], ['m', 'n']], ['right.weights', [1, 2], ['m', 'n']],
      ['left.scores', [1, 2], ['m', 'n']], ['affinity', [2, 2], ['m', 'n']]));
    expect(two.modules.map((m) => m.name)).toEqual(['right', 'left']);
    expect(two.others.map((t) => t.name)).toEqual(['affinity']);
  });

  it('show numbers that have two names once', () => {
    const both = result(['third.weights', [1, 2], ['1', 'n1']], ['second.weights', [1, 2], ['1', 'n2']],
      ['map', [1, 2], ['1', 'n1']], ['gate', [1, 2], ['m', 'h']]);
    both.find('map')!.offset = both.find('third.weights')!.offset;
    const { modules, others } = arrange(both);
    expect(modules.map((m) => [m.name, m.weights!.name]))
      .toEqual([['third', 'third.weights'], ['second', 'second.weights']]);
    // A gate has the role of weights, and is no map.
    expect(others.map(({ name }) => name)).toEqual(['gate']);
  });

  it('of two tensors for one place the one made last has it', () => {
    const made = result(['position', [3, 2], ['n', 'd']], ['key', [3, 2], ['n', 'dk']],
      ['weights', [3, 3], ['m', 'n']]);
    Object.assign(made.find('position')!, { role: 'key' });
    const { modules, others } = arrange(made);
    expect([modules[0]!.key!.name, others.map(({ name }) => name)]).toEqual(['key', ['position']]);
  });
});

describe('planes', () => {
  it('hold every axis that is not shown, and find cells again', () => {
    const tensor = result(['weights', [2, 3, 4, 5], ['h', 'm', 'n', 'dv']]).find('weights')!;
    const shown = plane(tensor, { head: 1, 'feature dv': 9 });
    expect([shown.rows, shown.cols]).toEqual([3, 4]);
    expect(shown.index(2, 3)).toEqual([1, 2, 3, 4]);
    expect(shown.at(2, 3)).toBe(119);
    expect(shown.cell([1, 2, 3, 4])).toEqual([2, 3]);
    expect(shown.cell([0, 2, 3, 4])).toBeUndefined();
  });

  it('write back as nested lists', () => {
    expect(nest([1, 2, 3, 4, 5, 6], [2, 3])).toEqual([[1, 2, 3], [4, 5, 6]]);
    expect(nest([7], [])).toBe(7);
  });
});

describe('sliders', () => {
  const knob = (more: Partial<Knob>): Knob =>
    ({ name: 'k', title: 'k', type: 'number', default: 1, minimum: 0.01, maximum: 100, ...more });

  it('reach their ends and come back to where they were', () => {
    for (const k of [knob({}), knob({ scale: 'log' }), knob({ type: 'integer', minimum: 1, maximum: 16 })]) {
      expect(fromTrack(k, 0)).toBeCloseTo(k.minimum!);
      expect(fromTrack(k, 1)).toBeCloseTo(k.maximum!);
      for (const value of [1, 2, 7, 15]) expect(fromTrack(k, onTrack(k, value))).toBeCloseTo(value, 1);
    }
    expect(onTrack(knob({ scale: 'log' }), 1)).toBeCloseTo(0.5);
  });
});

describe('formulas', () => {
  it('colour the letters of the roles and nothing else', () => {
    expect(colourRoles('q_i W^\\top k_{j}')).toBe('\\htmlClass{query}{q_i} W^\\top \\htmlClass{key}{k_{j}}');
    expect(colourRoles('(X + PE) W_Q')).toBe('(X + PE) W_Q');
    expect(colourRoles('e^{x}')).toBe('e^{x}');
    expect(colourRoles('\\operatorname{softmax}(E)')).toBe('\\operatorname{softmax}(\\htmlClass{score}{E})');
    expect(colourRoles('\\text{K of Q}')).toBe('\\text{K of Q}');
  });

  it('leave the letters of parameters alone', () => {
    expect(lettersOf([{ name: 'E' }, { name: 'G' }, { name: 'encoder.V_1' }, { name: 'bias' }])).toBe('EGV');
    expect(colourRoles('Q (E K)^\\top', 'EG')).toBe('\\htmlClass{query}{Q} (E \\htmlClass{key}{K})^\\top');
    expect(colourRoles('e_{ij}', 'E')).toBe('\\htmlClass{score}{e_{ij}}');
  });

  it('of every mechanism no parameter has the colour of a role', () => {
    let coloured = 0;
    for (const { formula, parameters, id } of catalogue.mechanisms) {
      const others = lettersOf(parameters);
      for (const [, , letter] of colourRoles(formula, others).matchAll(/\\htmlClass\{(\w+)\}\{(\w)/g)) {
        expect(others.includes(letter!), `${letter} of ${id}`).toBe(false);
      }
      if (/[QKVEAC]/.test(others) && colourRoles(formula) !== colourRoles(formula, others)) coloured++;
    }
    // Some of them would have had one, by their letter alone.
    expect(coloured).toBeGreaterThan(3);
  });
});
