// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Client } from '../src/engine/client.ts';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { keeping, withTextOf } from '../src/gallery/words-kept.ts';
import { specialIn, unknownIn, vocabularyOf, wordsOf } from '../src/state/vocabulary.ts';
import { Book } from '../src/state/catalogue.ts';
import { Documents } from '../src/state/documents.ts';

const of = (inputs: object, more: object = {}) => ({ schema: 's', inputs, mechanism: {}, ...more }) as unknown as Doc;
const mine = of({ source: { tokens: ['she', 'reads'] }, target: { tokens: ['elle', 'lit'] } }, { seed: 7 });
const tokens = (document: Doc) => Object.values(document.inputs).map((input) => input['tokens']);

test('words go to the inputs of the same name, or else to the first that reads words', () => {
  expect(withTextOf(of({ target: { tokens: ['x'] }, picture: { matrix: [[1]] } }), mine))
    .toEqual(of({ target: { tokens: ['elle', 'lit'] }, picture: { matrix: [[1]] } }, { seed: 7 }));
  expect(tokens(withTextOf(of({ picture: { matrix: [[1]] }, x: { tokens: ['a'] }, y: { tokens: ['b'] } }), mine)))
    .toEqual([undefined, ['she', 'reads'], ['b']]);
  // A language model's next words are those of its sentence, one place on.
  expect(tokens(withTextOf(of({ next: { tokens: ['b', '<end>'] }, x: { tokens: ['a', 'b'] } }), mine)))
    .toEqual([['reads', '<end>'], ['she', 'reads']]);
  expect(withTextOf(of({ picture: { matrix: [[1]] } }), mine).inputs).toEqual({ picture: { matrix: [[1]] } });
});

test('as many of the words are kept as the engine takes, and it is said where it takes none', async () => {
  const wanted = of({ source: { tokens: ['a'] }, target: { tokens: ['b'] } });
  // This engine refuses a sentence of so many inputs that are not its own.
  const client = (most: number) => ({ ask: ({ document }: { document: string }) => {
    const changed = tokens(JSON.parse(document) as Doc).filter((list, k) =>
      JSON.stringify(list) !== JSON.stringify(tokens(wanted)[k])).length;
    return Promise.resolve({ text: JSON.stringify({ ok: changed <= most }) });
  } }) as unknown as Client;
  const nothing = new Book({ schema: 's', mechanisms: [] });
  const found = await Promise.all([2, 1, 0].map((most) => keeping(client(most), nothing, wanted, mine)));
  expect(found.map(({ document, kept }) => [tokens(document), kept])).toEqual([
    [[['she', 'reads'], ['elle', 'lit']], true], [[['she', 'reads'], ['b']], true], [[['a'], ['b']], false]]);
});

test('words that a model mostly does not know are not carried into it, and it is said how many it knows', async () => {
  const reader = { id: 'r', kind: 'feature', slots: [], roles: [], aliases: [], parameters: [],
    knobs: [{ name: 'list', title: '', type: 'words' }] };
  const book = new Book({ schema: 's', mechanisms: [reader] } as unknown as Catalogue);
  const takesAll = { ask: () => Promise.resolve({ text: '{"ok": true}' }) } as unknown as Client;
  const reads = (...list: string[]) => of({ source: { tokens: ['a', '4'] } }, { mechanism: undefined,
    model: [{ name: 'w', type: 'r', inputs: { x: 'source' }, list: ['<start>', '<end>', '<unknown>', ...list] }] });
  const own = of({ source: { tokens: ['She', 'has', 'a', 'red', 'car'] } });
  const letters = await keeping(takesAll, book, reads('a', 'b', '4'), own);
  expect([tokens(letters.document)[0], letters.kept, letters.few]).toEqual([['a', '4'], false, { known: 1, of: 5 }]);
  // Half of them is enough; a capital at the beginning makes no other word.
  const some = await keeping(takesAll, book, reads('she', 'has', 'car'), own);
  expect([tokens(some.document)[0], some.kept]).toEqual([['She', 'has', 'a', 'red', 'car'], true]);
});

test('a reader\'s list of words is found by its knob, and tells which words it lacks', () => {
  const reader = { id: 'r', kind: 'feature', slots: [], roles: [], aliases: [], parameters: [],
    knobs: [{ name: 'list', title: '', type: 'words' }] };
  const widest = { ...reader, id: 'w', slots: [{ name: 'score', kind: 'score' }] };
  const book = new Book({ schema: 's', mechanisms: [widest, reader] } as unknown as Catalogue);
  const list = ['<start>', '<end>', '<unknown>', 'she', 'reads'];
  const document = { schema: 's', inputs: {}, model: [{ name: 'a', type: 'r', inputs: { x: 'other' } },
    { name: 'b', type: 'r', inputs: { x: 'source' }, list }] } as unknown as Doc;
  expect([vocabularyOf(book, document, 'source'), vocabularyOf(book, document, 'other')]).toEqual([list, undefined]);
  expect([wordsOf(list), unknownIn(['she', 'runs', 'runs'], list)]).toEqual([['she', 'reads'], ['runs']]);
});

test('a document that takes the place of another is what was set out from, unless it came from elsewhere', () => {
  const documents = new Documents(mine, mine);
  documents.set('/seed', 8);
  const before = documents.document;
  documents.replace(of({}));
  expect(documents.base).toEqual(of({}));
  documents.replace(before, null, mine);
  expect([documents.document, documents.base]).toEqual([before, mine]);
});

test('special tokens are told from words, but not where the input has them anyway', () => {
  const list = ['<start>', '<end>', '<unknown>', 'she', 'reads'];
  expect(specialIn(['she', '<end>', '<end>'], list)).toEqual(['<end>']);
  expect(specialIn(['<start>', 'she'], list, ['<start>', 'reads'])).toEqual([]);
});
