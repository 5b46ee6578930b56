// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../src/engine/types.ts';
import { pieces } from '../src/strings/prose.ts';
import { records } from '../src/strings/records.ts';
import { about } from './whole.ts';

const root = join(import.meta.dirname, '../../');
const read = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'));
const catalogue = read('build/wasm/bin/catalogue.json') as Catalogue;

// Keys of records whose values are formulas, names or addresses and not sentences.
const NO_SENTENCES = new Set(['formula', 'shape', 'link', 'symbol', 'document', 'default', 'name']);

function sentencesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(sentencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (NO_SENTENCES.has(key) ? [] : sentencesIn(inner)));
}

const all = { 'the records': catalogue, 'records de': await records.de!(), 'records ar': await records.ar!(),
  'engine de': await about('de').engine!(), 'engine ar': await about('ar').engine!() };
const RAW = /`|\\[A-Za-z]|\$|[A-Za-z0-9)\]][_^][A-Za-z0-9{(\\]/;

describe('sentences of records', () => {
  it.each(Object.entries(all))('%s: nothing raw is left in them', (_, records) => {
    const sentences = sentencesIn(records);
    expect(sentences.length).toBeGreaterThan(50);
    const marked = sentences.map(pieces).filter((found) => found.length > 1);
    expect(marked.length).toBeGreaterThan(0);
    for (const piece of sentences.flatMap(pieces)) {
      if ('text' in piece) expect(piece.text).not.toMatch(RAW);
      if ('latex' in piece) expect(() => katex.renderToString(piece.latex, { throwOnError: true })).not.toThrow();
      if ('code' in piece) expect(piece.code).toMatch(/^[\w-]+$/);
    }
  });

  it('symbols end where they end, and names of files are no symbols', () => {
    expect(pieces('joined by W_O.')).toEqual([{ text: 'joined by ' }, { latex: 'W_{O}' }, { text: '.' }]);
    expect(pieces('Q K^T and b_psi')).toEqual([{ text: 'Q ' }, { latex: 'K^{\\top}' }, { text: ' and ' },
      { latex: 'b_{\\psi}' }]);
    expect(pieces('w_l `state`, e^2')).toEqual([{ latex: 'w_{l}' }, { text: ' ' }, { code: 'state' }, { text: ', ' },
      { latex: 'e^{2}' }]);
    expect(pieces('a divisor_near_sqrt_n')).toEqual([{ text: 'a divisor_near_sqrt_n' }]);
    expect(pieces('write it as "n_head"')).toEqual([{ text: 'write it as "n_head"' }]);
    expect(pieces('given: heads.W_Q')).toEqual([{ text: 'given: heads.W_Q' }]);
  });
});
