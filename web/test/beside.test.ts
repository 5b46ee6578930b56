// SPDX-License-Identifier: Apache-2.0
// Two documents part by part, and what is given from one to the other.
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { give } from '../src/part-by-part/give-part.ts';
import { mapsOf, scaleOf } from '../src/part-by-part/maps.ts';
import { canGive, counted, type Group, modulesWith, partsOf, type Row } from '../src/part-by-part/part-differences.ts';
import { get } from '../src/engine/pointer.ts';
import { book, runs, systemFiles } from './runs.ts';

const system = (id: string): Doc => structuredClone(systemFiles.find((one) => one.id === id)!.document);
const today = ['llama', 'qwen3', 'gemma-2', 'deepseek-v2', 'gpt-oss', 'mistral', 'falcon', 'mamba-2',
    'rwkv-7', 'retnet',
  'kimi-linear', 'qwen3-next', 'gpt-neox', 'phi'];
const rowsOf = (groups: readonly Group[]): Row[] => groups.flatMap((group) => group.rows);
const differing = (a: string, b: string): Row[] => rowsOf(partsOf(book, system(a), system(b)))
    .filter((row) => !row.same);

describe('parts of two documents', () => {
  it('a document differs from itself in nothing', () => {
    for (const id of today) {
      const { parts, differ } = counted(partsOf(book, system(id), system(id)));
      expect([differ, parts > 3], id).toEqual([0, true]);
    }
  });

  it('Llama and gpt-oss differ in biases, positions, alignment and feed-forward, and in the mask of every other layer',
    () => {
      const rows = differing('llama', 'gpt-oss');
      expect(rows.map(({ path }) => path).toSorted())
        .toEqual(['/attention/alignment', '/attention/heads', '/attention/mask', '/attention/position', '/ffn']);
      const of = (path: string) => rows.find((row) => row.path === path)!;
      expect(of('/attention/alignment').b!.mechanisms.map(({ id }) => id)).toEqual(['learned-sink']);
      expect(of('/attention/heads').b!.details.map(({ knob, value }) => [knob.name, value])).toEqual([['bias', true]]);
      expect([of('/attention/mask').where.length, of('/attention/mask').of]).toEqual([1, 2]);
      expect(of('/attention/position').of).toBeUndefined();
    });

  it('a part is counted in the modules that have it, not in all that there are', () => {
    const rows = differing('transformer', 'gpt-oss').filter(({ of }) => of !== undefined);
    const masks = partsOf(book, { schema: 'attention-playground/1', inputs: { x: { tokens: ['a', 'b'] } }, mechanism: {
      type: 'attention', query: 'self-attention' } } as unknown as Doc, system('gpt-oss'))
      .find(({ module }) => module?.id === 'attention')!.rows.filter(({ path }) => path === '/mask');
    expect(masks.map((row) => [row.of, modulesWith(row, 'a'), modulesWith(row, 'b')]))
      .toEqual([[2, 1, 1], [2, 1, 1]]);
    for (const row of rows) expect(modulesWith(row, 'b')).toBeLessThan(row.of!);
  });

  it('the attention of one module goes with the attention inside the blocks of a model, from both sides', () => {
    const latent = { schema: 'attention-playground/1', inputs: { x: { tokens: ['a', 'b'] } }, mechanism: {
      type: 'attention', query: 'self-attention', heads: { type: 'mla' } } } as unknown as Doc;
    const groups = partsOf(book, latent, system('llama'));
    const { parts, differ } = counted(groups);
    expect(differ).toBeLessThan(parts);
    const rows = groups.find(({ module }) => module?.id === 'attention')!.rows;
    const of = (path: string) => rows.find((row) => row.path === path)!;
    expect([of('').same, of('/score').same, of('/heads').same]).toEqual([true, true, false]);
    expect(of('/heads').where[0]).toEqual({ a: '/mechanism', b: '/model/1/attention' });
    const given = structuredClone(latent);
    give(given, system('llama'), of('/mask'));
    expect(given.mechanism['mask']).toEqual(['mask-causal']);
    expect(counted(partsOf(book, system('llama'), latent))).toEqual({ parts, differ });
  });

  it('what one document lacks stands alone', () => {
    const rows = differing('llama', 'retnet');
    expect(rows.some(({ a, b }) => a?.mechanisms[0]?.id === 'transformer-block' && !b)).toBe(true);
    expect(rows.some(({ a, b }) => !a && b?.mechanisms[0]?.id === 'linear-mixer')).toBe(true);
    for (const row of rows.filter(({ a, b }) => !a || !b)) expect(row.path === '' && canGive(row)).toBe(false);
  });

  it('words, what nobody gave and widths that follow from other sizes are no difference', () => {
    const named = [system('luong'), system('luong')];
    const at = (k: number, type: string) => (named[k]!['model'] as { [key: string]: unknown }[])
      .find((one) => one['type'] === type)!;
    for (const type of ['fm-embedding', 'om-decoder', 'cross-entropy'])
      at(0, type)['vocabulary'] = ['<end>', 'I', 'love', 'you'];
    delete at(0, 'fm-rnn')['hidden'];
    for (const [a, b] of [named, named.toReversed()])
      expect(counted(partsOf(book, a!, b!)).differ).toBe(0);
    // What is given on one side alone differs, and nothing is shown where nothing is given.
    const slopes = [system('llama'), system('llama')];
    for (const [k, one] of slopes.entries())
      for (const block of one['model'] as { attention?: { position?: unknown } }[])
        if (block.attention) block.attention.position = [{ type: 'pos-alibi', ...(k === 0 ? {} : { slopes: [1] }) }];
    const [row, ...more] = rowsOf(partsOf(book, slopes[0]!, slopes[1]!)).filter((one) => !one.same);
    expect([more, row!.a!.details, row!.b!.details.map(({ value }) => value)]).toEqual([[], [], [[1]]]);
    // A default that is another knob is its value: as many key heads as value heads.
    const heads = (own: object) => {
      const made = system('retnet');
      for (const one of made['model'] as { [key: string]: unknown }[])
        if (one['type'] === 'linear-mixer') {
          delete one['groups'];
          Object.assign(one, { count: 4 }, own);
        }
      return made;
    };
    const differ = (groups: number) => rowsOf(partsOf(book, heads({}), heads({ groups }))).filter((one) => !one.same)
      .map(({ b }) => b!.details.map(({ knob, value }) => [knob.name, value]));
    expect(differ(4)).toEqual([]);
    expect(differ(2)).toEqual([[['groups', 2]]]);
  });

  it('seen from the other side they are the same parts', () => {
    for (const [a, b] of [['llama', 'gemma-2'], ['qwen3', 'deepseek-v2'], ['falcon', 'phi'],
      ['kimi-linear', 'qwen3-next']]) {
      const [there, back] = [differing(a!, b!), differing(b!, a!)];
      expect(back.map(({ path }) => path).toSorted(), `${a} ${b}`).toEqual(there.map(({ path }) => path).toSorted());
    }
  });

  it('a part given to the other makes that part alike and leaves the rest', () => {
    for (const [a, b] of [['llama', 'gpt-oss'], ['llama', 'qwen3'], ['llama', 'gemma-2'], ['gpt-neox', 'phi']]) {
      for (const row of differing(a!, b!).filter(canGive)) {
        const mine = structuredClone(system(a!));
        give(mine, system(b!), row);
        for (const { a: to, b: from } of row.where)
          if (row.path !== '') expect(get(mine, to! + row.path)).toEqual(get(system(b!), from! + row.path));
        const left = rowsOf(partsOf(book, mine, system(b!))).filter((one) => !one.same);
        expect(left.some(({ path, where }) => path === row.path && where.some(({ a: at }) => at === row.where[0]!.a)),
          `${a} ${b} ${row.path}`).toBe(false);
      }
    }
  });

  it('a document that was given a part is computed, and only its map and what follows change', () => {
    const mine = structuredClone(system('llama'));
    const row = differing('llama', 'gpt-oss').find(({ path }) => path === '/attention/alignment')!;
    give(mine, system('gpt-oss'), row);
    const [before, after] = runs([system('llama'), mine]);
    const [old, now] = [before, after].map((one) => one!.find('block-1.attention.scores', 'outputs')!);
    expect(old!.data).toEqual(now!.data);
    expect(before!.find('block-1.attention.weights')!.data).not.toEqual(after!.find('block-1.attention.weights')!.data);
  });
});

describe('maps side by side', () => {
  const [sink, delta] = runs([system('gpt-oss'), system('kimi-linear')]);

  it('weight that went to no key is a column, so that rows sum to 1', () => {
    for (const { plane, nothing } of mapsOf(sink!, {})) {
      expect(nothing).toBe(true);
      expect(plane.cols).toBe(plane.rows + 1);
      for (let i = 0; i < plane.rows; i++)
        expect(Array.from({ length: plane.cols }, (_, j) => plane.at(i, j)).reduce((a, b) => a + b, 0))
        .toBeCloseTo(1, 4);
    }
  });

  it('one scale: signed where either has a weight below zero', () => {
    const [a, b] = [mapsOf(sink!, {})[0], mapsOf(delta!, {})[0]];
    expect([scaleOf([a]).kind, scaleOf([a, b]).kind, scaleOf([b, undefined]).kind])
      .toEqual(['weights', 'signed', 'signed']);
    const { domain: [low, high] } = scaleOf([a, b]);
    expect(low).toBe(-high);
  });
});
