// SPDX-License-Identifier: Apache-2.0
// What is said of parameters that nobody trained, and of maps with negative numbers.
import { describe, expect, it, vi } from 'vitest';
import { untrained } from '../src/card/about.ts';
import { factsOf as mapFacts } from '../src/compare/measure.ts';
import { plane, Result } from '../src/engine/result.ts';
import type { Catalogue, Directory, Doc } from '../src/engine/types.ts';
import { factsOf } from '../src/flow/row-numbers.ts';
import { Book } from '../src/state/catalogue.ts';
import * as origins from '../src/state/random-parameters.ts';
import type { Store } from '../src/state/store.ts';
import { strings } from '../src/strings/en.ts';
import { output } from './directory.ts';

// What was measured of the first model is computed during the build.
vi.mock('../src/card/figures.ts', () => ({ figuresOf: () => undefined }));

const mechanism = (id: string, kind: string, parameters: Record<string, string>, slots: object[] = []) =>
  ({ id, kind, aliases: [], knobs: [], slots, title: id, formula: '', parameters: Object.entries(parameters)
    .map(([name, distribution]) => ({ name, distribution, shape: 'n', prefix: 'structure.' })) });
const book = new Book({ schema: 's', mechanisms: [
  mechanism('module', 'structure', {}, [{ name: 'core', kind: 'core' }, { name: 'heads', kind: 'heads' }]),
  mechanism('gated', 'core', { alpha: 'half', W: 'weight', start: 'stated', b: 'zero' }),
  mechanism('several', 'heads', { b: 'weight' })] } as unknown as Catalogue);
const document = { schema: 's', inputs: {}, mechanism: { type: 'module', core: 'gated', heads: 'several' } } as
  unknown as Doc;
const numbers = (name: string, ...data: number[]) => ({ name, data: Float32Array.from(data) });

describe('parameters that nobody gave', () => {
  const drawn = origins.drawnIn(book, document);

  it('are drawn unless their record lets them start at the same number', () => {
    expect([numbers('structure.alpha', 0.5, 0.5), numbers('core.start', 0.1), numbers('W', 0.3, -0.2)].map(drawn))
      .toEqual([false, false, true]);
    // Of one name in two records the numbers tell.
    expect([numbers('structure.b', 0, 0), numbers('heads.b', 0.1, 0.2)].map(drawn)).toEqual([false, true]);
    expect(drawn(numbers('nobody.knows', 1))).toBe(true);
  });

  it('are told of together', () => {
    const [gate, weight] = [numbers('alpha', 0.5), numbers('W', 1, 2)];
    expect([[gate], [weight], [gate, weight]].map((all) => origins.originOf({ book, pictured: document }, all)))
      .toEqual(['fixed', 'drawn', 'both']);
  });

  it('are not said to be absent before the numbers of the document are here', () => {
    const told = (result: object | undefined) =>
      untrained({ documents: { document }, book, sessions: { result } } as unknown as Store, origins);
    expect(told(undefined)).toEqual([]);
    expect(told({ all: () => [] })).toEqual([strings.about.plain]);
  });
});

it('a map with negative numbers has no entropy, neither as a whole nor in the rows that have them', () => {
  const result = new Result({ ok: true, warnings: [], measures: {}, labels: {}, document,
    tensors: [{ ...output('weights', [2, 2], ['m', 'n']), offset: 0 }] } as unknown as Directory,
  Float32Array.from([0.5, 0.5, 1.5, -0.5]));
  const shown = plane(result.tensors[0]!, {});
  expect([0, 1].map((row) => factsOf(shown, row).entropy)).toEqual([1, undefined]);
  expect([0, 1].map((row) => factsOf(shown, row).support)).toEqual([2, 1]);
  expect(mapFacts(shown, undefined).entropy).toBeUndefined();
});
