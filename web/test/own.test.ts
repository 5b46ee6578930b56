// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Begun, Measures, Trainer, TrainingDocument } from '../src/train/messages.ts';
import { charactersIn, documentOf, Draft, type Kind, understood } from '../src/train/own-data.ts';
import { asLines } from '../src/train/own-table.ts';

const bin = join(import.meta.dirname, '../../build/wasm/bin');
let module: Trainer;
beforeAll(async () => {
  const { default: create } = await import(/* @vite-ignore */ join(bin, 'training.mjs')) as
    { default: (given: object) => Promise<Trainer> };
  module = await create({ wasmBinary: readFileSync(join(bin, 'training.wasm')) });
});

type Opened = Begun & { error?: { path: string; message: string } };
const opened = (kind: Kind, text: string): { document: TrainingDocument; begun: Opened } => {
  const document = documentOf(kind, text, 'mine');
  return { document, begun: JSON.parse(module.trainOpen(JSON.stringify(document), '')) as Opened };
};
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const toy = (right: string) => numbers.flatMap((a) => ['red', 'green', 'blue', 'big', 'new'].map((b) =>
  `${a} ${b}\t${right === 'label' ? (b === 'red' || b === 'big' ? 'well known' : 'odd') : `x${b} x${a}`}`)).join('\n');
const prose = 'the sea was calm and the sky was clear, and nobody said a word. '.repeat(40)
  .split(' ').map((word, k) => (k % 3 ? word : `${word}${k}`)).join(' ');

describe('a reader’s own data', () => {
  it.each([['pairs', toy('pair'), 40], ['labels', toy('label'), 40], ['text', prose, 0]] as const)(
    'as %s are opened by the engine with the counts that the page tells, and learned', (kind, text, lines) => {
      const { document, begun } = opened(kind, text);
      expect(begun.error).toBeUndefined();
      expect(begun.task).toBe(`task-${kind}`);
      const found = understood(kind, text)!;
      expect([found.heldOut, found.examples - found.heldOut]).toEqual([begun.heldOut, begun.learnsFrom]);
      if (lines) expect(found.examples).toBe(lines);
      // What is watched is of the text, and its truth is known.
      const pinned = JSON.parse(module.trainPinned(begun.session).directory) as { source: string[]; truth: string[] };
      const inputs = document['inputs'] as Record<string, { tokens: string[] }>;
      expect([pinned.source, pinned.truth]).toEqual([inputs['source']!.tokens, inputs['target']!.tokens]);
      expect(pinned.source.length).toBeGreaterThan(1);
      const loss = () => (JSON.parse(module.trainMeasure(begun.session, 4)) as Measures).heldOutLoss;
      const before = loss();
      module.trainStep(begun.session, 60, 1e9);
      expect(loss()).toBeLessThan(0.9 * before);
      module.trainClose(begun.session);
    });

  it('of two lines still has a batch that fits', () => {
    expect(opened('pairs', 'a\tb\nc\td').begun.error).toBeUndefined();
    expect(opened('pairs', toy('pair')).document.training['batch']).toBe(16);
  });

  it.each([
    ['pairs', 'one\ttwo', 'two different sources'],
    ['pairs', `${toy('pair')}\nnine\t`, 'line 41'],
    ['pairs', 'a\tb\nc d', 'found no tab'],
    ['pairs', 'a\tb\n'.repeat(1_000_000), '1000000 lines'],
    ['labels', 'a\tx\nb\tx', 'every line has the label'],
    ['text', 'short', 'which makes 65'],
  ] as const)('that are wrong are refused by the engine: %s %#', (kind, text, says) => {
    expect(opened(kind, text).begun.error?.message).toContain(says);
  });

  it('are counted as the engine reads them', () => {
    expect(understood('pairs', ' \r\n\n')).toBeUndefined();
    expect(understood('pairs', '\uFEFFa b\tc\r\n\r\na b\td\r\ne\tc'))
      .toEqual({ examples: 3, words: 8, different: 5, heldOut: 1 });
    expect(understood('labels', 'a b\tvery good\nc\tbad')).toMatchObject({ words: 3, different: 3 });
    expect(understood('pairs', 'a\tb\n'.repeat(6000))?.heldOut).toBe(1);
    expect(charactersIn('e\u0301x \t\r\n')).toEqual(['e\u0301', 'x', '␣', '⇥', '↵']);
  });

  it('in a table with commas become lines with tabs', () => {
    expect(asLines('"red, big",rot\r\n\r\n"two\nlines"," zwei "\r\n')).toBe('red, big\trot\ntwo lines\tzwei');
  });

  it('that are learned already are what one goes on with, unless something else was pasted', () => {
    const draft = new Draft();
    draft.begin(documentOf('labels', 'a\tx\nb\ty', ''));
    expect([draft.kind, draft.text]).toEqual(['labels', 'a\tx\nb\ty']);
    draft.begin(documentOf('text', prose, ''));
    expect(draft.kind).toBe('labels');
  });
});
