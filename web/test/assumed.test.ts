// SPDX-License-Identifier: Apache-2.0
// What the import assumed about a model is told in each language, and changed where there is a choice.
import '../src/strings/en-later.ts';
import { expect, it } from 'vitest';
import { assumedSizes } from '../src/models/assumed-sizes.ts';
import type { Opened } from '../src/models/types.ts';
import { words as ar } from '../src/models/words/ar.ts';
import { words as de } from '../src/models/words/de.ts';
import { speak } from '../src/strings/language.ts';
import { titleCalled } from '../src/state/document-title.ts';
import { tell } from '../src/strings/message.ts';

const opened = (architecture: string, assumed: Opened['assumed'], sizes: Opened['sizes']): Opened =>
  ({ architecture, assumed, sizes } as Opened);

it('assumed heads are told, with the divisors of the width to choose from', () => {
  const [heads, ...others] = assumedSizes(opened('vit-timm', { heads: 3 }, { width: 192 }));
  expect(others).toEqual([]);
  expect(heads!.sentence).toBe('Assumed: 3 heads. No file gives the number.');
  expect(heads!.question).toEqual({ key: 'num_heads', says: 'number of heads', message: '', value: 3,
    choices: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96] });
});

it('an assumed activation and any other size are told, without a choice', () => {
  const sentence = 'Assumed: the activation is gelu_new. No file names it.';
  expect(assumedSizes(opened('gpt2', { act: 'gelu_new' }, { width: 16 })))
    .toEqual([{ name: 'act', sentence, question: undefined }]);
  expect(assumedSizes(opened('gpt2', { layers: 2 }, {})).map(({ sentence }) => sentence))
    .toEqual(['Assumed: the number of layers is 2. No file gives it.']);
  expect(assumedSizes(opened('of tomorrow', { depth: [2] }, {})).map(({ sentence }) => sentence))
    .toEqual(['Assumed: the depth is [2]. No file gives it.']);
  expect(assumedSizes(opened('gpt2', undefined, {}))).toEqual([]);
});

it('other languages have their own forms of the number', () => {
  expect([1, 12].map((n) => tell('de', de.assumedHeads, { n }))).toEqual([
    'Angenommen: 1 Kopf. Keine Datei gibt die Zahl an.', 'Angenommen: 12 Köpfe. Keine Datei gibt die Zahl an.']);
  const arabic = [1, 2, 3, 12, 100].map((n) => tell('ar', ar.assumedHeads, { n }).replace(/[\u2066-\u2069]/g, ''));
  expect(arabic.map((text) => /: (.*?)\./.exec(text)![1]))
    .toEqual(['رأس واحد', 'رأسان', '3 رؤوس', '12 رأسًا', '100 رأس']);
});

it('the title of a model counts its layers in each language', async () => {
  const titles = (...all: string[]) => all.map((title) => titleCalled({ catalogue: { mechanisms: [] } } as never, title)
    .replaceAll(/[\u2066-\u2069]/g, ''));
  expect(titles('tiny, GPT-2, 6 layers', 'T5, 2 + 3 layers', 'GPT-2, 1 layers', 'My layers'))
    .toEqual(['tiny, GPT-2, 6 layers', 'T5, 2 + 3 layers', 'GPT-2, 1 layer', 'My layers']);
  await speak('de');
  expect(titles('tiny, GPT-2, 6 layers', 'T5, 2 + 3 layers')).toEqual(['tiny, GPT-2, 6 Schichten',
    'T5, 2 + 3 Schichten']);
  await speak('en');
});
