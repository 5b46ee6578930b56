#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Divides the page's engine: node tools/split_engine.mjs FOLDER NAME WASM-SPLIT
// Emscripten has left NAME.wasm.orig, and NAME.wasm, which counts its calls. What a visitor does first is done with the
// counting one; the functions that were called go into NAME-first.wasm, the others into NAME-first.deferred.wasm, which
// is fetched when one of them is called. NAME.wasm then is the whole engine, for those who want one file.
// docs/adr/0097-engine-in-two-parts.md says why.
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const [folder, name, split] = process.argv.slice(2);
const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));

// Before Node 21 the relaxed build needs it; later ones do not know it.
if (Number(process.versions.node.split('.')[0]) < 21) setFlagsFromString('--experimental-wasm-relaxed-simd');

/** The counting engine, and the instance behind it. */
async function start() {
  const { default: create } = await import(pathToFileURL(`${folder}/${name}.mjs`).href);
  let instance;
  const module = await create({
    instantiateWasm(imports, done) {
      instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${folder}/${name}.wasm`)), imports);
      done(instance);
      return instance.exports;
    },
  });
  return { module, instance };
}

const good = (text) => {
  const answer = JSON.parse(text);
  if (answer.ok === false) throw new Error(`the engine refused what a visitor does first: ${text.slice(0, 300)}`);
  return answer;
};

// The first page, a word that is changed, a word that is written, a cell that is explained, a number that is moved.
function visit(module) {
  const { document } = JSON.parse(read('web/src/state/example.json'));
  module.words(read('data/words/words-small.bin'));
  const from = document.parameters?.from;
  const weights = from && read(`examples/trained/${from}`);
  if (weights) module.weights(from, weights.length, 0, weights);
  const text = JSON.stringify(document);
  module.watch(() => undefined);
  module.written(text);
  const words = structuredClone(document);
  for (const input of Object.values(words.inputs)) if (input.tokens?.length > 1) input.tokens.pop();
  const { handle } = good(module.open(text));
  const none = new Float64Array();
  let last = 0;
  for (const change of [{}, { '/seed': 7 }, { '/inputs': words.inputs }, { '': document }]) {
    good(module.change(handle, JSON.stringify(change), '[]', none));
    good(module.step(handle, 50));
    const { tensors, read } = good(module.readSince(handle, last).directory);
    last = read;
    for (const { name: tensor, shape } of tensors ?? [])
      if (shape.length > 0) module.explainOpen(handle, tensor, JSON.stringify(shape.map(() => 0)));
  }
  module.change(handle, '{"/mechanism": 1}', '[]', none);
  module.close(handle);
}

function profileOf({ exports: { memory, __write_profile: write } }) {
  const size = write(0, 0);
  const at = memory.buffer.byteLength;
  memory.grow(Math.ceil(size / 65536));
  write(at, size);
  return new Uint8Array(memory.buffer, at, size);
}

const { module, instance } = await start();
visit(module);
const [profile, whole] = [`${folder}/${name}.profile`, `${folder}/${name}.wasm.orig`];
writeFileSync(profile, profileOf(instance));
// What the engine is built with, which wasm-split does not read from the file.
const features = ['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'exception-handling', 'multivalue',
  'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'relaxed-simd', 'sign-ext', 'simd'];
execFileSync(split, [...features.map((one) => `--enable-${one}`), '--profile', profile, whole,
  '-o1', `${folder}/${name}-first.wasm`, '-o2', `${folder}/${name}-first.deferred.wasm`], { stdio: 'inherit' });
rmSync(profile);
renameSync(whole, `${folder}/${name}.wasm`);
