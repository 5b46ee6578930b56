// SPDX-License-Identifier: Apache-2.0
// What the place "Compare" says of cheaper forms, held against the engine and against plain sums.
import { render } from 'lit';
import { afterAll, describe, expect, it } from 'vitest';
import { asMs, counted, percents, upTo } from '../src/colour/numbers.ts';
import { asCsv, asJson, partsOf } from '../src/cost/part-costs.ts';
import { alone } from '../src/efficient/standalone-form.ts';
import { crossing, goOn, near } from '../src/efficient/crossing.ts';
import { ended } from '../src/efficient/engine-stopped.ts';
import { formsOf, givenOf } from '../src/efficient/form.ts';
import { count, nothingYet, SIZES, time } from '../src/efficient/growth.ts';
import { plainOf } from '../src/efficient/softmax-document.ts';
import { apartOf } from '../src/efficient/size.ts';
import { softmaxMap } from '../src/efficient/softmax.ts';
import { middle, sweep, type Tried } from '../src/efficient/sweep.ts';
import { COLS, ROWS, SoftmaxTiles } from '../src/efficient/tiles.ts';
import { countsRows, upToKeys } from '../src/controls/knob-range.ts';
import { tunable, valuesOf } from '../src/efficient/values.ts';
import type { Client } from '../src/engine/client.ts';
import { plane, Plane, Result } from '../src/engine/result.ts';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { get } from '../src/engine/pointer.ts';
import { startEngine } from './engine.ts';

const { ask, client: engine, close } = startEngine();
afterAll(close);
const run = (documents: Doc[]) => Promise.all(documents.map(async (document) => {
  const { directory, data } = await ask({ document });
  expect(directory.ok, JSON.stringify(directory)).toBe(true);
  return new Result(directory, data);
}));
const exampleOf = async (id: string) => (await ask({ example: id })).directory as unknown as Doc;

const whole = (await ask({ catalogue: true })).directory as unknown as Catalogue;
const book = new Book(whole);
const words = (n: number) => Array.from({ length: n }, (_, k) => `w${k}`);
const document = (mechanism: object, n = 24): Doc =>
  ({ schema: 'attention-playground/1', seed: 5,
  inputs: { x: { tokens: words(n), features: { type: 'embedding', dim: 12 } } },
  mechanism: { type: 'attention', query: 'self-attention', ...mechanism } }) as Doc;

function mapsOf(own: Doc, result: Result, head = 0) {
  const [form] = formsOf(book, own);
  const given = givenOf(result, form!)!;
  const [query, key, map] = [given.query, given.key, given.map!].map((tensor) => plane(tensor, { head }));
  const b = Float32Array.from({ length: map!.rows * map!.cols },
    (_, k) => map!.at(Math.floor(k / map!.cols), k % map!.cols));
  return { a: softmaxMap(query!, key!, given.mask && plane(given.mask, { head })), b, rows: map!.rows, cols: map!.cols,
    query: query!, key: key!, form: form!, given };
}

const cores = whole.mechanisms.filter(({ kind }) => kind === 'core');
const own = cores.map(({ id }) => document({ core: { type: id } }));
const results = await run(own);

