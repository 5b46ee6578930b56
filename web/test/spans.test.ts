// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { borderMoved, bordersOf, cutsOf, faultOf, fitted, fromBorders, readSpans, sentencesOf, type Span, toggled,
  typed, written } from '../src/spans/partition.ts';
import { words } from '../src/spans/words.ts';
import { ready, speaking } from '../src/strings/language.ts';
import { book, catalogue, runs, systemFiles } from './runs.ts';

const cuts = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.array(fc.integer({ min: -3, max: 45 }), { maxLength: 8 }))
  .map(([count, borders]) => ({ count, spans: fromBorders(borders, count) }));

describe('spans', () => {
  it('whatever is set, moved or taken away, every word belongs to one part', () => {
    fc.assert(fc.property(cuts, fc.integer({ min: 1, max: 39 }), fc.integer({ min: -5, max: 50 }),
      ({ count, spans }, at, to) => {
      for (const made of [spans, toggled(spans, Math.min(at, count), count),
        ...bordersOf(spans).map((border) => borderMoved(spans, border, to, count)), fitted(spans, at)]) {
        expect(faultOf(made, made === spans || made.at(-1)![1] === count ? count : at)).toBeUndefined();
      }
      expect(toggled(toggled(spans, Math.min(at, count), count), Math.min(at, count), count)).toEqual(spans);
      expect(borderMoved(spans, bordersOf(spans)[0] ?? 0, to, count).length).toBe(spans.length);
      expect(typed(written(spans))).toEqual(spans);
    }));
  });

  it('what is wrong with others is found, and said in every language', async () => {
    await Promise.all([ready('de'), ready('ar')]);
    const faults: [Span[], number, string][] = [
      [[[0, 3], [2, 5]], 5, 'overlap'], [[[0, 2], [3, 5]], 5, 'gap'], [[[0, 2], [2, 7]], 5, 'past'],
      [[[1, 5]], 5, 'start'], [[[0, 2], [2, 2], [2, 5]], 5, 'empty'], [[[0, 3]], 5, 'short'],
    ];
    for (const [spans, count, kind] of faults) {
      const fault = faultOf(spans, count)!;
      expect(fault.kind).toBe(kind);
      expect(faultOf(fitted(spans, count), count)).toBeUndefined();
      for (const code of ['en', 'de', 'ar'] as const) {
        expect(speaking(code, () => words().faults[kind]!(fault.span + 1, fault.at, count)), code).toMatch(/\d/);
      }
    }
    expect(faultOf([[0, 2], [2, 5]], 5)).toBeUndefined();
  });

  it('what is typed or stands in a document is spans or nothing', () => {
    expect(typed('0-5, 5–11;11:16')).toEqual([[0, 5], [5, 11], [11, 16]]);
    for (const text of ['', 'words', '0-', '0 5', '-1-4', '0-5-7']) expect(typed(text), text).toBeUndefined();
    expect(readSpans([[0, 5], [5, 7]])).toEqual([[0, 5], [5, 7]]);
    for (const value of [undefined, null, [], [[0]], [[0, 1.5]], [0, 1], 'x'])
      expect(readSpans(value as never), JSON.stringify(value)).toBeUndefined();
  });

  it('sentences end where the engine ends them', () => {
    const { document } = systemFiles.find(({ id }) => id === 'han')!;
    const [result] = runs([document]);
    const tokens = document.inputs['text']!['tokens'] as string[];
    const parts = sentencesOf(tokens).map(([start, end]) => tokens.slice(start, end).join(' '));
    expect(Object.values(result!.directory.labels)).toContainEqual(parts);
    expect(sentencesOf(['a', 'b'])).toEqual([[0, 2]]);
  });

  it('levels are found in every module that has them, over the words that it reads', () => {
    const { document } = systemFiles.find(({ id }) => id === 'han')!;
    expect(cutsOf(book, document).map(({ path, input, over }) => [path, input, over]))
      .toEqual([['/model/0/spans', 'text', 'tokens']]);
    const ids = catalogue.mechanisms.filter(({ knobs }) => knobs.some(({ name }) => name === 'spans'))
      .map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    runs(ids).forEach((result, k) => expect(cutsOf(book, result.directory.document).length, ids[k]).toBeGreaterThan(0));
  });
});
