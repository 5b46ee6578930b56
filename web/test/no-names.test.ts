// SPDX-License-Identifier: Apache-2.0
// The engine says what a tensor is; the page reads it from no name. These rules find the spellings below; what is still
// guessed from counts, sizes and distributions is listed in docs/reviews-page.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../src');
// Lessons name the tensors that they ask about, as documents do; the library hands names through.
const NAMED = /^(lessons|library|strings)\//;
const NAMES = '(?:weights|scores|mask|context|heads|query|key|value|output)';
const READS = [
  new RegExp(`\\.name\\b[^=;,()]*===?\\s*'${NAMES}'`),
  new RegExp(`\\.(?:find|whole)\\('${NAMES}'`),
  new RegExp(`\\.(?:startsWith|endsWith|includes|replace)\\('\\.?${NAMES}\\d*'`),
  new RegExp(`/[^/\\n]*\\b${NAMES}\\b[^/\\n]*/[a-z]*\\.(?:test|exec)`),
  /\.axes\.(?:indexOf|includes)\('/,
];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !NAMED.test(file));

it('no file reads what a tensor means from its name, nor what an axis means from its symbol', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8').split('\n').map((line, k) => `${file}:${k + 1}: ${line.trim()}`)
    .filter((line) => READS.some((one) => one.test(line))));
  expect(found).toEqual([]);
});

it('the rules find what they are for', () => {
  for (const line of ["outputs.find((t) => t.name === 'context')", "result.whole('weights', 'outputs')",
    "name.replace('weights', 'mask')", "/(^|\\.)weights\\d*$/.test(t.name)", "tensor.axes.indexOf('h')"]) {
    expect(READS.some((one) => one.test(line)), line).toBe(true);
  }
});
