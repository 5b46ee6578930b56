// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import type { System } from '../src/engine/types.ts';
import { inWords } from '../src/gallery/in-words.ts';
import { speak } from '../src/strings/language.ts';

const han = { id: 'han', title: 'Hierarchical Attention Network', says: 'What to notice: A. Try this: B.',
  simplified: ['C'] } as unknown as System;
afterEach(() => speak('en'));

test('sentences of a system wait for the words of the reader, and never appear in English first', async () => {
  await speak('de');
  const seen: string[] = [];
  await new Promise<void>((drawn) => {
    const draw = () => {
      const { know, simplified } = inWords(han, { requestUpdate: () => (draw(), drawn()) });
      seen.push(JSON.stringify([know, simplified.untrained]));
    };
    draw();
  });
  expect(seen[0]).toBe('["",[]]');
  expect(seen[1]).toContain('Wörter werden in ihrem Satz gewichtet');
});
