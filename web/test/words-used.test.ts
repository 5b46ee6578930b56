// SPDX-License-Identifier: Apache-2.0
// No word stands in the page's dictionaries that nothing of the page says.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { first } from '../src/strings/en.ts';
import { later } from '../src/strings/en-later.ts';

const root = join(import.meta.dirname, '../src');
const DICTIONARIES = /(^|\/)words\/|^strings\/(?:[a-z]{2,3}|[a-z]{2,3}-\w+)\.ts$/;
const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !DICTIONARIES.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
const said = (name: string) => new RegExp(`\\b${name}\\b`).test(code);

const parts = import.meta.glob<{ words?: Record<string, unknown> }>('../src/*/words/en.ts', { eager: true });

it('every word is said by some file outside the dictionaries', () => {
  const all: [string, string[]][] = [['strings', Object.keys({ ...first, ...later })],
    ...Object.entries(parts).map(([file, { words }]): [string, string[]] => [file, Object.keys(words ?? {})])];
  expect(all.length).toBeGreaterThan(5);
  expect(all.flatMap(([file, names]) => names.filter((name) => !said(name)).map((name) => `${file}: ${name}`)))
    .toEqual([]);
});
