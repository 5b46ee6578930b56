// SPDX-License-Identifier: Apache-2.0
import { render } from 'lit';
import { expect, it } from 'vitest';
import { placesOf } from '../src/directory/places.ts';
import { likelyWords } from '../src/models/likely-words.ts';
import { putPieces, withSpacedLabels } from '../src/models/put-tokens.ts';
import type { Doc } from '../src/engine/types.ts';
import { shownPiece, shownWord } from '../src/strings/displayed-word.ts';

const TOKENS = ['Once', ' upon', '   ', '\n', '\t', '\u0000', '\u001b', '\u00a0', '\u200b', 'a\u200cb', '👨‍👩‍👧',
  '<0x8F>'];
const SHOWN = ['Once', '␣upon', '␣␣␣', '\\n', '\\t', '\\x00', '\\x1B', '\\xA0', '\\u200B', 'a\u200cb', '👨‍👩‍👧',
  '<0x8F>'];

it('shows first spaces and what has no picture', () => {
  expect(TOKENS.map(shownWord)).toEqual(SHOWN);
  expect(SHOWN.map(shownWord)).toEqual(SHOWN);
  expect(shownWord('x'.repeat(300))).toHaveLength(200);
  expect(shownPiece('▁the')).toBe('the');
});

it('writes a token alike beside an input, along a map and among next words', () => {
  const draft = { inputs: {} } as unknown as Doc;
  const model = { writes: { input: 'text' } } as Parameters<typeof putPieces>[1];
  putPieces(draft, model, { ids: TOKENS.map((_, k) => k), labels: TOKENS.map((one) => one.replace(' upon', '▁upon')) });
  const chips = (draft.inputs['text'] as { labels: string[] }).labels.map((one) => shownPiece(shownWord(one)));
  const words = new Map<string, readonly string[]>();
  const entry = { shape: [TOKENS.length], axes: ['m'], labels: ['text'],
    dimensions: [{ role: 'query', from: 'text' }] } as never;
  placesOf(entry, { labels: { text: TOKENS, m: TOKENS } } as never, words);
  const box = document.createElement('div');
  render(likelyWords(TOKENS.map((token, id) => ({ token: token.replace(' upon', '▁upon'), id, probability: 0.1 })),
    (token) => token, () => undefined, undefined), box);
  const next = [...box.querySelectorAll('button')].map((button) => button.textContent!.trim());
  expect([chips, [...words.values()][0]!.map(shownWord), next]).toEqual([SHOWN, SHOWN, SHOWN]);
});

it('opens documents of other tokenizers with spaces, and leaves inputs without labels', () => {
  const inputs = { text: { labels: ['▁a', 'b'], data: [1, 2] }, zeros: { data: [0] } };
  const opened = withSpacedLabels({ inputs } as never);
  expect(opened.inputs).toEqual({ text: { labels: [' a', 'b'], data: [1, 2] }, zeros: { data: [0] } });
});
