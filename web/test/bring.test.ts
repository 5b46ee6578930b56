// SPDX-License-Identifier: Apache-2.0
import '../src/strings/en-later.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeData } from '../src/inputs/guess.ts';
import { inputFrom, readable } from '../src/bring/put-input.ts';
import { readFile, readText } from '../src/bring/read.ts';
import { readNpy } from '../src/files/npy.ts';
import { writeNpy } from './npy.ts';

const why = (text: string): string => {
  const found = readText(text);
  return found.kind === 'wrong' ? found.why : found.kind;
};

describe('text that is pasted', () => {
  it('is words when it reads like a sentence', () => {
    for (const text of ['the cat sat.', 'In 1999, he left', '“Yes,” she said; 2 of us', 'a, b, c',
      'Dear all,\nat 5, then, we meet', 'one, two\nthree, four']) expect(looksLikeData(text)).toBe(false);
    expect(readText('it slept.')).toEqual({ kind: 'words', tokens: ['it', 'slept', '.'] });
  });

  it('is a table with its names, whatever parts the columns', () => {
    const rows = [[1, 2.5], [-3, 0.001]];
    for (const text of ['1,2.5\n-3,1e-3', '1\t2.5\n-3\t1e-3\n', '1;2,5\r\n-3;0,001', '1 2.5\n-3 0.001',
      '1|2.5\n−3|.001']) {
      expect(readText(text)).toEqual({ kind: 'matrix', rows, labels: undefined, columns: undefined });
    }
    expect(readText(',a,b\nred,1,2\n"blue, sky",3,4'))
      .toEqual({ kind: 'matrix', rows: [[1, 2], [3, 4]], labels: ['red', 'blue, sky'], columns: ['a', 'b'] });
    expect(readText('name;score\nann;1\nbob;2'))
      .toMatchObject({ kind: 'matrix', rows: [[1], [2]], labels: ['ann', 'bob'], columns: ['score'] });
    expect(readText('a,b\n1,2')).toEqual({ kind: 'matrix', rows: [[1, 2]], labels: undefined, columns: ['a', 'b'] });
  });

  it('is JSON of many forms', () => {
    expect(readText('[[1,2],[3,4]]')).toMatchObject({ kind: 'matrix', rows: [[1, 2], [3, 4]] });
    expect(readText('[1,2]')).toMatchObject({ rows: [[1, 2]] });
    expect(readText('["a","b"]')).toEqual({ kind: 'words', tokens: ['a', 'b'] });
    expect(readText('{"shape":[1,2,2],"data":[1,2,3,4]}'))
      .toEqual({ kind: 'tensor', shape: [1, 2, 2], data: [1, 2, 3, 4] });
    expect(readText('{"matrix":[[1],[0]],"labels":["a","b"]}')).toMatchObject({ rows: [[1], [0]], labels: ['a', 'b'] });
    expect(readText('[{"word":"a","u":1,"v":0},{"word":"b","u":2,"v":5}]'))
      .toMatchObject({ rows: [[1, 0], [2, 5]], labels: ['a', 'b'], columns: ['u', 'v'] });
    expect(readText('{"document":{"schema":"s","inputs":{},"mechanism":{}},"outputs":{}}'))
      .toMatchObject({ kind: 'document' });
  });

  it('is JSON of named matrices', () => {
    const given = [{ name: 'query', rows: [[1, 0], [0, 2]] }, { name: 'key', rows: [[1, 1], [0, 3], [-1, 0.5]] },
      { name: 'value', rows: [[10, 0], [0, 20], [5, 5]] }];
    for (const [q, k, v] of [['Q', 'K', 'V'], ['query', 'Key', 'VALUE'], ['q', 'keys', 'v']])
      expect(readText(JSON.stringify({ [v!]: given[2]!.rows, [q!]: given[0]!.rows, [k!]: given[1]!.rows })))
        .toEqual({ kind: 'inputs', given });
    expect(why('{"Q":[[1]],"K":[[1],[2]],"V":[[1]]}')).toContain('found 2 rows of keys and 1 rows of values');
    expect(why('{"Q":[[1]],"mask":[[1]]}')).toContain('“mask” is not the name of an input');
    expect(why('{"Q":[[1]],"query":[[1]]}')).toContain('given twice');
    expect(why('{"Q":3}')).toContain('“Q” is not a matrix');
    expect(why('{"Q":[[1,2],[3]]}')).toContain('differ in length');
  });

  it('is refused in words', () => {
    expect(why('1,2\n3')).toContain('Row 2');
    expect(why('1,2\n3,x\n4,5')).toContain('“x”');
    expect(why('[[1,2],[3]]')).toContain('differ in length');
    expect(why('{"shape":[3],"data":[1]}')).toContain('does not fit');
    expect(why(`[${Array(600).fill('[1]').join()}]`)).toContain('too many');
    expect(why('{"schema":"s","inputs":{},"mechanism":{"__proto__":{}}}')).toContain('experiment');
    expect(why('  ')).toContain('empty');
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(),
      fc.array(fc.array(fc.double())).map((rows) => rows.join('\n'))), (text) => {
      expect(readText(text)).toHaveProperty('kind');
    }), { seed: 7, numRuns: 200 });
  }, 60_000);
});

