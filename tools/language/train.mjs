#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Trains the small language model that ships: node tools/language/train.mjs [--steps N] [--seed N] [--measure]
// The text comes from a package of Debian (text.mjs), its pieces are learned from it (pieces.mjs), and build/bin/attend
// trains (--measure: only measures again). examples/trained/language/ gets the weights as int8 by column, with the
// document, the tokenizer and what the page asks the model in the metadata; data/language.json what was measured.
// Another seed than 1 is tried and recorded, without weights. docs/adr/0104-a-language-model.md says what was chosen.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { attend, engineWith, root } from '../train_gallery/attend.mjs';
import { countOf, packed, readFloats } from '../train_gallery/file.mjs';
import { best, headsOf, measured, reader } from './measure.mjs';
import { NAME, openedDocument, trainingDocument, WRITES } from './documents.mjs';
import { learnMerges, LETTERS, RESERVED, splitter, tokenizerOf, vocabularyOf } from './pieces.mjs';
import { austen } from './text.mjs';

const PIECES = 1408;
const BEGIN = 'It is a truth universally acknowledged, that a single man';
const FOLDER = `${root}build/language/`;

const RECORD = `${root}data/language.json`;

const { values: { steps, seed, measure } } = parseArgs({ options: {
  steps: { type: 'string', default: '3000' }, seed: { type: 'string', default: '1' },
  measure: { type: 'boolean', default: false } } });

mkdirSync(FOLDER, { recursive: true });
const text = austen(`${FOLDER}text`);
const merges = learnMerges(text, PIECES - RESERVED.length - LETTERS.length);
const split = splitter(merges);
const vocabulary = vocabularyOf(merges);
const place = new Map(vocabulary.map((piece, id) => [piece, id]));
const numbersOf = (one) => split(one).map((piece) => place.get(piece));
const begin = numbersOf(BEGIN);
const data = `${FOLDER}pieces.txt`;
const pieces = numbersOf(text);
writeFileSync(data, pieces.join(' '));
const document = JSON.stringify(trainingDocument(PIECES, begin, { steps: Number(steps), seed: Number(seed) }));
const whole = `${FOLDER}austen-${seed}.safetensors`;
const ships = seed === '1' ? `${root}examples/trained/${NAME}` : `${FOLDER}austen-${seed}-bytes.safetensors`;

const began = performance.now();
if (!measure)
  attend(['train', '--portable', '-', '--data', data, '--every', '1000000', '--weights', 'float', '--to', whole],
    document);
const seconds = (performance.now() - began) / 1000;
const { tensors } = readFloats(readFileSync(whole));
const opened = openedDocument(vocabulary, begin);
const file = packed({ metadata: { document: JSON.stringify(opened), writes: JSON.stringify(WRITES),
  tokenizer: JSON.stringify(tokenizerOf(merges)) }, tensors });
mkdirSync(`${root}examples/trained/language/`, { recursive: true });
writeFileSync(ships, file);

// What is measured are the bytes that ship, on windows that no step learned from.
const { heldOut, heldOutLoss, accuracy } = attend(['train', '-', '--data', data, '--from', ships, '--measure'],
  document)[0];
const passages = attend(['examples', '-', '--data', data, '--held-out', '--count', '500'], document)
  .map(({ inputs: { source } }) => source.tokens.map(Number));
const heldOutTexts = new Set(passages.map((ids) => ids.join(' ')));
const windows = Array.from({ length: Math.floor(pieces.length / passages[0].length) }, (_, k) =>
  pieces.slice(k * passages[0].length, (k + 1) * passages[0].length));
const learned = windows.filter((ids) => !heldOutTexts.has(ids.join(' '))).flat();
const read = reader(await engineWith(NAME, file), opened);
const characters = text.length / pieces.length;
const facts = { numbers: countOf(tensors), bytes: file.length, pieces: PIECES, read: learned.length,
  steps: Number(steps), seconds: Math.round(seconds), heldOut, accuracy,
  bitsPerCharacter: heldOutLoss / Math.LN2 / characters,
  ...measured(read, vocabulary, passages, learned) };
console.log(JSON.stringify(facts, undefined, 1));
const record = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
if (seed === '1') Object.assign(record, facts, measure ? { seconds: record.seconds } : {});
else record.seeds = { ...record.seeds, [seed]: { accuracy, heads: facts.heads, repeated: facts.repeated } };
// A test counts a few passages again, without the text.
if (seed === '1') {
  const few = passages.slice(0, 8);
  writeFileSync(`${root}tests/python/language_passages.json`,
    `${JSON.stringify({ passages: few, heads: best(headsOf(read, few)) })}\n`);
}
writeFileSync(RECORD, `${JSON.stringify(record, undefined, 1)}\n`);
