#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Writes web/src/engine/first-words.json: the vectors of a document that comes without any further file.
// To be run after a change of that document: node tools/word_vectors/first.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decode, encode } from './file.mjs';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const document = JSON.parse(readFileSync(at('examples/words-that-keep-company.json'), 'utf8'));
const wanted = new Set(Object.values(document.inputs).flatMap(({ tokens }) => tokens ?? []));
const { words, scales, bytes } = decode(readFileSync(at('data/words/words-small.bin')));
const rows = words.map((_, row) => row).filter((row) => wanted.has(words[row]));
const file = encode({ words: rows.map((row) => words[row]), scales, bytes: rows.map((row) => bytes[row]),
  whole: false });
writeFileSync(at('web/src/engine/first-words.json'), `${JSON.stringify({ file: file.toString('base64') })}\n`);