describe('.npy files', () => {
  it('come back as they were written', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }), (shape) => {
      const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => Math.fround(k / 3 - 1));
      const bytes = writeNpy(shape, data);
      expect((bytes.length - 4 * data.length) % 64).toBe(0);
      expect(readNpy(bytes)).toEqual({ shape, data: [...data] });
    }), { seed: 7, numRuns: 50 });
  });

  it('of every kind of number are read', () => {
    const made = (type: string, bytes: number[]) => {
      const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (2,), }\n`;
      return Uint8Array.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0,
        ...[...header].map((c) => c.charCodeAt(0)), ...bytes]);
    };
    const kinds: [string, number[], number[]][] = [
      ['<f2', [0x00, 0x3e, 0x01, 0x80], [1.5, -(2 ** -24)]], ['>f2', [0xbc, 0x00, 0x03, 0xff], [-1, 1023 * 2 ** -24]],
      ['<i8', [255, 255, 255, 255, 255, 255, 255, 255, 7, 0, 0, 0, 0, 0, 0, 0], [-1, 7]],
      ['>i2', [255, 254, 0, 3], [-2, 3]],
      ['|u1', [255, 0], [255, 0]], ['|b1', [1, 0], [1, 0]], ['>f4', [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0], [1, -2]],
    ];
    for (const [type, bytes, wanted] of kinds) expect(readNpy(made(type, bytes)).data, type).toEqual(wanted);
    expect(() => readNpy(made('<c8', Array(16).fill(0)))).toThrow('real numbers');
  });

  it('that are no such files, or are cut off, are refused', async () => {
    const whole = writeNpy([4], [1, 2, 3, 4]);
    for (let cut = 0; cut < whole.length; cut += 7) expect(() => readNpy(whole.subarray(0, cut))).toThrow();
    const text = await readFile(new File([new Uint8Array([0x93, 0x4e, 1, 2, 3])], 'x.npy'));
    expect(text.kind).toBe('wrong');
    expect((await readFile(new File([new Uint8Array([0xff, 0xfe, 0x00])], 'x.txt'))).kind).toBe('wrong');
    // A PDF of plain letters would be read as words: its commands.
    expect((await readFile(new File(['%PDF-1.4 hi'], 'x.pdf'))).kind).toBe('wrong');
  });
});

describe('what is brought', () => {
  it('keeps the words when there is a row for each, and names rows otherwise', () => {
    const words = { tokens: ['a', 'b'], features: { type: 'one-hot' } };
    expect(inputFrom({ kind: 'matrix', rows: [[1], [2]] }, words))
      .toEqual({ tokens: ['a', 'b'], features: { type: 'matrix', matrix: [[1], [2]] } });
    expect(inputFrom({ kind: 'matrix', rows: [[1]] }, words)).toEqual({ matrix: [[1]] });
    expect(inputFrom({ kind: 'matrix', rows: [[1]], labels: ['z'] }, words))
      .toEqual({ tokens: ['z'], features: { type: 'matrix', matrix: [[1]] } });
    expect(inputFrom({ kind: 'words', tokens: ['c'] }, words))
      .toEqual({ tokens: ['c'], features: { type: 'one-hot' } });
  });
});

describe('data for a model that looks words up', () => {
  const table = readText(',a,b\nred,1,2\ncar,3,4');
  it('leaves the words of a table, and nothing of one without', () => {
    const words = readable(table, ['<start>', 'red'])!;
    expect(words).toEqual({ kind: 'words', tokens: ['red', 'car'] });
    expect(inputFrom(words, { tokens: ['the'] }, true)).toEqual({ tokens: ['red', 'car'] });
    expect(inputFrom(words, { matrix: [[1]] }, true)).toEqual({ tokens: ['red', 'car'] });
    expect(readable(readText('1,2\n3,4'), ['red'])).toBeUndefined();
  });
  it('is unchanged where there is no list of words', () => expect(readable(table, undefined)).toBe(table));
});
