// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { growth, leavings, rising } from '../src/cost/fit.ts';
import { grown, LARGEST, sizes, sizesFor } from '../src/cost/grow.ts';
import { nothingYet, time } from '../src/efficient/growth.ts';
import type { Client } from '../src/engine/client.ts';
import { timed } from '../src/engine/timing.ts';
import type { Doc } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';

const book = new Book({ schema: 's', mechanisms: [] });
const document: Doc = {
  schema: 's', seed: 7, title: 'T',
  inputs: { x: { tokens: ['a', 'b'], features: { type: 'one-hot', dim: 12 } },
    y: { matrix: [[1, 2, 3]], labels: ['r'] }, pairs: { matrix: [[1, 0], [0, 1]] } },
  mechanism: { type: 'm', score: { type: 'additive' } }, parameters: { W: [[1]] }, outputs: ['context'],
  gradient: { of: 'context' },
};

describe('growth', () => {
  it('is the power that the largest sizes follow', () => {
    const points = sizes().map((n) => ({ n, value: 50 + 1e-6 * n ** 2 }));
    expect(growth(points.map(({ n }) => ({ n, value: 3 * n ** 1.5 })))?.exponent).toBeCloseTo(1.5, 6);
    expect(growth(points)?.from).toBe(LARGEST / 8);
    expect(rising([{ n: 8, value: 1 }, { n: 16, value: 4 }, { n: 32, value: 2 }, { n: 64, value: 3 }]))
      .toEqual([{ n: 8, value: 1 }, { n: 16, value: 4 }]);
    // Two laws, or one run that was held up, are no power.
    const ms = (values: number[]) => values.map((value, k) => ({ n: 512 * 2 ** k, value }));
    expect(growth(ms([22.7, 29.6, 122, 58]))).toBeUndefined();
    expect(growth(ms([18.8, 265, 297, 190]))).toBeUndefined();
    expect(growth(points.slice(0, 2))).toBeUndefined();
    expect(growth(points.map(({ n }) => ({ n, value: 0 })))).toBeUndefined();
  });
});

it('a model with a table of positions is measured only at sizes that the table has rows for', () => {
  const model = (more: object): Doc => ({ ...document,
    inputs: { x: { shape: [2, 1], data: [0, 1], labels: ['a', 'b'] } },
    model: [{ name: 'embedded', type: 'fm-combine', ...more }] }) as unknown as Doc;
  expect(sizesFor(model({ position: true, N: 32 }))).toEqual([8, 16, 32]);
  expect(sizesFor(model({ position: true }))).toEqual([8, 16, 32, 64]);
  expect(sizesFor(model({ position: true, N: 5 }))).toEqual([5]);
  expect(sizesFor(model({ position: true }), (name) => (name === 'embedded.P' ? 32 : undefined))).toEqual([8, 16, 32]);
  expect(sizesFor(model({ N: 32 }))).toEqual(sizes());
});

it('where results are left out is found in the samples, and whether memory falls there', () => {
  const sample = (n: number, numbers: number, ...left: string[]) => ({ n, numbers, ...(left.length ? { left } : {}) });
  expect(leavings([sample(64, 10), sample(128, 30, 'A'), sample(256, 60, 'A'), sample(512, 20, 'A', 'B'),
    sample(1024, 40, 'A', 'B')]))
    .toEqual([{ n: 128, names: ['A'] }, { n: 512, names: ['B'], before: 256 }]);
  expect(leavings([sample(64, 10), sample(128, 9)])).toEqual([]);
});

describe('a larger document', () => {
  it('has the same mechanism over more words, and nothing that was given for other sizes', () => {
    const large = grown(book, document, 32, 5);
    expect([large.mechanism, large['seed'], large['parameters'], large['outputs'], large['gradient']])
      .toEqual([document.mechanism, 5, undefined, undefined, undefined]);
    expect(Object.keys(large.inputs)).toEqual(['x', 'y']);
    for (const [name, dim] of [['x', 12], ['y', 3]] as const) {
      const input = large.inputs[name] as { tokens: string[]; features: { dim: number } };
      expect([input.tokens.length, input.features.dim]).toEqual([32, dim]);
    }
    expect(document.inputs['x']?.['tokens']).toEqual(['a', 'b']);
  });

  it('keeps the width of numbers that are given as one list', () => {
    const { mechanism, ...rest } = document;
    const numbers = { ...rest, mechanism, inputs: { x: { shape: [2, 6], data: Array.from({ length: 12 }, () => 1) } } };
    expect((grown(book, numbers as unknown as Doc, 8, 1).inputs['x']!['features'] as { dim: number }).dim).toBe(6);
  });

  it('of a model has its words again and again, for it knows no others', () => {
    const { mechanism: _, ...rest } = document;
    const model = { ...rest, model: [{ type: 'm' }] } as unknown as Doc;
    expect(grown(book, model, 5, 1).inputs['x']!['tokens']).toEqual(['a', 'b', 'a', 'b', 'a']);
    expect(new Set(grown(book, document, 5, 1).inputs['x']!['tokens'] as string[]).size).toBe(5);
    model.inputs['x'] = { shape: [2, 1], data: [7, 9], labels: ['p', 'q'] };
    expect(grown(book, model, 3, 1).inputs['x'])
      .toEqual({ shape: [3, 1], data: [7, 9, 7], labels: ['p', 'q', 'p'] });
    expect(grown(book, model, 3, 1)['parameters'], 'the table that is looked up').toEqual(document['parameters']);
  });
});

