// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { difference, withChanges } from '../src/engine/difference.ts';
import type { Json } from '../src/engine/types.ts';

const before: Json = { seed: 1, inputs: { x: { tokens: ['a', 'b'], 'a/b~c': [1, 2] } }, mechanism: { t: 0.5 } };

it('names the number that a slider moved, and nothing else', () => {
  expect(difference(before, { ...before, mechanism: { t: 0.7 } })).toEqual({ '/mechanism/t': 0.7 });
  expect(difference(before, structuredClone(before))).toEqual({});
});

it('gives a list of another length, and an object that lost a member, whole', () => {
  const edit = (change: (draft: { [key: string]: any }) => void) => {
    const after = structuredClone(before) as { [key: string]: any };
    change(after);
    return difference(before, after);
  };
  expect(edit((d) => d['inputs'].x.tokens.push('c'))).toEqual({ '/inputs/x/tokens': ['a', 'b', 'c'] });
  expect(edit((d) => (d['inputs'].x['a/b~c'][1] = 3))).toEqual({ '/inputs/x/a~1b~0c/1': 3 });
  expect(edit((d) => (d['mechanism'].more = null))).toEqual({ '/mechanism/more': null });
  expect(edit((d) => delete d['mechanism'].t)).toEqual({ '/mechanism': {} });
  expect(Object.keys(edit((d) => delete d['seed']))).toEqual(['']);
});

it('takes names that every object has for members of the document', () => {
  for (const name of ['valueOf', 'toString', 'constructor']) {
    expect(difference({ [name]: 1 }, {})).toEqual({ '': {} });
    expect(difference({}, { [name]: {} })).toEqual({ [`/${name}`]: {} });
  }
});

it('does not look into what both share', () => {
  const shared = new Proxy({}, { ownKeys: () => { throw new Error('looked into'); } });
  expect(difference({ a: 1, shared }, { a: 2, shared })).toEqual({ '/a': 2 });
});

it('leads from any document to any other, and leaves the first one as it was', () => {
  const document = fc.jsonValue({ maxDepth: 3 }).filter((one) => JSON.stringify(one).indexOf('__proto__') < 0);
  fc.assert(fc.property(document, document, (one, other) => {
    const [a, b] = [one as Json, other as Json];
    const text = JSON.stringify(a);
    const changes = difference(a, b);
    expect(withChanges(a, changes)).toEqual(b);
    expect(JSON.stringify(a)).toBe(text);
    // No change lies within another: the engine refuses such.
    const pointers = Object.keys(changes);
    expect(pointers.some((p) => pointers.some((q) => q !== p && q.startsWith(`${p}/`)))).toBe(false);
  }));
});
