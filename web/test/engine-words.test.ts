// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Catalogue, Mechanism } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { missing } from '../src/strings/engine.ts';

const one = (id: string): Mechanism => ({
  id, kind: 'score', title: `Title ${id}`, sentence: `Sentence ${id}.`, aliases: [], formula: '', parameters: [], roles: [], differentiable: true,
  knobs: [{ name: 'k', title: 'Scale', type: 'number' }], slots: [{ name: 's', title: 'Base', group: 'g', kind: 'score', default: null, list: false, optional: true }],
});
const catalogue = (): Catalogue => ({ schema: 's', mechanisms: [one('a'), one('b')] });
const words = { titles: { Scale: 'Skala' }, mechanisms: { a: ['Titel', 'Satz.'] } };
const said = ({ mechanisms: [a, b] }: Catalogue) => [a!.title, a!.sentence, a!.lang, b!.title, b!.lang, a!.knobs[0]!.title, a!.knobs[0]!.lang, a!.slots[0]!.title, a!.slots[0]!.lang];

describe('what the engine says', () => {
  it('is said in another language, falls back to English that is marked, and comes back', async () => {
    const book = new Book(catalogue(), async () => catalogue());
    const before = said(book.catalogue);
    book.speak(words);
    expect(said(book.catalogue)).toEqual(['Titel', 'Satz.', undefined, 'Title b', 'en', 'Skala', undefined, 'Base', 'en']);
    await book.learn();
    expect(said(book.catalogue)[0]).toBe('Titel');
    book.speak(undefined);
    expect(said(book.catalogue)).toEqual(before);
  });

  it('can be listed where words are missing, whatever is spoken', () => {
    const book = new Book(catalogue());
    book.speak(words);
    expect(missing(book.catalogue, words)).toEqual({ titles: ['Base'], mechanisms: ['b'] });
  });
});
