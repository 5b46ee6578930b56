// SPDX-License-Identifier: Apache-2.0
// What the thirteenth stranger stumbled over, as far as it needs no page.
import '../src/strings/en-later.ts';
import { describe, expect, it } from 'vitest';
import { putNamed, type Named, turnsBasic } from '../src/bring/several-inputs.ts';
import { words as knobWords } from '../src/controls/knob-words.ts';
import { isWritten, heatOf } from '../src/elements/heat.ts';
import { plane, type Tensor } from '../src/engine/result.ts';
import type { Doc, JsonObject } from '../src/engine/types.ts';
import { added } from '../src/state/proposals.ts';
import { addInput, refit, rolesOf } from '../src/state/roles.ts';
import { beginningOf } from '../src/take/code.ts';
import { book } from './runs.ts';
import { output } from './directory.ts';

const own = (rows: number[][], tokens: string[]): JsonObject =>
  ({ tokens, features: { type: 'matrix', matrix: rows } });
const document = (mechanism: JsonObject = {}, inputs: Doc['inputs'] = {
  query: own([[1, 0], [0, 2]], ['q1', 'q2']) }): Doc =>
  ({ schema: 'attention-playground/1', seed: 1, inputs, mechanism: { type: 'attention', ...mechanism } });
const role = (of: Doc, name: string) => rolesOf(book, of).find((one) => one.name === name)!;

describe('numbers of the reader', () => {
  it('a further input begins as those that it stands in for', () => {
    const draft = document();
    addInput(book, draft, role(draft, 'key'), {}, undefined, ['who', 'slept', '?']);
    expect(draft.inputs['key']).toEqual(draft.inputs['query']);
    addInput(book, draft, role(draft, 'value'), {}, undefined, ['who', 'slept', '?']);
    expect(draft.inputs['value']).toEqual(draft.inputs['query']);
    const drawn = document({}, { query: { tokens: ['a'], features: { type: 'embedding', dim: 4 } } });
    addInput(book, drawn, role(drawn, 'key'), {}, undefined, ['who', 'slept']);
    expect(drawn.inputs['key']!['tokens']).toEqual(['who', 'slept']);
  });

  it('go to the inputs that have their names, or are refused with those that are read', () => {
    const named: Named = { kind: 'inputs', given: [{ name: 'query', rows: [[3, 4]] },
      { name: 'key', rows: [[1, 1], [2, 2]] }] };
    const draft = document({}, { query: own([[1]], ['a']), key: own([[1]], ['b']), value: own([[1]], ['c']) });
    const shelf = {};
    expect(putNamed(book, draft, named, shelf)).toBeUndefined();
    expect(draft.inputs).toEqual({ query: own([[3, 4]], ['q1']), key: own([[1, 1], [2, 2]], ['k1', 'k2']) });
    expect(shelf).toHaveProperty('value');
    const wired = document({ inputs: { query: 'x' } }, { x: own([[1]], ['a']) });
    expect(putNamed(book, wired, named, {})).toBeUndefined();
    expect(Object.keys(wired.inputs)).toEqual(['x', 'key']);
    const other = document({ query: 'self-attention', score: 'dot' }, { x: own([[1]], ['a']) });
    expect([turnsBasic(book, other, named), turnsBasic(book, draft, named)]).toEqual([true, false]);
    const put = {};
    expect(putNamed(book, other, named, put)).toBeUndefined();
    expect([other.mechanism, Object.keys(other.inputs), put]).toEqual([
      { type: 'attention', query: { type: 'query-basic' }, score: 'dot' }, ['query', 'key'],
      { x: own([[1]], ['a']) }]);
    const model = { ...document({}, { x: own([[1]], ['a']) }), model: [] } as never;
    expect(putNamed(book, model, named, {})).toContain('does not read “query”; it reads x');
  });
});

describe('what the menus add', () => {
  it('documents are one number for each key, not for each pair', () => {
    const draft = document({}, { query: { tokens: [...'abcdefgh'], features: { type: 'embedding', dim: 4 } } });
    added(book, 'mask', '/mechanism/mask', 'mask-document')(draft);
    refit(book, draft);
    expect(draft.mechanism['mask']).toEqual([{ type: 'mask-document', documents: [[1, 1, 1, 1, 2, 2, 2, 2]] }]);
    const pairs = document({ mask: ['mask-explicit'] });
    refit(book, pairs);
    expect(pairs.mechanism['mask']).toEqual([{ type: 'mask-explicit', allowed: [[1, 1], [1, 1]] }]);
  });

  it('linear biases of one head have a slope that can be seen; several heads have their own', () => {
    const [alone, heads] = [document(), document({ heads: { type: 'multi-head', count: 2 } })];
    for (const draft of [alone, heads]) added(book, 'position', '/mechanism/position', 'pos-alibi')(draft);
    expect(alone.mechanism['position']).toEqual([{ type: 'pos-alibi', slopes: 0.5 }]);
    expect(heads.mechanism['position']).toEqual(['pos-alibi']);
  });

  it('one number is used, and several are', () => {
    expect(knobWords().usedInstead(['0.5'])).toBe('If this is empty, 0.5 is used.');
    expect(knobWords().usedInstead(['0.5', '0.25'])).toBe('If this is empty, 0.5 and 0.25 are used.');
  });
});

it('numbers are written where those that are here have room, whatever the scale could hold', () => {
  const tensor: Tensor = { ...output('context', [2, 2], ['m', 'dv'], { role: 'context' }), places: ['', ''], offset: 0,
    data: Float32Array.of(6.5, 6.4, 0.7, 18.5) };
  const heat = heatOf(plane(tensor, {}), { theme: 'light', kind: 'signed', domain: [-18.5, 18.5] });
  expect([isWritten(heat, 27, 20), isWritten(heat, 24, 20)]).toEqual([true, false]);
});

it('of long code there is a beginning in whole lines, and its size', () => {
  expect(beginningOf('x = 1\n')).toBeUndefined();
  const code = 'weights = [1, 2, 3]\n'.repeat(100_000);
  const { start, megabytes } = beginningOf(code)!;
  expect([start.length < 20_001, code.startsWith(`${start}\n`), megabytes]).toEqual([true, true, 2]);
  expect(beginningOf(`a\n${'1,'.repeat(100_000)}`)!.start).toHaveLength(20_000);
});