describe('timing in the worker', () => {
  const engine = (...takes: number[]) => {
    let clock = 0;
    const asked: string[] = [];
    return { asked, now: () => clock,
      engine: { run: (text: string) =>
      ((clock += takes[Math.min(asked.length, takes.length - 1)]!), asked.push(text),
      { directory: '{"ok":true}', data: new Float32Array(9) }) } };
  };

  it('repeats short runs, each with another document than the one before', () => {
    const { asked, now, engine: one } = engine(90, 30, 30, 4);
    expect(timed(one, ['a', 'b'], now)).toEqual({ ms: 4, slowest: 30, runs: 7, numbers: 9 });
    expect(asked.every((text, k) => k === 0 || text !== asked[k - 1])).toBe(true);
  });

  it('says which outputs are too large to be given', () => {
    const { now, engine: one } = engine(250);
    const run = (text: string) => ({ ...one.run(text), directory: '{"ok":true,"left":[{"name":"weights"}]}' });
    expect(timed({ run }, ['a'], now)).toMatchObject({ left: ['weights'] });
  });

  it('ends with an error where the clock stands still, and goes on with one that only stumbles', () => {
    let runs = 0;
    const { engine: one } = engine(0);
    const run = (text: string) => (runs++, one.run(text));
    expect(timed({ run }, ['a', 'b'], () => 5))
      .toEqual({ ok: false, error: { path: '', message: expect.stringContaining('stands still') as string } });
    expect(runs).toBeLessThan(20_000);
    // Runs of a fiftieth of a millisecond by a clock that tells tenths of a second.
    let ran = 0;
    const coarse = () => Math.floor(ran / 5000) * 100;
    expect(timed({ run: (text) => (ran++, one.run(text)) }, ['a', 'b'], coarse)).toMatchObject({ numbers: 9 });
  });

  it('takes a long first run as it is, and passes a refusal on', () => {
    const { asked, now, engine: one } = engine(250);
    expect(timed(one, ['a', 'b'], now)).toEqual({ ms: 250, runs: 1, numbers: 9 });
    expect(asked).toEqual(['a']);
    const refusal = { ok: false, error: { path: '/x', message: 'too large' } };
    expect(timed({ run: () => ({ directory: JSON.stringify(refusal), data: new Float32Array() }) }, ['a']))
      .toEqual(refusal);
  });
});

describe('measuring', () => {
  const run = async (answer: (n: number) => object | undefined) => {
    const told: number[] = [];
    const client = { send: async ({ documents }: { documents: string[] }) => {
      const given = answer((JSON.parse(documents[0]!) as {
        inputs: { x: { tokens: string[] } } }).inputs.x.tokens.length);
      return given && { text: JSON.stringify(given) };
    } } as unknown as Client;
    const grown = nothingYet(sizes());
    await time(client, book, document, { cheap: undefined, whole: [] }, grown, () => told.push(grown.times.length));
    return { grown, told };
  };

  it('doubles until a size takes long', async () => {
    const { grown: { times, long }, told } = await run((n) => ({ ms: n * n / 1000, runs: 1, numbers: n }));
    expect([times.map(({ n }) => n), long]).toEqual([[8, 16, 32, 64, 128, 256, 512, 1024], 1024]);
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('goes on where a size took long once only: something else held the machine up', async () => {
    let stumbled = false;
    const { grown: { times } } = await run((n) => {
      const slow = n === 16 && !stumbled;
      stumbled ||= slow;
      return { ms: slow ? 900 : n / 100, runs: 1, numbers: n };
    });
    expect([stumbled, times.length, times[1]!.ms]).toEqual([true, sizes().length, 0.16]);
  });

  it('stops where the engine refuses, and where it was closed', async () => {
    const { grown } = await run((n) =>
      (n > 64 ? { ok: false, error: { path: '', message: 'too large' } } : { ms: 1, runs: 40, numbers: n }));
    expect([grown.times.length, grown.refused]).toEqual([4, { n: 128, message: 'too large' }]);
    const closed = await run((n) => (n > 16 ? undefined : { ms: 1, runs: 40, numbers: n }));
    expect([closed.grown.times.length, closed.grown.refused]).toEqual([2, undefined]);
  });
});