describe('the implied map of every core', () => {
  it('is found by roles and axes, with queries and keys of its own size', () => {
    expect(cores.length).toBeGreaterThan(20);
    results.forEach((result, k) => {
      const { b, rows, cols, query } = mapsOf(own[k]!, result);
      expect([rows, cols, b.length, query.cols], cores[k]!.id).toEqual([24, 24, 576, 12]);
      expect(b.every(Number.isFinite), cores[k]!.id).toBe(true);
    });
  });

  it.each([1, 4])('is held against softmax of the keys, not of the positions, with %d heads', async (count) => {
    const placed = ['pos-sinusoidal', 'pos-learned', 'pos-rope', 'pos-ut-coordinate'].map((position) =>
      document({ core: { type: 'flash' }, position: [position], heads: { type: 'multi-head', count } }));
    (await run(placed)).forEach((result, k) => {
      const { a, b, rows, cols } = mapsOf(placed[k]!, result, count - 1);
      expect(apartOf(a, b, rows, cols).equal, JSON.stringify(placed[k]!['mechanism'])).toBe(true);
    });
  });

  it('equals softmax on the same queries and keys where the record says exact, and only there', () => {
    const equal = results.map((result, k) => {
      const { a, b, rows, cols } = mapsOf(own[k]!, result);
      return apartOf(a, b, rows, cols).equal;
    });
    expect(equal).toEqual(cores.map(({ exact }) => exact === true));
    expect(equal.filter(Boolean).length).toBeGreaterThan(0);
  });

  it('makes the context: map times values', () => {
    results.forEach((result, k) => {
      const value = result.all('outputs').find(({ role }) => role === 'value')!;
      const context = result.all('outputs').findLast(({ role }) => role === 'context')!;
      const { b, rows, cols } = mapsOf(own[k]!, result);
      const width = value.shape.at(-1)!;
      const made = Float64Array.from({ length: rows * width },
        (_, at) => Array.from({ length: cols },
        (__, j) => b[Math.floor(at / width) * cols + j]! * value.data[j * width + (at % width)]!)
        .reduce((x, y) => x + y, 0));
      // Rows that are brought to a length afterwards keep their direction.
      for (let i = 0; i < rows; i++) {
        const [one, other] = [made.subarray(i * width, (i + 1) * width),
          context.data.subarray(i * width, (i + 1) * width)];
        const size = (list: ArrayLike<number>) => Math.hypot(...Array.from(list));
        const [x, y] = [size(one), size(other)];
        expect(Array.from(one, (v) => (x ? v / x : 0)).every((v, c) => Math.abs(v - (y ? other[c]! / y : 0)) < 1e-3),
          `${cores[k]!.id}, row ${i}`).toBe(true);
      }
    });
  });

  it('by itself on the same queries and keys is the same map, whatever stands around it', async () => {
    const examples = await Promise.all(cores.map(({ id }) => exampleOf(id)));
    const made = cores.flatMap(({ id, parameters }, k) => {
      // What is drawn for the rows that queries and keys were made of cannot follow from queries and keys.
      const there = new Set(results[k]!.all('parameters').map(({ name }) => name));
      if (parameters.some(({ prefix, name, shape }) =>
        there.has(`${prefix}${name}`) && /\bdxq?\b/.test(shape))) return [];
      const { form, query, key } = mapsOf(own[k]!, results[k]!);
      const given = Object.fromEntries(
        results[k]!.all('parameters')
        .filter(({ name }) => form.mechanism.parameters.some((one) => `${one.prefix}${one.name}` === name))
        .map(({ name, data, shape }) => [name, { data: [...data], shape }]));
      return [{ id, k, document: { ...alone(examples[k]!, form, query, key, {}, 5), parameters: given } as Doc }];
    });
    expect(made.length).toBeGreaterThan(20);
    (await run(made.map((one) => one.document))).forEach((result, at) => {
      const { id, k } = made[at]!;
      const before = mapsOf(own[k]!, results[k]!);
      const after = givenOf(result, { ...before.form, path: '' })!.map!;
      expect(apartOf(before.b, after.data, before.rows, before.cols).largest.value, id).toBeLessThan(1e-4);
    });
  });
});

