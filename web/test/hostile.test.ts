// SPDX-License-Identifier: Apache-2.0
// Links and files as the fuzzers of tests/fuzz treat documents: good ones with bytes changed, left out and put in, from
// a seed.
import '../src/strings/en-later.ts';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_NUMBERS, MOST_ROWS } from '../src/bring/input-data.ts';
import { readFile } from '../src/bring/read.ts';
import type { Doc } from '../src/engine/types.ts';
import { writeNpy } from './npy.ts';
import { decode, encode, parse } from '../src/state/hash.ts';

const folder = '../examples/'; // these tests run in web/
const texts = readdirSync(folder).filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(folder + name, 'utf8'));
const links = texts.map((text) => new TextEncoder().encode(encode(JSON.parse(text) as Doc)));

const change = fc.record({ way: fc.constantFrom('set', 'add', 'drop', 'double', 'swap'), at: fc.nat(),
  byte: fc.nat(255), length: fc.integer({ min: 1, max: 40 }) });
const changes = fc.array(change, { minLength: 1, maxLength: 6 });
type Change = { way: string; at: number; byte: number; length: number };

function changed(bytes: Uint8Array, list: Change[]): Uint8Array {
  const out = [...bytes];
  for (const { way, at: place, byte, length } of list) {
    const at = place % (out.length + 1);
    if (way === 'set') out[at] = byte;
    else if (way === 'add') out.splice(at, 0, byte);
    else if (way === 'drop') out.splice(at, length);
    else if (way === 'double') out.splice(at, 0, ...out.slice(at, at + length));
    else out.splice(place % 97, 0, ...out.splice(at, length));
  }
  return Uint8Array.from(out);
}

const forbidden = (value: unknown): boolean =>
  typeof value === 'object' && value !== null &&
  (['__proto__', 'constructor', 'prototype'].some((key) => Object.hasOwn(value, key))
    || Object.values(value).some(forbidden));

describe('a changed link', () => {
  const checked = (found: ReturnType<typeof decode>) => {
    if ('problem' in found) return void expect(['damaged', 'version', 'hostile', 'half']).toContain(found.problem);
    expect(forbidden(found)).toBe(false);
    expect(decode(encode(found.document, found.compare))).toEqual(found);
  };
  it('is a document or has a problem, before it is unpacked', () => {
    fc.assert(fc.property(fc.constantFrom(...links), changes,
      (link, list) => checked(decode(`#${new TextDecoder().decode(changed(link, list))}`))),
      { seed: 1, numRuns: 3000 });
  });
  it('is a document or has a problem, when the text inside was changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), changes,
        (text, list) => checked(parse(new TextDecoder().decode(changed(new TextEncoder().encode(text), list))))),
      { seed: 2, numRuns: 3000 },
    );
  });
});

describe('half of a character', () => {
  const halves = ['\\ud83d', '\\ude00', '\\ude00\\ud83d', 'a\\ud83d b'];
  const of = (token: string) => `{"schema":"s","inputs":{"x":{"tokens":["${token}"]}},"mechanism":{"type":"m"}}`;
  it('is told where a link, a file or an attribute holds it, as a text or as a key; a whole one is none', async () => {
    const dropped = (text: string) => readFile(new File([text], 'a.json'));
    for (const half of halves) {
      expect(parse(of(half))).toEqual({ problem: 'half' });
      expect(decode(`#${encode(JSON.parse(of(half)) as Doc)}`)).toEqual({ problem: 'half' });
      expect(parse(of('a').replace('"m"}', `"m","${half}":1}`))).toEqual({ problem: 'half' });
      for (const text of [of(half), `["${half}"]`, `{"labels":["${half}"],"matrix":[[1]]}`, `[{"w":"${half}","u":1}]`])
        expect(await dropped(text)).toEqual({ kind: 'wrong', why: expect.stringContaining('half a character') });
    }
    expect(parse(of('\\ud83d\\ude00'))).toHaveProperty('document');
    expect(await dropped('["\\ud83d\\ude00"]')).toEqual({ kind: 'words', tokens: ['😀'] });
  });
});

describe('a changed file', () => {
  const files: [name: string, bytes: Uint8Array][] = [
    ['a.npy', writeNpy([3, 4], Float32Array.from({ length: 12 }, (_, k) => k / 7))],
    ['b.npy', writeNpy([2, 3, 2], new Float32Array(12).fill(1))],
    ...['word,a,b\nred,1,2\n"blue, sky",3,4.5\n', '1;2,5\n3;0,25', '1 2\n3 4'].map((text): [string, Uint8Array] =>
    ['c.csv', new TextEncoder().encode(text)]),
    ...['[[1,2],[3,4]]', '{"shape":[1,2,2],"data":[1,2,3,4]}', '[{"word":"a","u":1},{"word":"b","u":2}]',
    '{"schema":"attention-playground-lesson/1","steps":[{"until":{"undone":true}}],'
    + '"text":{"title":"a","steps":[{"do":"b"}]}}',
    ...texts.slice(0, 3)].map((text): [string, Uint8Array] => ['d.json', new TextEncoder().encode(text)]),
    ['e.txt', new TextEncoder().encode('the cat sat on the mat. 3,5 7')],
  ];
  it('is understood or refused with a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), changes, async ([name, bytes], list) => {
        const found = await readFile(new File([changed(bytes, list) as BlobPart], name));
        if (found.kind === 'wrong') return void expect(found.why.length).toBeGreaterThan(5);
        if (found.kind === 'words') return void expect(found.tokens.length).toBeGreaterThan(0);
        if (found.kind === 'document') return void expect(forbidden(found.document)).toBe(false);
        if (found.kind === 'lesson') return void expect(forbidden(found.value)).toBe(false);
        if (found.kind === 'inputs') return void expect(found.given.length).toBeGreaterThan(0);
        const numbers = found.kind === 'matrix' ? found.rows.flat() : found.data;
        expect(numbers.every(Number.isFinite)).toBe(true);
        expect(numbers.length).toBeLessThanOrEqual(MOST_NUMBERS);
        if (found.kind === 'tensor') return void expect(found.shape.reduce((a, b) => a * b, 1)).toBe(numbers.length);
        expect(found.rows.length).toBeLessThanOrEqual(MOST_ROWS);
        expect(new Set(found.rows.map((row) => row.length)).size).toBe(1);
        expect(found.labels?.length ?? found.rows.length).toBe(found.rows.length);
      }),
      { seed: 3, numRuns: 3000 },
    );
  });
});
