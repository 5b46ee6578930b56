// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapOf, matrixOf } from '../src/elements/tensor.ts';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { type Fit, fit, type Needs, READABLE } from '../src/lecture/fixed-layout.ts';
import { MOST } from '../src/state/lecture.ts';
import { add, moments, nameStep, read, removeAll, rename, stepsOf } from '../src/lecture/memory.ts';
import { milestones } from '../src/lecture/milestones.ts';
import { commonOf, type Scene, strongest } from '../src/lecture/scene.ts';
import { changeOf, nameFor } from '../src/lecture/suggest.ts';
import { Book } from '../src/state/catalogue.ts';
import type { Measured } from '../src/train/messages.ts';

const root = join(import.meta.dirname, '../../');
const readJson = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'));

describe('the picture of a lecture', () => {
  const needs = (more: Partial<Needs>): Needs => ({ width: 1860, height: 820, rows: 5, columns: 5, rowWords: 3.5,
    columnWords: 3.2, written: 0, ...more });
  const inside = (at: Fit, { width, height, rows, columns }: Needs) => {
    expect(at.x - at.left).toBeGreaterThanOrEqual(-0.01);
    expect(at.x + columns * at.cell.w + at.right).toBeLessThanOrEqual(width + 0.01);
    expect(at.y + rows * at.cell.h).toBeLessThanOrEqual(height + 0.01);
    expect(at.y).toBeGreaterThanOrEqual(at.type);
  };

  it('names few rows in type that is read from the last row, at 1920 as on a laptop', () => {
    for (const [width, height] of [[1860, 820], [1220, 560]] as const) {
      for (const rows of [2, 5, 8, 11]) {
        const asked = needs({ width, height, rows, columns: rows, written: 4 });
        const at = fit(asked);
        expect(at.type, `${rows} rows in ${width}`).toBeGreaterThanOrEqual(READABLE);
        expect([at.everyRow, at.everyColumn]).toEqual([1, 1]);
        inside(at, asked);
      }
    }
  });

  it('has room on a phone, and for long texts', () => {
    for (const more of [{ width: 366, height: 420, rows: 8, columns: 8 }, { rows: 64, columns: 64 },
      { rows: 512, columns: 512, rowWords: 9, columnWords: 9 }, { rows: 1, columns: 300 }, { rows: 1, columns: 1 }]) {
      const asked = needs(more);
      const at = fit(asked);
      inside(at, asked);
      expect(at.type).toBeGreaterThanOrEqual(9);
      expect(at.everyRow * at.cell.h).toBeGreaterThanOrEqual(at.type);
    }
    expect(fit(needs({ rows: 512, columns: 512 })).numbers).toBe(0);
    expect(fit(needs({ rows: 512, columns: 512 })).everyColumn).toBeGreaterThan(1);
  });
});

const scene = (more: Partial<Scene>): Scene => ({ title: 'Weights', role: 'weight', notes: [], rows: ['a', 'b'],
  columns: ['x', 'y', 'z'], cells: mapOf(Float32Array.of(0.2, 0.5, 0.3, 0.9, 0.1, 0), 2, 3),
  mask: undefined, kind: 'weights', shares: true, domain: [0, 1], written: undefined, links: [], ...more });

describe('scenes', () => {
  it('share the room of the longest words and one scale for each kind', () => {
    const common = commonOf([scene({}), scene({ rows: ['a', 'much longer', 'c'], kind: 'signed', domain: [-2, 2] }),
      scene({ kind: 'signed', domain: [-1, 1], written: [{ text: 'oui', right: true }] })]);
    expect([common.rows, common.columns]).toEqual([3, 3]);
    expect(common.rowNames).toContain('much longer');
    expect(common.written).toEqual(['oui']);
    expect(common.domains).toEqual({ weights: [0, 1], signed: [-2, 2] });
    expect(commonOf([])).toMatchObject({ rows: 0, columns: 0, domains: {} });
  });

  it('leave no room for maps that are much larger than the one shown', () => {
    const labels = (count: number) => Array.from({ length: count }, (_, k) => `w${k}`);
    const [few, more, many] = [10, 12, 24].map((count) => scene({ rows: labels(count), columns: labels(count) }));
    expect(commonOf([few!, more!, many!], few)).toMatchObject({ rows: 12, columns: 12 });
    expect(commonOf([few!, more!, many!], many)).toMatchObject({ rows: 24, columns: 24 });
    expect(commonOf([scene({ domain: [0, 2] }), few!], few).domains).toEqual({ weights: [0, 2] });
  });

  it('say where each row is strongest among what is not masked', () => {
    const mask = matrixOf(Float32Array.of(1, 0, 1, 1, 1, 1), 2, 3);
    expect(strongest(scene({ mask })).map(({ row, column }) => [row, column])).toEqual([[0, 2], [1, 0]]);
    expect(strongest(scene({})).map(({ row, column }) => [row, column])).toEqual([[0, 1], [1, 0]]);
  });
});

