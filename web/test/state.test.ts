// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Catalogue, Doc, Mechanism, Slot } from '../src/engine/types.ts';
import { Book, controlPaths } from '../src/state/catalogue.ts';
import { get, join, ownerOf, set } from '../src/engine/pointer.ts';
import { refit, rolesOf, serve } from '../src/state/roles.ts';
import { nextSeed, tokenise } from '../src/state/tokens.ts';

const made = (id: string, kind: string, more: Partial<Mechanism> = {}): Mechanism => ({
  id, kind, title: id, aliases: [], formula: '', sentence: '', parameters: [], knobs: [], roles: [], slots: [],
  differentiable: true, ...more,
});
const slot = (name: string, kind: string, more: Partial<Slot> = {}): Slot =>
  ({ name, title: name, group: 'General', kind, default: null, list: false, optional: true, ...more });
const role = (name: string, required: boolean, shape: string, falls_back_to: string | null = null) =>
  ({ name, required, falls_back_to, shape });

const catalogue: Catalogue = {
  schema: 's',
  mechanisms: [
    made('plain', 'module', {
      slots: [slot('score', 'score', { default: 'near' }), slot('query', 'query'),
        slot('mask', 'mask', { list: true })],
      roles: [role('query', true, 'm dq'), role('key', false, 'n dk', 'query')],
    }),
    made('near', 'score', { knobs: [{ name: 'scale', title: 'Scale', type: 'number', default: 1 }] }),
    made('given', 'score', { roles: [role('energy', true, 'm n')],
      excludes: [{ slot: 'mask', ids: ['ahead'], only: false, reason: 'not with energies' }] }),
    made('self', 'query', { aliases: ['me'], roles: [role('x', true, 'n df')] }),
    made('ahead', 'mask'),
    made('graded', 'score', { roles: [role('extra', true, 'm dc | 1 dc')] }),
    made('single', 'query', { roles: [role('query', true, '1 dq'), role('key', true, 'n dk')] }),
    made('both', 'query', { roles:
      [role('query', true, 'm dq'), role('second', true, 'm dq2'), role('key', true, 'n dk')] }),
    made('alone', 'query', { excludes: [{ slot: 'score', ids: [], only: true, reason: 'has its own' }] }),
    made('turned', 'mask', { excludes:
      [{ slot: 'mask', ids: ['turned', 'again'], only: false, reason: 'one of them' }] }),
    made('again', 'mask'),
    made('short', 'mask', { knobs: [{ name: 'length', title: 'Length', type: 'integer', default: 3 }] }),
  ],
};
const book = new Book(catalogue);
const words = ['a', 'b', 'c'];
const document = (mechanism: Doc['mechanism']): Doc =>
  ({ schema: 's', inputs: { x: { tokens: [...words], features: { type: 'f', dim: 4 } } },
  mechanism: { type: 'plain', ...mechanism } });

describe('an error', () => {
  it('belongs to the control with the longest path above it', () => {
    const paths = controlPaths(book, document({ score: { type: 'near' }, mask: ['ahead', { type: 'short' }] }));
    expect(ownerOf('/mechanism/score/scale', paths)).toBe('/mechanism/score/scale');
    expect(ownerOf('/mechanism/score/type', paths)).toBe('/mechanism/score');
    expect(ownerOf('/mechanism/mask/1/length', paths)).toBe('/mechanism/mask/1/length');
    expect(ownerOf('/mechanism/mask/9', paths)).toBe('/mechanism/mask');
    expect(ownerOf('/inputs/x/tokens/0', paths)).toBe('/inputs/x');
    expect(ownerOf('/mechanism/scores', paths)).toBeUndefined();
    expect(ownerOf('', paths)).toBeUndefined();
  });
});

describe('pointers', () => {
  it('read, write and remove, and never reach a prototype', () => {
    const root = { a: [{ 'b/c~d': 1 }] };
    expect(join('a', 0, 'b/c~d')).toBe('/a/0/b~1c~0d');
    expect(get(root, join('a', 0, 'b/c~d'))).toBe(1);
    expect(get(root, '/toString')).toBeUndefined();
    set(root, '/a/0', undefined);
    expect(root.a).toEqual([]);
  });
});

describe('the catalogue', () => {
  it('finds choices by id and by alias, and fills in the default', () => {
    const choices = book.choices(document({ query: 'me' }));
    expect(choices.map((c) => [c.path, c.mechanism?.id]))
      .toEqual([['/mechanism/score', 'near'], ['/mechanism/query', 'self']]);
  });

  it('refuses from either side, with the reason', () => {
    const [score, , mask] = book.module(document({}))!.slots as [Slot, Slot, Slot];
    expect(book.refusal(document({ score: 'given' }), mask, 'ahead')).toBe('not with energies');
    expect(book.refusal(document({ mask: ['ahead'] }), score, 'given')).toBe('not with energies');
    expect(book.refusal(document({ mask: ['short'] }), score, 'given')).toBeUndefined();
  });

  it('refuses what another item of the same list excludes, and never the item itself', () => {
    const [, , mask] = book.module(document({}))!.slots as [Slot, Slot, Slot];
    expect(book.refusal(document({ mask: ['short', 'turned'] }), mask, 'again')).toBe('one of them');
    expect(book.refusal(document({ mask: ['again'] }), mask, 'turned')).toBe('one of them');
    expect(book.refusal(document({ mask: ['turned'] }), mask, 'turned')).toBeUndefined();
    expect(book.refusal(document({ mask: ['turned'] }), mask, 'short')).toBeUndefined();
  });
});