describe('forms in larger documents', () => {
  it('are found in the short form, beside masks, and in the modules of a model', () => {
    const short = document({});
    short.mechanism = { type: 'linear', causal: true };
    const model = { ...document({}),
      model: [{ name: 'one', type: 'attention', inputs: { x: 'x' } },
      { name: 'two', type: 'attention', core: { type: 'performer' }, inputs: { x: 'x' } }] } as unknown as Doc;
    delete (model as Record<string, unknown>)['mechanism'];
    expect([short, model].map((one) => formsOf(book, one).map(({ mechanism, path }) => [mechanism.kind, path])))
      .toEqual([[['core', '/mechanism']], [['core', '/model/1/core']]]);
    expect(formsOf(book, document({}))).toEqual([]);
  });

  it('a causal form is held against causal softmax, each head against its own', async () => {
    const causal = document({ core: { type: 'flash' }, mask: 'mask-causal', heads: { type: 'multi-head', count: 3 } });
    const [result] = await run([causal]);
    for (const head of [0, 1, 2]) {
      const { a, b, rows, cols } = mapsOf(causal, result!, head);
      expect(a[1]).toBe(0);
      expect(apartOf(a, b, rows, cols).equal, `head ${head}`).toBe(true);
    }
  });

  it('with softmax in their place have the same queries and keys, and the map that is computed here', async () => {
    const own = [document({ core: { type: 'performer', features: 32 } }),
      document({ core: { type: 'linear' }, mask: 'mask-causal' }),
      document({ core: { type: 'linear', causal: true } })];
    const short = document({});
    short.mechanism = { type: 'linear' };
    short.inputs = { query: short.inputs['x']! };
    const all = [...own, short];
    const results = await run(all);
    const plain = await run(all.map((one, k) =>
      plainOf(book, one, formsOf(book, one)[0]!, givenOf(results[k]!, formsOf(book, one)[0]!)!.mask !== undefined)));
    all.forEach((one, k) => {
      const { a, rows, cols } = mapsOf(one, results[k]!);
      const weights = plain[k]!.all('outputs').findLast(({ role }) => role === 'weights')!;
      expect(apartOf(a, weights.data, rows, cols).equal, JSON.stringify(one.mechanism)).toBe(true);
    });
  });
});

describe('the size of a difference', () => {
  it('is what plain sums give', () => {
    const apart = apartOf(Float32Array.of(0.5, 0.5, 1, 0), Float32Array.of(0.25, 0.75, 0.5, 0.5), 2, 2);
    expect([...apart.difference]).toEqual([-0.25, 0.25, -0.5, 0.5]);
    expect([apart.largest, apart.mean, [...apart.rows], apart.meanRow, apart.worstRow, apart.shares, apart.equal])
      .toEqual([{ value: 0.5, row: 1, col: 0 }, 0.375, [0.25, 0.5], 0.375, 1, true, false]);
    expect(apartOf(Float32Array.of(1, 0), Float32Array.of(0.5, -0.2), 1, 2).shares).toBe(false);
  });

  it('numbers too small to show are less than the last place, counts have three digits', () => {
    expect([upTo(0, 2), upTo(0.004, 2), upTo(0.006, 2), upTo(-0.12, 2), upTo(1.5, 1)])
      .toEqual(['0', '<.01', '.01', '−.12', '1.5']);
    expect([counted(0), counted(999), counted(16384), counted(9944694784), counted(1e15)])
      .toEqual(['0', '999', '16.4 k', '9.94 G', '1000 T']);
  });
});

