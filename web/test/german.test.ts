// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// The German sentences speak to the reader in one way, as "du".
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './shipped.ts';

// "Sie" inside a sentence has a capital only where it is the reader; at its beginning what follows tells.
const POLITE = /[a-zäöüß,] (?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)\b|\b[A-ZÄÖÜ][a-zäöüß]+en Sie\b|\bSie können\b|\bIhre Sätze\b/u;

function german(): [string, string][] {
  const source = join(root, 'web/src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const words = files.filter((file) => /(?:^|\/)de(?:-[a-z]+)?\.(?:ts|json)$/.test(file)).map((file) => join(source, file));
  const records = readdirSync(join(root, 'data/catalogue/de')).map((file) => join(root, 'data/catalogue/de', file));
  const texts = [...words, ...records].map((file): [string, string] => [file, readFileSync(file, 'utf8')]);
  const lessons = readdirSync(join(source, 'lessons/data')).map((file): [string, string] => {
    const { text } = JSON.parse(readFileSync(join(source, 'lessons/data', file), 'utf8')) as { text: { de: unknown } };
    return [file, JSON.stringify(text.de, undefined, 1)];
  });
  return [...texts, ...lessons];
}

it('no sentence says "Sie" to the reader', () => {
  const all = german();
  expect(all.length).toBeGreaterThan(60);
  const found = all.flatMap(([file, text]) =>
    text.split('\n').filter((line) => POLITE.test(line)).map((line) => `${file}: ${line.trim()}`));
  expect(found).toEqual([]);
  for (const line of ["'Wählen Sie ein Maß'", 'Jetzt können Sie tippen', 'Lesen Sie: dort'])
    expect(POLITE.test(line), line).toBe(true);
});
