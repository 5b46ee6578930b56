// SPDX-License-Identifier: Apache-2.0
// The module's two builds, the words beside them, and how the library picks a build.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { gzipSync } from "node:zlib";

import { allDocuments, catalogue, exampleFiles, giveWeights, loadModule, root } from "./engine.mjs";

const bin = `${root}build/wasm/bin/`;
const text = (file) => readFileSync(bin + file, "utf8");

test("the two builds of a module share one .mjs: only the WebAssembly differs", () => {
  for (const name of ["attention", "training", "import"]) {
    // The order in which names are listed may differ; the names may not.
    const pieces = (file) => text(file).replaceAll("-relaxed.wasm", ".wasm").split(/[,;{}]/).toSorted();
    assert.deepEqual(pieces(`${name}-relaxed.mjs`), pieces(`${name}.mjs`), name);
    assert.notDeepEqual(readFileSync(`${bin}${name}-relaxed.wasm`), readFileSync(`${bin}${name}.wasm`), name);
  }
});

test("catalogue.json says what the native catalogue says", () => {
  const { stdout } = spawnSync(`${root}build/bin/attend`, ["catalogue"], { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.deepEqual(catalogue(), JSON.parse(stdout));
  assert.ok(catalogue().mechanisms.every(({ title, sentence, formula, source }) =>
    title && sentence && formula && source.authors));
});

// The words are not inside: a sentence of the catalogue is nowhere in the module.
test("the module carries no sentences, formulas or sources", () => {
  const wasm = readFileSync(`${bin}attention.wasm`).toString("latin1");
  for (const { id, sentence, formula, source } of catalogue().mechanisms) {
    for (const word of [sentence, formula, source.where].filter((one) => one.length > 40)) {
      assert.ok(!wasm.includes(Buffer.from(word).toString("latin1")), `${id}: ${word}`);
    }
  }
});

test("exported code has the words of the native export above it", async () => {
  const { load } = await import(`${root}build/web/engine/index.js`);
  const playground = await load();
  for (const { file, document } of exampleFiles().slice(0, 4)) {
    for (const format of ["pytorch", "numpy", "latex"]) {
      const { stdout } = spawnSync(`${root}build/bin/attend`, ["export", format, "-"],
        { input: JSON.stringify(document), encoding: "utf8", maxBuffer: 1 << 28 });
      const head = (code) => code.split("\n").slice(0, 3).join("\n");
      assert.equal(head(await playground.exportCode(document, format)), head(stdout), `${file} ${format}`);
    }
  }
});

// Node reads no TypeScript: the bytes are taken from the file.
test("the probe for relaxed SIMD answers as the relaxed build itself would", () => {
  const source = readFileSync(`${root}web/src/library/relaxed.ts`, "utf8");
  const probe = Uint8Array.from(source.match(/\b0x[0-9a-f]{2}\b/g), Number);
  const build = readFileSync(`${bin}attention-relaxed.wasm`);
  assert.ok(WebAssembly.validate(readFileSync(`${bin}attention.wasm`)));
  assert.equal(WebAssembly.validate(probe), WebAssembly.validate(build));
  setFlagsFromString("--experimental-wasm-relaxed-simd");
  assert.equal(WebAssembly.validate(probe), WebAssembly.validate(build));
  assert.ok(!WebAssembly.validate(probe.slice(0, -1)), "a damaged probe is refused");
});

test("the engine in two parts gives the numbers of the whole one, the second part when it is called", async () => {
  const { default: create } = await import(`${bin}attention.mjs`);
  for (const build of ["attention", "attention-relaxed"]) {
    if (!WebAssembly.validate(readFileSync(`${bin}${build}.wasm`))) continue;
    const [whole, parts] = [await loadModule(`${build}.wasm`), await loadModule(`${build}-first.wasm`)];
    let linked = 0;
    const first = await create({
      locateFile: () => `${bin}${build}-first.wasm`,
      loadSplitModule: (file, imports) => {
        linked++;
        return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), imports);
      },
    });
    giveWeights(first, "translate.safetensors", readFileSync(`${root}examples/trained/translate.safetensors`));
    const { document } = JSON.parse(readFileSync(`${root}web/src/state/example.json`, "utf8"));
    // As the page does it: the document stays open.
    const seen = (text) => {
      const { handle } = JSON.parse(first.open(text));
      if (handle === undefined) return;
      while (JSON.parse(first.step(handle, 50)).share < 1);
      const { directory } = first.readSince(handle, 0);
      first.close(handle);
      return JSON.parse(directory);
    };
    assert.equal(seen(JSON.stringify(document)).ok, true);
    assert.equal(linked, 0, `${build}: the first page is answered by the first part`);
    for (const { name, document: other } of allDocuments(whole).slice(0, 60)) {
      const text = JSON.stringify(other);
      const [a, b] = [whole.run(text), parts.run(text)];
      assert.equal(b.directory, a.directory, name);
      assert.deepEqual(b.data, a.data, name);
      seen(text);
    }
    assert.equal(linked, 1, `${build}: other documents need the second part, once`);
  }
});

const packed = (file) => gzipSync(readFileSync(file), { level: 9 }).length;

test("the engine's first part stays within 409 KB, the other modules small (docs/adr/0052-training-module.md)", () => {
  for (const [file, most] of [["attention-first.wasm", 409], ["attention-relaxed-first.wasm", 409],
    ["attention.wasm", 867], ["attention-relaxed.wasm", 867], ["training.wasm", 904], ["training-relaxed.wasm", 904]]) {
    const size = packed(bin + file);
    assert.ok(size > 100_000 && size < most * 1024, `${file}: ${size} bytes`);
  }
});

test("the fast kernels' modules stay small", () => {
  // Half a kilobyte of each is the tile that copies the panels of weights while it multiplies, and one kilobyte is the
  // row that meets its weights in four streams (ADR 102). Another half kilobyte are softmax over rows of eight and
  // products of one block without the walk over blocks. The rows of relative positions are 2.8 kilobytes.
  for (const [file, most] of [["fused.wasm", 30_900], ["fused-relaxed.wasm", 32_900], ["efficient.wasm", 82_400],
    ["efficient-relaxed.wasm", 85_400]]) {
    const size = gzipSync(readFileSync(bin + file), { level: 9 }).length;
    assert.ok(size > 1000 && size < most, `${file}: ${size} bytes`);
  }
});
