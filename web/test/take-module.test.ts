// SPDX-License-Identifier: Apache-2.0
// Code that grows: what the worker hands to the engine that writes it, and what it makes of what goes wrong.
import { describe, expect, it } from 'vitest';
import type { Catalogue, Mechanism } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { headingsOf } from '../src/take/module.ts';
import type { Order, Trainer } from '../src/train/messages.ts';
import { writeModule } from '../src/train/module-writer.ts';

const mechanism = (id: string, title: string, slots = 0): Mechanism => ({
  id, kind: 'structure', title, formula: 'y', aliases: [], slots: Array.from({ length: slots }, () => ({})), knobs: [],
  source: { authors: 'A', year: 2020, where: '', link: 'l' },
} as unknown as Mechanism);
const book = new Book({ schema: 's', mechanisms: [mechanism('attention', 'Attention', 3), mechanism('rnn', 'RNN'),
  mechanism('loss', 'Loss'), mechanism('rnn', 'Another')] } as Catalogue);

const order = (more: Partial<Extract<Order, { kind: 'module' }>> = {}) => ({ kind: 'module', document: '{}',
  form: 'pytorch', headings: '{}', wasmUrl: '', wordsUrls: [], weightsUrls: {}, held: [], ...more }) as
  Extract<Order, { kind: 'module' }>;

describe('the headings of a module', () => {
  it('are of the mechanisms that a document names, and of the general one, which needs no name', () => {
    const headings = JSON.parse(headingsOf('{"model": [{"type": "rnn"}]}', book)) as Record<string, { title: string }>;
    expect(Object.keys(headings).toSorted()).toEqual(['attention', 'rnn']);
    // Of two with one id the first counts, as in the engine.
    expect(headings['rnn']!.title).toBe('RNN');
  });
});

describe('the worker that writes modules', () => {
  it('hands over weights that only the page holds before it asks', async () => {
    const asked: string[] = [];
    const engine = {
      weights: (name: string, size: number) => {
        asked.push(`${name} of ${size} bytes`);
        return '{}';
      },
      moduleCode: (document: string, form: string, headings: string) => {
        asked.push(`${form} ${headings} ${document.length}`);
        return { directory: '{"code": "c"}', data: Uint8Array.of(1, 2) };
      },
    } as unknown as Trainer;
    const document = '{"parameters": {"from": ["mine.safetensors", "own.safetensors"]}}';
    const news = await writeModule(engine, order({ document, headings: '{"a": 1}',
      held: [{ name: 'mine.safetensors', bytes: Uint8Array.of(7, 8, 9) },
        { name: 'own.safetensors', bytes: Uint8Array.of(7) }] }));
    expect(asked.toSorted()).toEqual(['mine.safetensors of 3 bytes', 'own.safetensors of 1 bytes',
      `pytorch {"a": 1} ${document.length}`]);
    expect(news).toEqual({ kind: 'module', text: '{"code": "c"}', weights: Uint8Array.of(1, 2) });
  });

  it('refuses where a file cannot be had, and lets the engine live', async () => {
    const words = { inputs: { x: { tokens: ['a'], features: { type: 'words' } } } };
    const news = await writeModule({} as Trainer, order({ document: JSON.stringify(words) }));
    expect(news).toMatchObject({ kind: 'refused', by: 'module',
      problem: { message: expect.stringContaining('word vectors') as unknown } });
  });
});
