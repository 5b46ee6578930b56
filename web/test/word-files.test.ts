// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import firstWords from '../src/engine/first-words.json';
import { needOf, WordFile, WordFiles } from '../src/engine/words.ts';
import example from '../../examples/words-that-keep-company.json';

const folder = join(import.meta.dirname, '../../data/words/');
const read = (size: string) => new Uint8Array(readFileSync(`${folder}words-${size}.bin`));
const first = Uint8Array.from(atob(firstWords.file), (c) => c.charCodeAt(0));
const document = (tokens: string[], dim?: number) =>
  JSON.stringify({ inputs: { x: { tokens, features: { type: 'words', ...(dim === undefined ? {} : { dim }) } } } });

/** The files that were asked for, and those that were handed over, in order. */
function watched() {
  const asked: string[] = [];
  const given: Uint8Array[] = [];
  const source = (name: string, bytes: Uint8Array) => () => {
    asked.push(name);
    return Promise.resolve(bytes);
  };
  const files = new WordFiles([source('first', first), source('small', read('small')), source('large', read('large'))]);
  return { asked, given, files, engine: { words: (bytes: Uint8Array) => (given.push(bytes), '{}') } };
}

test('what a document asks for', () => {
  expect(needOf(document(['My', 'my', 'Ärger'], 30))).toEqual({ words: new Set(['my', 'Ärger']), columns: 30 });
  expect(needOf(document(['a']))!.columns).toBe(24);
  expect(needOf(document([]).replace('words', 'embedding'))).toBeUndefined();
  for (const text of ['', 'null', '"words"', '{"words"', '{"inputs": {"x": {"features": {"type": "words"}}}}',
    '{"inputs": ["words"]}']) expect(needOf(text)).toBeUndefined();
});

test('the first document brings its own vectors, the rows of the small file', () => {
  const need = needOf(JSON.stringify(example))!;
  expect(need.words.size).toBeGreaterThan(5);
  const own = new WordFile(first);
  expect(own.holds(need)).toBe(true);
  const small = read('small');
  const rows = (bytes: Uint8Array) => {
    const [line, scales, ...rest] = new TextDecoder('latin1').decode(bytes).split('\n');
    const count = Number(line!.split(' ')[1]);
    const numbers = bytes.subarray(bytes.length - count * 24);
    return { scales, of: (word: string) =>
      [...numbers.subarray(rest.indexOf(word) * 24, rest.indexOf(word) * 24 + 24)] };
  };
  const [mine, theirs] = [rows(first), rows(small)];
  expect(mine.scales).toBe(theirs.scales);
  for (const word of need.words) expect(mine.of(word)).toEqual(theirs.of(word));
});

test('a file is fetched once, when a document needs it, and handed over before the run', async () => {
  const { asked, given, files, engine } = watched();
  await files.prepare(engine, document(['my', 'mother'], 24).replace('words', 'embedding'));
  expect(asked).toEqual([]);
  await files.prepare(engine, JSON.stringify(example));
  expect(asked).toEqual(['first']);
  await files.prepare(engine, document(['King', 'queen'], 24));
  expect(asked).toEqual(['first', 'small']);
  await files.prepare(engine, document(['queen'], 3));
  expect(given.length).toBe(2);
  await files.prepare(engine, document(['queen'], 25));
  expect(asked).toEqual(['first', 'small', 'large']);
  await files.prepare(engine, document(['zzyzx'], 50));
  // An unknown word stays unknown: nothing is handed over again.
  expect(given.length).toBe(3);
  await files.prepare(engine, JSON.stringify(example));
  expect(asked).toEqual(['first', 'small', 'large']);
});

test('of several documents each one has what it needs', async () => {
  const { given, files, engine } = watched();
  await files.prepare(engine, document(['zzyzx'], 24), document(['king'], 24));
  expect(new WordFile(given.at(-1)!).holds(needOf(document(['king'], 24))!)).toBe(true);
});

test('a file that could not be fetched is asked for again', async () => {
  let tries = 0;
  const files = new WordFiles([() =>
    (++tries === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(read('large')))]);
  const engine = { words: () => '{}' };
  await expect(files.prepare(engine, document(['king']))).rejects.toThrow('offline');
  await files.prepare(engine, document(['king']));
  expect(tries).toBe(2);
});
