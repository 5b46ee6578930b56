#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Makes the corpus of a release from its own build, once, when it is released: node tests/corpus/make.mjs 1.0.0
// It needs ./play --build before it, and Chromium. A corpus is never made again: later builds replay it.
import { appendFileSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { digestOf } from './digest.mjs';
import { shippedDocuments, weightFiles } from './documents.mjs';
import { folderOf, lines, root } from './release.mjs';
import { run, train } from './native.mjs';
import { trainings } from './trainings.mjs';
import { record } from './record.mjs';
import { visits } from './visits.mjs';

const version = process.argv[2];
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('which release? For example: make.mjs 1.0.0');
const folder = folderOf(version);
if (existsSync(`${folder}changed.json`)) throw new Error(`${version} has its corpus already`);

const write = (file, records) =>
  writeFileSync(folder + file, records.map((one) => `${JSON.stringify(one)}\n`).join(''));

mkdirSync(`${folder}checkpoints`, { recursive: true });
for (const file of weightFiles()) copyFileSync(`${root}examples/trained/${file}`, folder + file);

const documents = shippedDocuments();
write('documents.jsonl', documents);
const answers = run(documents.map(({ document }) => document), folder);
write('numbers.jsonl', documents.map(({ name }, k) => {
  const { error, warnings = [] } = answers[k];
  return error ? { name, error } : { name, warnings: warnings.length, tensors: digestOf(answers[k]) };
}));
console.log(`${documents.length} documents, ${answers.filter(({ error }) => error).length} refused`);

const named = new Map(documents.map(({ name, document }) => [name, document]));
write('trainings.jsonl', trainings.map(({ name, from, steps }) => {
  const options = ['--steps', String(steps), '--every', '5', '--to', `checkpoints/${name}.safetensors`];
  return { name, from, steps, lines: train(named.get(from), options, folder, 'attend') };
}));
console.log(`${trainings.length} trainings`);

const add = (file) => (one) => appendFileSync(folder + file, `${JSON.stringify(one)}\n`);
const known = new Set(existsSync(`${folder}links.jsonl`) ? lines(`${folder}links.jsonl`).map(({ name }) => name) : []);
await record(visits([...named.keys()]), named, { known, link: add('links.jsonl'), saved: add('saved.jsonl') });
// The last thing that is written: from now on the corpus is whole, and stays as it is.
writeFileSync(`${folder}changed.json`, '{}\n');