describe('the moments of a training', () => {
  const measured = (list: [number, number, number?][]): Measured[] => list.map(([step, accuracy, alignment]) =>
    ({ step, accuracy, exact: 0, heldOut: 9, heldOutLoss: 1, ...(alignment === undefined ? {} : { alignment }) }));
  const checkpoints = (...steps: number[]) => steps.map((step) => ({ step, bytes: new Uint8Array() }));

  it('are before, the first step at each share, checkpoints between them, and after', () => {
    const found = milestones({ checkpoints: checkpoints(60, 402, 1000),
      measured: measured([[0, 0.1, 0.2], [100, 0.3, 0.2], [200, 0.6, 0.4], [300, 0.4, 0.8], [400, 0.95, 0.9]]) }, 1000);
    expect(found).toEqual([
      { step: 0, reasons: [{ kind: 'before' }] },
      { step: 60, reasons: [{ kind: 'checkpoint' }] },
      { step: 100, reasons: [{ kind: 'accuracy', share: 0.25 }] },
      { step: 200, reasons: [{ kind: 'accuracy', share: 0.5 }, { kind: 'alignment', share: 0.25 }] },
      { step: 300, reasons: [{ kind: 'alignment', share: 0.75 }] },
      { step: 400, reasons: [{ kind: 'accuracy', share: 0.9 }, { kind: 'alignment', share: 0.9 }] },
      { step: 1000, reasons: [{ kind: 'after' }] },
    ]);
  });

  it('are one before the first step, and what was right at once was not learned', () => {
    expect(milestones({ measured: [], checkpoints: [] }, 0)).toEqual([{ step: 0, reasons: [{ kind: 'before' }] }]);
    expect(milestones({ measured: measured([[0, 0.6], [50, 0.7]]), checkpoints: [] }, 50).map(({ step }) => step))
      .toEqual([0, 50]);
  });
});

describe('what is kept', () => {
  const document = { schema: 'attention-playground/1', inputs: { x: { tokens: ['a'] } },
    mechanism: { type: 'attention' } } as unknown as Doc;

  it('is named, and has an end', () => {
    for (let k = 0; k < MOST; k++) expect(add(` moment ${k} `, document)).toBe(true);
    expect(add('one more', document)).toBe(false);
    rename(0, 'before');
    expect(moments().slice(0, 2).map(({ name }) => name)).toEqual(['before', 'moment 1']);
    removeAll();
    expect(moments()).toEqual([]);
  });

  it('belongs to its training', () => {
    nameStep('one', 480, 'it turns');
    nameStep('one', 480, 'here it turns');
    expect(stepsOf('one')).toEqual([{ step: 480, name: 'here it turns' }]);
    expect(stepsOf('other')).toEqual([]);
    nameStep('other', 10, 'ten');
    expect(stepsOf('one')).toEqual([]);
    nameStep('other', 10, undefined);
    expect(stepsOf('other')).toEqual([]);
  });

  it('is read with care: what is damaged or means harm is left out', () => {
    const good = { name: 'good', document };
    const found = read(JSON.stringify({ moments: [good, { name: 'bad', document: { inputs: 7 } }, 'text', null,
      JSON.parse('{"name": "worse", "document": {"inputs": {}, "mechanism": {"__proto__": {}}}}')],
      steps: [{ step: 3, name: 'x'.repeat(500) }, { step: -1, name: 'no' }, { step: 0.5 }], training: 4 }));
    expect(found.moments.map(({ name }) => name)).toEqual(['good']);
    expect(found.steps).toHaveLength(1);
    expect(found.steps[0]!.name).toHaveLength(120);
    expect(found.training).toBe('');
    for (const text of [null, '', '7', '[]', '{"moments": 3}', '{'])
      expect(read(text)).toEqual({ moments: [], training: '', steps: [] });
  });
});

describe('names', () => {
  const book = new Book(readJson('build/wasm/bin/catalogue.json') as Catalogue);
  const document = readJson('examples/transformer-head.json') as Doc;
  const changed = (edit: (draft: Doc) => void) => {
    const copy = structuredClone(document);
    edit(copy);
    return copy;
  };

  it('say what was changed, from what to what', () => {
    const cosine = changed((draft) => ((draft.mechanism as Record<string, unknown>)['score'] = { type: 'cosine' }));
    expect(changeOf(book, document, document)).toBeUndefined();
    expect(changeOf(book, document, cosine)).toMatch(/^Score: .+ → .*[Cc]osine/);
    const [name] = Object.keys(document.inputs);
    const words = changed((draft) => (draft.inputs[name!]!['tokens'] = ['one', 'two']));
    expect(changeOf(book, document, words)).toBe('words: one two');
    const titled = changed((draft) => (draft['title'] = 'Another'));
    expect(changeOf(book, document, titled)).toBe('Another');
    const many = structuredClone(words);
    Object.assign(many['mechanism'] as object, { score: 'cosine', alignment: 'sparsemax', position: ['rope'] });
    expect(changeOf(book, document, many), 'the first two, and how many more').toMatch(/Score: .*, 2 more changes$/);
  });

  it('begin with before, and are none that is taken', () => {
    expect(nameFor(book, document, [])).toBe('before');
    const now = { name: 'before', document };
    const [name] = Object.keys(document.inputs);
    const words = changed((draft) => (draft.inputs[name!]!['tokens'] = ['one']));
    expect(nameFor(book, words, [now])).toBe('words: one');
    expect(nameFor(book, words, [{ name: 'words: one', document: words }, now])).toBe('words: one 2');
  });
});