describe('what a knob changes', () => {
  it('is tried at places that divide, within its range, the one that is set among them', () => {
    const knob = { name: 'r', title: 'r', type: 'integer' as const, minimum: 2, maximum: 64, scale: 'linear' as const };
    const core = cores.find(({ id }) => id === 'performer')!;
    expect(valuesOf(core, knob, 24, 5)).toEqual([2, 4, 5, 8, 16, 24]);
    expect(valuesOf(core, { ...knob, scale: 'log' }, 24, undefined)).toEqual([2, 4, 8, 16, 32, 64]);
    expect(valuesOf(core, { ...knob, type: 'number', minimum: 0, maximum: 1 }, 8, undefined).length).toBe(8);
    expect(valuesOf(core, { ...knob, type: 'boolean' }, 8, undefined)).toEqual([]);
    for (const core of cores) for (const one of tunable(core))
      expect(valuesOf(core, one, 64, undefined).length, `${core.id} ${one.name}`).toBeGreaterThan(1);
  });

  it('of rows that keys are mapped to ends at the number of keys, or where it is set, here and at its slider', () => {
    const linformer = cores.find(({ id }) => id === 'linformer')!;
    const [rank] = tunable(linformer);
    expect(valuesOf(linformer, rank!, 5, 2)).toEqual([1, 2, 4, 5]);
    expect(valuesOf(linformer, rank!, 5, 9)).toEqual([1, 2, 4, 5, 9]);
    expect(valuesOf(linformer, rank!, 999, 2).at(-1)).toBe(256);
    const tops = [[5, 2], [5, 9], [999, 2], [1, undefined], [undefined, 2]] as const;
    expect(tops.map(([keys, value]) => upToKeys(rank!, keys, value).maximum)).toEqual([5, 9, 256, 2, 256]);
    // As many features as one likes: they are no rows of keys.
    expect(cores.flatMap((core) => tunable(core).filter((knob) => countsRows(core, knob)).map(() => core.id)))
      .toEqual(['linformer']);
  });

  it('the error of random features falls with their number, over draws on the same queries and keys', async () => {
    const own = document({ core: { type: 'performer' } }, 32);
    const [result] = await run([own]);
    const { a, rows, cols, form, query, key } = mapsOf(own, result!);
    const example = await exampleOf('performer');
    let last: readonly Tried[] = [];
    await sweep({
      client: engine, values: [4, 512, 0], draws: 2,
      document: (value, seed) => alone(example, form, query, key, { features: value }, seed), against: a,
      shape: [rows, cols],
      map: (one) => givenOf(one, { ...form, path: '' })?.map ?? one.all('outputs')[0],
      tell: (tried) => (last = [...tried]),
    });
    expect(last.map(({ errors }) => errors.length)).toEqual([2, 2, 0]);
    expect(last[2]!.refused).toContain('features');
    const [few, many] = last.map(({ errors }) => middle(errors.length ? errors : [0])) as [number, number];
    expect(few).toBeGreaterThan(2 * many);
    expect(many).toBeGreaterThan(0);
    expect(new Set(last[0]!.errors).size).toBe(2);
  });
});

describe('cost over the number of words', () => {
  it('crosses where the lines between measured sizes do', () => {
    const line = (of: (n: number) => number) => SIZES.map((n) => ({ n, value: of(n) }));
    const found = crossing(line((n) => n * n), line((n) => 300 * n));
    expect(found?.kind === 'from' && found.n).toBeCloseTo(300, 6);
    expect([crossing(line((n) => n), line((n) => n / 2)), crossing(line((n) => n), line((n) => 2 * n)),
      crossing(line((n) => n), [])]).toEqual([{ kind: 'always' }, { kind: 'never' }, undefined]);
    // Times of one form that change places twice do so by noise; what is only lower at small sizes begins nowhere.
    const noisy = line((n) => (n === 128 || n > 512 ? n / 2 : 2 * n));
    expect([crossing(line((n) => n), noisy)?.kind, crossing(line((n) => n), noisy, true),
      crossing(line((n) => 300 * n), line((n) => n * n))]).toEqual(['from', undefined, undefined]);
    expect(crossing(line((n) => n * n), line((n) => 300 * n), true)?.kind).toBe('from');
    expect([8.3, 64, 123, 300, 1201, 2000].map(near)).toEqual([9, 64, 130, 300, 1300, 2000]);
    expect(goOn([{ n: 64, value: 2 }, { n: 128, value: 8 }], line((n) => n * n)).at(1)).toEqual({ n: 256, value: 32 });
  });

  it('is counted without being computed, and measured until a size takes long', async () => {
    const own = document({ core: { type: 'linear' } });
    const asked: { kind: string; document?: string; documents?: string[] }[] = [];
    const client = (answer: (n: number) => object | undefined) =>
      ({ send: async (request: { kind: string; document?: string; documents?: string[] }) => {
      asked.push(request);
      const one = JSON.parse(request.document ?? request.documents![0]!) as Doc;
      const given = answer((one.inputs['x']!['tokens'] as string[]).length);
      return given && { text: JSON.stringify(given) };
    } }) as unknown as Client;
    const cost = { multiply_adds: 1, exponentials: 2, bytes: 3, exact: true };
    const into = nothingYet();
    await count(client((n) => (n > 1024 ? { ok: false, error: { path: '', message: 'too large' } }
      : { ok: true, cost: { ...cost, context: { ...cost, multiply_adds: n } } })), book, own,
      { cheap: 'query', whole: ['context'] }, into, () => undefined);
    // With its maps a run takes more than the context alone; that is asked about once, at the smallest size.
    expect(into.kept).toEqual({ n: 64, ...cost, context: { ...cost, multiply_adds: 64 } });
    expect(get(JSON.parse(asked.at(-1)!.document!) as Doc, '/outputs')).toBeUndefined();
    expect([into.counts.map(({ n, multiply_adds }) => [n, multiply_adds]), into.refused])
      .toEqual([[64, 128, 256, 512, 1024].map((n) => [n, n]), { n: 2048, message: 'too large' }]);
    await time(client((n) => ({ ms: n / 5, runs: 1, numbers: 1 })), book, own, { cheap: 'query', whole: ['context'] },
      into, () => undefined);
    expect([into.times.map(({ n }) => n), into.long]).toEqual([[64, 128, 256, 512, 1024, 2048], 2048]);
    expect(asked.at(-1)!.documents!.map((text) => get(JSON.parse(text) as Doc, '/outputs')))
      .toEqual([['context'], ['context'], ['context']]);
    expect(await time(client(() => undefined), book, own, { cheap: undefined, whole: [] }, into,
      () => undefined)).toBe(false);
  });
});

