// SPDX-License-Identifier: Apache-2.0
// Word vectors: the files are what the script's quantisation says; the module and the command line read the same from
// them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { decode, encode, quantise, valueOf } from "../../tools/word_vectors/file.mjs";
import { principalAxes, project } from "../../tools/word_vectors/reduce.mjs";
import { loadModule, native, root, unpack, wordFile } from "./engine.mjs";

const document = (tokens, dim) => ({
  schema: "attention-playground/1",
  seed: 11,
  inputs: { query: { tokens, features: { type: "words", dim } } },
  mechanism: { type: "attention" },
  outputs: ["query", "weights"],
});
const run = (module, one) => unpack(module.run(JSON.stringify(one)));

test("the files are the ones that their README tells of", () => {
  const sums = readFileSync(`${root}data/words/SHA256SUMS`, "utf8").trim().split("\n").map((line) => line.split(/\s+/));
  assert.equal(sums.length, 2);
  for (const [sum, name] of sums)
    assert.equal(createHash("sha256").update(readFileSync(`${root}data/words/${name}`)).digest("hex"), sum, name);
});

test("decoded and encoded again a file is itself, and every column uses the whole range", () => {
  for (const size of ["small", "large"]) {
    const file = wordFile(size);
    const { words, scales, bytes, whole } = decode(file);
    assert.ok(encode({ words, scales, bytes, whole }).equals(file));
    if (!whole) continue;
    scales.forEach((scale, c) => {
      const largest = Math.max(...bytes.map((row) => Math.abs(row[c])));
      assert.ok(largest >= 126 && largest <= 127, `column ${c}: ${largest}`);
    });
  }
});

test("quantised numbers are within half a step of what they were", () => {
  const rows = Array.from({ length: 40 },
    (_, i) => Array.from({ length: 3 }, (__, c) => Math.sin(i * 7 + c) * (c + 1)));
  const { scales, bytes } = quantise(rows);
  rows.forEach((row, i) => row.forEach((x, c) =>
    assert.ok(Math.abs(x - valueOf(bytes[i][c], scales[c])) <= scales[c] / 8192 + 1e-12)));
});

test("principal components: the axes stand upright on each other, the first takes the most, and nothing is lost in all",
  () => {
  const rows = Array.from({ length: 60 },
    (_, i) => [3 * Math.sin(i), Math.cos(2 * i) + Math.sin(i), Math.sin(5 * i), 0.2 * Math.cos(3 * i)]);
  const found = principalAxes(rows);
  const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  found.axes.forEach((a, i) => found.axes.forEach((b, j) => assert.ok(Math.abs(dot(a, b) - (i === j)) < 1e-12)));
  const along = project(rows, found, 4);
  const variance = [0, 1, 2, 3].map((c) => along.reduce((sum, row) => sum + row[c] * row[c], 0));
  assert.deepEqual(variance, variance.toSorted((a, b) => b - a));
  rows.forEach((row, i) => row.forEach((x, c) =>
    assert.ok(Math.abs(x - found.mean[c] - along[i].reduce((sum, y, k) => sum + y * found.axes[k][c], 0)) < 1e-12)));
});

test("the module and the command line read the same numbers, of unknown words too", async () => {
  const module = await loadModule();
  for (const one of [document(["my", "Mother", "in", "Paris"], 24), document(["zzyzx", "king", "Qwertz"], 50),
    document(["king"], 1)]) {
    const [theirs] = native([one]);
    const mine = run(module, one);
    assert.deepEqual([...mine.outputs.query.data], theirs.outputs.query.data.map(Math.fround));
    mine.outputs.weights.data.forEach((x, k) => assert.ok(Math.abs(x - theirs.outputs.weights.data[k]) < 1e-6));
    assert.deepEqual(mine.warnings, theirs.warnings);
  }
});

test("a module with the small file gives the large one's numbers, or says which file it needs", async () => {
  const [small, large] = [await loadModule(), await loadModule()];
  small.words(wordFile("small"));
  const known = document(["my", "mother", "in", "paris"], 24);
  assert.deepEqual(run(small, known).outputs.query.data, run(large, known).outputs.query.data);
  for (const one of [document(["mother"], 25), document(["zzyzx"], 24)]) {
    const refused = run(small, one);
    assert.equal(refused.ok, false);
    assert.match(refused.error.message, /words-large\.bin/);
    assert.match(refused.error.path, /^\/inputs\/query\/features/);
    small.words(wordFile("small"));
  }
});

test("errors say what was expected", async () => {
  const module = await loadModule();
  for (const dim of [0, 51, 2.5, -1, "a"]) {
    const { error } = run(module, document(["king"], dim));
    assert.equal(error.path, "/inputs/query/features/dim");
    assert.match(error.message, /expected a whole number from 1 to 50/);
  }
});
