// SPDX-License-Identifier: Apache-2.0
// What a file of weights says of how they came to be, and what the page says of it.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { readTrained } from '../src/bring/read.ts';
import { madeAfter, madeFile, madeIn, namedFile } from '../src/files/weights-origin.ts';
import { bytesOf } from '../src/files/base64.ts';
import { readWeights, valuesOf } from '../src/files/weights.ts';
import { madeSaid } from '../src/learned/origin-sentences.ts';
import { speak } from '../src/strings/language.ts';

const shipped = new Uint8Array(readFileSync('../examples/trained/translate.safetensors')); // these tests run in web/
const measured = { step: 740, heldOut: 96, accuracy: 0.98, exact: 0.9, heldOutLoss: 0.1 };

afterEach(() => speak('en'));

describe('how weights came to be', () => {
  it('lies in their file, and changes none of them', () => {
    const file = readWeights(madeFile(shipped, madeAfter(744, undefined, measured)));
    const before = readWeights(shipped);
    expect([...file.tensors.keys()]).toEqual([...before.tensors.keys()]);
    for (const name of before.tensors.keys()) expect(valuesOf(file, name)).toEqual(valuesOf(before, name));
    expect(file.metadata['document']).toBe(before.metadata['document']);
    expect(madeIn(file.metadata)).toEqual({ steps: 744,
      measured: { step: 740, heldOut: 96, accuracy: 0.98, exact: 0.9 } });
  });

  it('is what any program wrote there, of which only what has the form is believed', () => {
    expect(madeIn({})).toEqual({});
    for (const trained of ['', '{', 'null', '7', '{"steps":-1,"file":3}', '{"measured":{"accuracy":2}}'])
      expect(madeIn({ trained }), trained).toEqual({});
    expect(namedFile(Uint8Array.of(1, 2), 'a')).toEqual(Uint8Array.of(1, 2));
  });

  it('counts the steps of the file that a training began with, while none of its weights was drawn anew', () => {
    const fitted = (made: object, drawn: string[] = []) => ({ kept: ['a'], drawn, made });
    expect(madeAfter(10, fitted({ file: 'a', steps: 700 }), undefined)).toEqual({ file: 'a', steps: 710 });
    expect(madeAfter(10, fitted({ file: 'a' }), undefined)).toEqual({ file: 'a', here: 10 });
    expect(madeAfter(0, fitted({ file: 'a' }), undefined)).toEqual({ file: 'a' });
    expect(madeAfter(10, fitted({ file: 'a', steps: 700 }, ['b']), undefined)).toEqual({ steps: 10 });
  });

  it('is said with its numbers, and what a file claims is said to be its claim', () => {
    expect(madeSaid({})).toBe('');
    expect(madeSaid(madeAfter(744, undefined, measured))).toBe('You trained this model for 744 steps. Measured at '
      + 'step 740 on 96 held-out examples: 98% of the words and 90% of the whole answers were right.');
    expect(madeSaid(madeAfter(740, undefined, measured))).toBe('You trained this model for 740 steps. Measured on 96 '
      + 'held-out examples: 98% of the words and 90% of the whole answers are right.');
    expect(madeSaid({ file: 'mine.safetensors' })).toBe('Its weights are from the file “mine.safetensors”.');
    const saved = madeFile(shipped, madeAfter(740, undefined, measured));
    const opened = readTrained('mine.safetensors', saved);
    if (opened.kind !== 'document') throw new Error(opened.kind);
    const [bytes] = Object.values(opened.weights?.files ?? {}).map(bytesOf);
    expect(madeSaid(madeIn(readWeights(bytes!).metadata))).toBe('Its weights are from the file “mine.safetensors”, '
      + 'after 740 steps of training. According to the file, 98% of the words and 90% of the whole '
      + 'answers are right in 96 held-out examples.');
    // What is trained and measured here after that is the page's own word.
    const further = madeAfter(20, { kept: ['a'], drawn: [], made: madeIn(readWeights(bytes!).metadata) },
      { ...measured, step: 20 });
    expect(madeSaid(further)).toBe('Its weights are from the file “mine.safetensors”, after 760 steps of training. '
      + 'Measured on 96 held-out examples: 98% of the words and 90% of the whole answers are right.');
  });
});