describe('where a curve ends', () => {
  it('says in words how far it goes and what goes further; what the engine says stands behind a button', () => {
    const message = '[om-decoder] a tensor of shape [4096 1 4096 32] has more than 268435456 elements; '
      + 'use fewer tokens or smaller widths';
    const drawn = (n: number, why = message): HTMLElement => {
      const host = globalThis.document.createElement('div');
      render(ended('the document', { ...nothingYet(), refused: { n, message: why } }), host);
      return host;
    };
    const shown = drawn(4096);
    const behind = shown.querySelector('details')!;
    expect(behind.textContent).toContain('268435456');
    behind.remove();
    expect(shown.textContent!.trim()).toBe('With 4,096 words, the document can no longer be computed here; with 2,048 '
      + 'words it can. Smaller widths, fewer heads or a cheaper form allow more words.');
    expect(drawn(SIZES[0]!).textContent)
      .toMatch(/Even with 64 words, the document cannot be computed here.*may help/su);
    // Where no size is the reason, none is advised.
    const other = drawn(SIZES[0]!, 'there are 64 keys, but W has scores for 32 positions; raise N').textContent!;
    expect(other).toContain('The reason: there are 64 keys');
    expect(other).not.toContain('may help');
  });
});

describe('the cost of each part', () => {
  it('adds up to the whole, by module and by result', async () => {
    const model = { ...document({}, 8),
      model: [{ name: 'one', type: 'attention', query: 'self-attention', inputs: { x: 'x' } },
      { name: 'two', type: 'attention', query: 'self-attention', core: { type: 'linear' },
      inputs: { x: 'one' } }] } as unknown as Doc;
    delete (model as Record<string, unknown>)['mechanism'];
    const one = document({}, 8);
    for (const [own, names] of [[model, ['one', 'two']],
      [one, ['query', 'key', 'value', 'scores', 'weights', 'context']]] as const) {
      const [result] = await run([own]);
      const shares: number[] = [];
      const found = await partsOf(engine, result!.directory.document, result!, (_, share) => shares.push(share));
      if (!found || typeof found === 'string') throw new Error(found);
      expect(found.parts.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
      for (const column of ['multiply_adds', 'exponentials', 'bytes'] as const) {
        expect(found.parts.reduce((sum, part) => sum + part[column], 0), column).toBe(found.total[column]);
        expect(found.total[column], column).toBe(result!.directory.cost[column]);
        expect(found.parts.every((part) => part[column] >= 0), column).toBe(true);
      }
      expect(shares.at(-1)).toBe(1);
      expect(asCsv(found.parts, found.total).trimEnd().split('\r\n').length).toBe(names.length + 2);
      expect(JSON.parse(asJson(found.parts, found.total)).parts.map((part: { name: string }) => part.name))
        .toEqual(found.parts.map(({ name }) => name));
    }
  });

  it('says of a share that is there and small that it is less than one percent', () => {
    expect([percents(0, 9), percents(1, 1000), percents(1, 3), percents(0, 0), asMs(0.001), asMs(0.0123), asMs(12.345),
      asMs(1234.5)]).toEqual(['0%', '<1%', '33%', '0%', '<0.01', '0.012', '12.3', '1235']);
  });

  it('ends with what the engine objects to, and with nothing when it was closed', async () => {
    const [result] = await run([document({}, 8)]);
    const refuse = { send: async () =>
      ({ text: JSON.stringify({ ok: false, error: { path: '', message: 'no' } }) }) } as unknown as Client;
    expect(await partsOf(refuse, result!.directory.document, result!, () => undefined)).toBe('no');
    expect(await partsOf({ send: async () => undefined } as unknown as Client, result!.directory.document, result!,
      () => undefined)).toBeUndefined();
  });
});

describe('maps of very many words', () => {
  const n = 150;
  const width = 5;
  const numbers = (seed: number) =>
    Float32Array.from({ length: n * width }, (_, k) => 2 * Math.sin(seed + 1.7 * k * k));
  const planeOf = (data: Float32Array) =>
    new Plane({ group: 'outputs', name: 't', shape: [n, width], axes: ['m', 'p'], places: ['', ''], offset: 0, data },
    0, 1, [0, 0]);

  it.each([false, true])('in tiles are those in one piece, causal: %s', (causal) => {
    const [q, k] = [numbers(1), numbers(2)];
    const mask = Float32Array.from({ length: n * n }, (_, at) => (at % n <= Math.floor(at / n) ? 1 : 0));
    const whole = softmaxMap(planeOf(q), planeOf(k),
      causal ? new Plane({ group: 'outputs', name: 'm', shape: [n, n], axes: ['m', 'n'], places: ['', ''], offset: 0,
      data: mask }, 0, 1, [0, 0]) : undefined);
    const tiles = new SoftmaxTiles({ q, k, rows: n, keys: n, width, causal });
    let compared = 0;
    for (let band = 0; band * ROWS < n; band++) {
      const tile = tiles.tile(band, 0);
      const rows = Math.min(ROWS, n - band * ROWS);
      expect(tile.length).toBe(rows * Math.min(COLS, n));
      tile.forEach((value, at) => expect(Math.abs(value - whole[band * ROWS * n + at]!)).toBeLessThan(1e-6));
      compared += tile.length;
    }
    expect(compared).toBe(n * n);
    // A row by itself is the row of the map.
    for (const i of [0, n - 1])
      tiles.row(i).forEach((value, j) => expect(Math.abs(value - whole[i * n + j]!)).toBeLessThan(1e-6));
  });

  it('drawn queries and keys stay the same whatever values stand beside them', async () => {
    const [form] = formsOf(book, document({ core: { type: 'linear' } }));
    const example = await exampleOf('linear');
    const words = (letter: string) =>
      ({ tokens: Array.from({ length: 9 }, (_, k) => `${letter}${k}`), features: { type: 'embedding', dim: 4 } });
    const columns = { tokens: ['-', '-', 'c0', 'c1', 'c2', '-', '-', '-', '-'], features: { type: 'one-hot' } };
    const [bare, given] = await run(
      [alone(example, form!, words('q'), words('w'), {}, 7),
      alone(example, form!, words('q'), words('w'), {}, 7, columns)]);
    const role = (result: Result, name: 'query' | 'key' | 'context') =>
      result.all('outputs').find((one) => one.role === name)!;
    expect([role(given!, 'query').data, role(given!, 'key').data])
      .toEqual([role(bare!, 'query').data, role(bare!, 'key').data]);
    // Values that are 1 at one key each: the context's columns are the map's, behind one for all other words.
    const map = givenOf(bare!, { ...form!, path: '' })!.map!;
    const context = role(given!, 'context');
    expect(context.shape).toEqual([9, 4]);
    for (let i = 0; i < 9; i++) for (let c = 0; c < 3; c++)
      expect(context.data[i * 4 + c + 1]).toBeCloseTo(map.data[i * 9 + c + 2]!, 5);
  });
});