describe('a mechanism that needs another slot empty', () => {
  it('can be chosen, and then says why that slot is empty', () => {
    const [score, query] = book.module(document({}))!.slots as [Slot, Slot];
    expect(book.refusal(document({ score: 'near' }), query, 'alone')).toBeUndefined();
    expect(book.choices(document({ query: 'alone' }))[0]!.mechanism).toBeUndefined();
    expect(book.refusal(document({ query: 'alone' }), score, 'near')).toBe('has its own');
  });
});

describe('inputs', () => {
  it('follow the roles, and what was typed comes back', () => {
    const shelf = {};
    const draft = document({ query: 'self' });
    serve(book, draft, shelf, ['q']);
    expect(Object.keys(draft.inputs)).toEqual(['x']);
    delete draft.mechanism['query'];
    serve(book, draft, shelf, ['q']);
    expect(Object.keys(draft.inputs)).toEqual(['query']);
    expect(draft.inputs['query']!['tokens']).toEqual(words);
    draft.mechanism['query'] = 'self';
    serve(book, draft, shelf, ['q']);
    expect(draft.inputs['x']!['tokens']).toEqual(words);
  });

  it('that are matrices take the sentences\' size and keep their cells', () => {
    const draft = document({ query: 'self', score: 'given' });
    serve(book, draft, {}, ['q']);
    expect(rolesOf(book, draft).map((r) => r.name)).toEqual(['x', 'energy']);
    const energy = draft.inputs['energy']!['matrix'] as number[][];
    expect([energy.length, energy[0]!.length]).toEqual([3, 3]);
    energy[0]![1] = 9;
    (draft.inputs['x']!['tokens'] as string[]).push('d');
    refit(book, draft);
    const grown = draft.inputs['energy']!['matrix'] as number[][];
    expect([grown.length, grown[3]!.length, grown[0]![1]]).toEqual([4, 4, 9]);
  });
});

describe('a module inside another', () => {
  it('is fed by the one around it, and asks the document for nothing', () => {
    const pair = made('pair', 'module',
      { slots: [slot('first', 'module', { default: 'plain', defaults: { query: 'self' } })],
      roles: [role('key1', true, 'n1 d1')] });
    const shelves = new Book({ schema: 's', mechanisms: [...catalogue.mechanisms, pair] });
    const draft: Doc = { schema: 's', inputs: { key1: { tokens: [...words] } }, mechanism: { type: 'pair' } };
    expect(shelves.choices(draft).map((c) => c.mechanism?.id)).toEqual(['plain', 'near', 'self']);
    expect(rolesOf(shelves, draft).map((r) => r.name)).toEqual(['key1']);
    serve(shelves, draft, {}, ['q']);
    expect(Object.keys(draft.inputs)).toEqual(['key1']);
  });
});

describe('inputs with a fixed number of rows', () => {
  const made = (mechanism: Doc['mechanism']) => {
    const draft = document(mechanism);
    serve(book, draft, {}, ['q', 'r']);
    return Object.fromEntries(Object.entries(draft.inputs).map(([name, input]) => [name, input['tokens']]));
  };
  it('have as many as the words that they belong to', () => {
    expect(made({ query: 'self', score: 'graded' })).toEqual({ x: words, extra: words });
    expect(made({ query: 'both' })).toEqual({ query: words, second: words, key: ['q', 'r'] });
  });
  it('or as many as their shape says, and the sentence goes to the other', () => {
    expect(made({ query: 'single' })).toEqual({ query: ['q'], key: words });
  });
});

describe('words', () => {
  it('are cut at spaces and marks', () => {
    expect(tokenise("It's  été, 3 times!")).toEqual(["It's", 'été', ',', '3', 'times', '!']);
    expect(tokenise('  ')).toEqual([]);
  });

  it('keep together what a reader takes for one sign', () => {
    const [family, flag, heart, wave] = ['👩‍👩‍👧‍👦', '🇫🇷', '❤️', '👋🏽'];
    expect(tokenise(`${family}${flag} I ${heart}you!${wave}`)).toEqual([family, flag, 'I', heart, 'you', '!', wave]);
    expect(tokenise('e\u0301te\u0301 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'))
      .toEqual(['e\u0301te\u0301', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645']);
  });

  it('half a character is the sign for an unknown one, which JSON can hold', () => {
    expect(tokenise('a \ud83d b')).toEqual(['a', '\ufffd', 'b']);
    for (const word of tokenise('\udc00x\ud83d')) expect(() => encodeURIComponent(word)).not.toThrow();
  });

  it('get a new draw that is always the same one', () => {
    expect(nextSeed(519)).toBe(nextSeed(519));
    expect(new Set(Array.from({ length: 50 }, (_, k) => nextSeed(k))).size).toBe(50);
  });
});
