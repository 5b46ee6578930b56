// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { differences, withWordsOf } from '../src/gallery/presets.ts';
import { Book } from '../src/state/catalogue.ts';
import { encode } from '../src/state/hash.ts';
import { putInto } from '../src/state/proposals.ts';
import { serve } from '../src/state/roles.ts';
import { catalogue } from './runs.ts';

const here = dirname(fileURLToPath(import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(here, path), 'utf8'));
const groups = read('../presets/gallery.json') as { group: string; presets: string[] }[];
const files = groups.flatMap(({ presets }) => presets);
const preset = (file: string) => read(`../../examples/${file}.json`) as Doc;
const LONGEST = 2000 - 'https://a-school.example.org/attention/playground/#'.length;
const document: Doc = {
  schema: 's', title: 't', seed: 1, inputs: { x: { tokens: ['a'], features: { type: 'embedding', dim: 4 } } },
  mechanism: { type: 'm', score: 'dot', mask: ['p'], heads: { type: 'h', count: 2 } },
};

describe('presets', () => {
  it('have titles of their own and fit into a link of 2,000 characters', () => {
    expect(new Set(files.map((file) => preset(file)['title'])).size).toBe(files.length);
    for (const file of files) expect(encode(preset(file)).length, file).toBeLessThan(LONGEST);
  });

  it('fit still when they are compared with another preset', () => {
    const all = files.map(preset);
    for (const [k, one] of all.entries()) {
      const { mechanism } = all[(k + 1) % all.length]!;
      const [alone, both] = [encode(one).length, encode(one, { editing: 'B', mechanism }).length];
      expect(both, files[k]).toBeGreaterThan(alone);
      expect(both, files[k]).toBeLessThan(LONGEST);
    }
  });

  it('count edits by setting, and take two ways of writing one choice as one', () => {
    const same: Doc = { ...document, title: 'other', mechanism: { ...document.mechanism, score: { type: 'dot' } } };
    expect(differences(document, same)).toBe(0);
    expect(differences(document, { ...document, seed: 2,
      inputs: { x: { tokens: ['a', 'b'], features: { type: 'embedding', dim: 4 } } } })).toBe(2);
    expect(differences(document, { ...document, mechanism: { type: 'm', score: 'dot' } })).toBe(2);
    expect(differences(document, { ...document, mechanism: { ...document.mechanism, type: 'n' } })).toBe(1);
    expect(differences(document, { ...document, seed: 0 })).toBe(1);
    // One press shows gradients, whatever it has to write for them.
    expect(differences(document, { ...document, gradient: { of: 'a.context', outputs: true } })).toBe(1);
    expect(differences(document, { ...document,
      inputs: { x: { tokens: ['a'], features: { type: 'sinusoidal', dim: 4 } } } })).toBe(1);
  });

  it('count a text of another model as one edit: its numbers, their words and their count', () => {
    const text = (data: number[], labels: string[]): Doc => ({ ...document,
      inputs: { text: { data, labels, shape: [data.length, 1] } } });
    expect(differences(text([1, 2], ['a', 'b']), text([1, 2, 3], ['a', 'b', 'c']))).toBe(1);
    expect(differences(text([1, 2], ['a', 'b']), text([1, 2], ['a', 'b']))).toBe(0);
  });

  it('count a cheaper form of attention as one edit, and it reads no input but those of its module', () => {
    const book = new Book(catalogue);
    const mine = preset('transformer-encoder');
    const slot = book.module(mine)!.slots.find(({ kind }) => kind === 'core')!;
    for (const { id } of book.of('core')) {
      if (book.refusal(mine, slot, id) !== undefined) continue;
      const draft = structuredClone(mine);
      putInto(book, slot, '/mechanism/core', id)(draft);
      serve(book, draft, {}, ['a']);
      expect(Object.keys(draft.inputs), id).toEqual(['x']);
      expect(differences(mine, draft), id).toBe(1);
    }
  });

  it('count what the reader did to a trained model, not what followed from it', () => {
    const { document: first } = read('../src/state/example.json') as { document: Doc };
    const edited = (edit: (draft: Doc & { model: any[] }) => void) => {
      const draft = structuredClone(first) as Doc & { model: any[] };
      edit(draft);
      return differences(first, draft);
    };
    const answer = (draft: Doc) => void (draft.inputs['target']!['tokens'] = ['je', '<end>']);
    const score = (draft: Doc & { model: any[] }) => {
      draft.model[3].attention.score = { type: 'projected-query', base: { type: 'dot' } };
      draft['parameters'] = { from: 'own.safetensors' };
      answer(draft);
    };
    expect(edited(score)).toBe(1);
    const source = (draft: Doc) => void (draft.inputs['source']!['tokens'] = ['I', 'love', 'you']);
    expect(edited((draft) => [source(draft), answer(draft)])).toBe(1);
    expect(edited((draft) => [score(draft), source(draft)])).toBe(2);
    expect(edited(answer)).toBe(1);
    expect(edited((draft) => (draft['parameters'] = { from: 'own.safetensors' }))).toBe(1);
    expect(edited((draft) => (draft.model[3].attention.score.hidden = 16))).toBe(1);
  });

  it('take over words and seed, and their own features stay', () => {
    const mine: Doc = { ...document, seed: 0, inputs: { x: { tokens: ['mine'], features: { type: 'one-hot' } } } };
    expect(withWordsOf(document, mine))
      .toEqual({ ...document, seed: 0, inputs: { x: { tokens: ['mine'], features: { type: 'embedding', dim: 4 } } } });
    expect(withWordsOf(document, { ...mine, inputs: { x: { matrix: [[1]] } } }).inputs)
      .toEqual({ x: { matrix: [[1]] } });
    expect(withWordsOf(document, { ...mine, inputs: { other: { tokens: ['no'] } } }).inputs).toEqual(document.inputs);
  });
});
