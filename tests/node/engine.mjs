// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module in Node, and the native command line beside it.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Hands a module a whole file of weights. */
export const giveWeights = (module, name, bytes) => module.weights(name, bytes.length, 0, bytes);

export async function loadModule(file = "attention.wasm") {
  const { default: create } = await import(`${root}build/wasm/bin/attention.mjs`);
  const module = await create({ locateFile: () => new URL(file, `file://${root}build/wasm/bin/`).href });
  module.words(wordFile("large"));
  for (const file of readdirSync(`${root}examples/trained`).filter((name) => name.endsWith(".safetensors")))
    giveWeights(module, file, readFileSync(`${root}examples/trained/${file}`));
  return module;
}

export const wordFile = (size) => readFileSync(`${root}data/words/words-${size}.bin`);

// One JSON answer for each document, from one process.
export function native(documents, program = "attend") {
  const input = documents.map((document) => JSON.stringify(document)).join("\n") + "\n";
  const done = spawnSync(`${root}build/bin/${program}`, ["run", "--lines"],
    { input, encoding: "utf8", maxBuffer: 1 << 30 });
  if (done.status !== 0) throw new Error(`${program} run --lines ended with ${done.status}: ${done.stderr}`);
  return done.stdout.trim().split("\n").map((line) => JSON.parse(line));
}

// The tensors of a packed run by group and name.
export function unpack({ directory, data }) {
  const parsed = JSON.parse(directory);
  if (!parsed.ok) return parsed;
  const groups = {};
  for (const { group, name, shape, offset } of parsed.tensors) {
    const size = shape.reduce((product, extent) => product * extent, 1);
    (groups[group] ??= {})[name] = { shape, data: data.subarray(offset, offset + size) };
  }
  return { ...parsed, ...groups };
}

export function exampleFiles() {
  const folder = `${root}examples/`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ file, document: JSON.parse(readFileSync(folder + file, "utf8")) }));
}

// What the module's build wrote beside it.
export const catalogue = () => JSON.parse(readFileSync(`${root}build/wasm/bin/catalogue.json`, "utf8"));

// A document for every mechanism, and every example of the gallery.
export function allDocuments(module) {
  const ids = catalogue().mechanisms.map(({ id }) => id);
  return [
    ...exampleFiles().map(({ file, document }) => ({ name: file, document })),
    ...ids.map((id) => ({ name: id, document: JSON.parse(module.example(id)) })),
  ];
}

// Largest difference, relative to the largest number of the tensor; `floor` where numbers that cancel exactly are
// compared.
export function distance(a, b, floor = 1e-30) {
  let scale = floor;
  for (const x of b) scale = Math.max(scale, Math.abs(x));
  let worst = 0;
  for (let i = 0; i < b.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]) / scale);
  return worst;
}
