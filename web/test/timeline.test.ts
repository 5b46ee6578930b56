// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { axisOf, typed } from '../src/directory/typed.ts';
import { Plane, valueAt } from '../src/engine/result.ts';
import type { Doc } from '../src/engine/types.ts';
import { arrange } from '../src/directory/modules.ts';
import { graphOf } from '../src/structure/graph.ts';
import { cellOf, courseMaps, courseOf, entropy, largest, stepAt, values } from '../src/directory/steps-in-time.ts';
import { viewsFor } from '../src/views/all.ts';
import { runs, systemFiles } from './runs.ts';

const wanted = ['rnnsearch', 'show-attend-tell', 'memn2n', 'man', 'san', 'transformer', 'vit', 'bidaf'];
const results = Object.fromEntries(runs(wanted.map((id) => systemFiles.find((one) => one.id === id)!.document))
  .map((result, k) => [wanted[k]!, result]));
const courses = (id: string) => courseMaps(results[id]!).map((map) => courseOf(map, results[id]!)!);

describe('what happens one after the other', () => {
  it('decoders have a step a word, with what is asked, the state, the weights and the context of each', () => {
    for (const id of ['rnnsearch', 'show-attend-tell']) {
      const [course] = courses(id);
      expect(course!.kind, id).toBe('time');
      const map = course!.maps[0]!;
      expect(course!.steps.length).toBe(map.shape[axisOf(typed(map), 'query')]);
      for (const [at, step] of course!.steps.entries()) {
        expect(step.beside.map(({ tensor }) => tensor.role), id).toEqual(['query', 'state', 'context']);
        expect(values(step).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
        expect(values(step)[0]).toBe(valueAt(map, [at, 0]));
        for (const beside of step.beside) expect(beside.at(0, 0)).toBe(valueAt(beside.tensor, [at, 0]));
      }
    }
  });

  it('hops are the maps of one module in their order, the same numbers once', () => {
    const [memory] = courses('memn2n');
    expect([memory!.kind, memory!.steps.length]).toEqual(['hops', 2]);
    const [stacked, ...more] = courses('man');
    expect([stacked!.kind, stacked!.steps.length, more.length]).toEqual(['hops', 3, 0]);
    // What a hop was asked with stands at the module that it calls.
    expect(stacked!.steps.map(({ beside }) => beside.map(({ tensor }) => tensor.role)))
      .toEqual([['query', 'context'], ['query', 'context'], ['query', 'context']]);
    expect(stacked!.maps.map(({ step }) => step))
      .toEqual(stacked!.maps.map(({ step }) => step).toSorted((a, b) => a! - b!));
  });

  it('a module that asks again with what another found is its next hop', () => {
    const [asked, ...more] = courses('san');
    expect([asked!.kind, asked!.steps.length, more.length]).toEqual(['hops', 2, 0]);
    expect(new Set(asked!.maps.map(({ within }) => within)).size).toBe(2);
  });

  it('what has no order in time has no timeline', () => {
    for (const id of ['transformer', 'vit', 'bidaf']) expect(courses(id), id).toEqual([]);
  });

  it('a step leads to the cell where it looks most, and a cell to its step', () => {
    for (const id of ['rnnsearch', 'memn2n']) {
      const [course] = courses(id);
      course!.steps.forEach((step, at) => {
        expect(stepAt(course!, cellOf(step), results[id]!), id).toBe(at);
        expect(valueAt(step.weights.tensor, cellOf(step).index)).toBe(largest(step).value);
      });
    }
  });

  it('how undecided a step is', () => {
    const step = (data: number[]) => {
      const tensor = { group: 'outputs' as const, name: 'a', shape: [1, data.length], axes: ['', ''], places: ['', ''],
        offset: 0, data: Float32Array.from(data) };
      return { weights: new Plane(tensor, 0, 1, [0, 0]), beside: [] };
    };
    expect(entropy(step([0.5, 0.5]))).toBeCloseTo(1);
    expect(entropy(step([0.25, 0.25, 0.25, 0.25]))).toBeCloseTo(2);
    expect(entropy(step([1, 0]))).toBe(0);
  });

  it('weights whose rows are steps can be seen step by step', () => {
    const [map] = courseMaps(results['rnnsearch']!);
    expect(viewsFor(typed(map!), map!.shape).map(({ id }) => id)).toContain('timeline');
    const still = results['vit']!.all('outputs').find(({ role }) => role === 'weights')!;
    expect(viewsFor(typed(still), still.shape).map(({ id }) => id)).not.toContain('timeline');
  });
});

// How often numbers are compared or listed while a picture of so many hops is worked out.
function readsOf(hops: number): { courses: number; diagram: number; arranged: number } {
  const [result] = runs([{ schema: 'attention-playground/1', inputs: { query: { tokens: ['a', 'b'],
    features: { dim: 4 } } }, mechanism: { type: 'multi-hop', hops } } as unknown as Doc]);
  let reads = 0;
  for (const tensor of result!.tensors) {
    const { offset } = tensor;
    Object.defineProperty(tensor, 'offset', { get: () => (reads++, offset) });
    const { role } = tensor;
    Object.defineProperty(tensor, 'role', { get: () => (reads++, role) });
    const { within } = tensor;
    Object.defineProperty(tensor, 'within', { get: () => (reads++, within) });
  }
  // What looks a tensor up in the directory, entry by entry.
  for (const entry of result!.directory.tensors) {
    const { name } = entry;
    Object.defineProperty(entry, 'name', { get: () => (reads++, name) });
  }
  const counted = (work: () => unknown) => {
    reads = 0;
    work();
    return reads;
  };
  return { courses: counted(() => courseMaps(result!)), diagram: counted(() => graphOf(result!)),
    arranged: counted(() => arrange(result!)) };
}

it('work for many hops grows with them, not with their square', () => {
  const [few, many] = [readsOf(100), readsOf(400)];
  for (const part of ['courses', 'diagram', 'arranged'] as const) {
    expect(few[part], part).toBeGreaterThan(0);
    expect(many[part] / few[part], part).toBeLessThan(6);
  }
});

it('weights from keys to keys are no hops', () => {
  const [result] = runs(['attention-over-attention']);
  expect(result!.all('outputs').filter(({ role }) => role === 'weights').length).toBeGreaterThan(1);
  expect(courseMaps(result!)).toEqual([]);
});
