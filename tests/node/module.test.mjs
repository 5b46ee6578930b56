// SPDX-License-Identifier: Apache-2.0
// The module's functions: nothing throws, copies survive the growth of memory, errors leave it working.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { exampleFiles, loadModule, root, unpack } from "./engine.mjs";

const module = await loadModule();
const document = exampleFiles().find(({ file }) => file === "see-that-girl-run.json").document;
const text = JSON.stringify(document);

test("what a run returned stays the same when memory grows", () => {
  const before = module.run(text);
  const kept = [...before.data];
  const tokens = Array.from({ length: 1500 }, (_, i) => `t${i}`);
  const large = { ...document, inputs: { x: { tokens } }, outputs: ["weights"] };
  assert.ok(unpack(module.run(JSON.stringify(large))).ok);
  assert.deepEqual([...before.data], kept);
  assert.ok(before.data instanceof Float32Array);
});

for (const [what, bad] of [
  ["text that is not JSON", "{"],
  ["an empty text", ""],
  ["ten megabytes", JSON.stringify("x".repeat(10_000_000))],
  ["endless nesting", "[".repeat(200_000)],
  ["a prototype's name", text.replace('"seed"', '"__proto__":{},"seed"')],
  ["too many tokens", JSON.stringify(
    { ...document, inputs: { x: { shape: [50000, 1], data: Array(50000).fill(1) } } })],
  ["an unknown id", text.replace("scaled-dot", "scaled-dots")],
  ["half a character", '"\ud800"'],
]) {
  test(`${what} is an error that says what is wrong, and the next run works`, () => {
    for (const answer of [module.run(bad).directory, module.normalise(bad), module.explain(bad, "weights", "[0,0]"),
      module.exportCode(bad, "numpy", "{}")]) {
      const { error } = JSON.parse(answer);
      assert.equal(typeof error.path, "string");
      assert.ok(error.message.length > 10, error.message);
    }
    assert.ok(unpack(module.run(text)).ok);
  });
}

test("16,384 tokens: an answer, or before anything runs what it would take", () => {
  const query = { shape: [16384, 1], data: Array(16384).fill(1) };
  for (const type of ["adaptive-span", "yoso", "gaussian-attention-softmax"]) {
    const asked = { schema: "attention-playground/1", inputs: { query }, mechanism: { type }, outputs: ["context"] };
    const { ok, error, outputs } = unpack(module.run(JSON.stringify(asked)));
    if (ok) assert.ok(outputs.context.data.every((x) => Math.abs(x - 1) < 1e-5), type);
    else assert.match(error.message, /MiB of numbers|has more than \d+ elements|would compute for/);
  }
  // 8 GiB, which 32 bits would count as nothing.
  const mechanism = { type: "attention", score: { type: "additive", hidden: 7 }, alignment: "alpha-entmax" };
  const asked = {
    schema: "attention-playground/1", inputs: { query }, mechanism, outputs: ["context"], gradient: { of: "context" },
  };
  assert.match(unpack(module.run(JSON.stringify(asked))).error.message,
    /would (take \d+ MiB of numbers|compute for about \d+ seconds)/);
  assert.ok(unpack(module.run(text)).ok);
});

test("explain gives a cell's value with its numbers and what fed it", () => {
  const weights = unpack(module.run(text)).outputs.weights;
  const cell = JSON.parse(module.explain(text, "weights", "[1,2]"));
  assert.ok(Math.abs(cell.value - weights.data[1 * 4 + 2]) < 1e-7);
  assert.match(cell.numbers, /\\frac/);
  assert.deepEqual(cell.feeds[0].tensor, "scores");
  assert.deepEqual(cell.feeds[0].cells, [[1, 0], [1, 1], [1, 2], [1, 3]]);
  assert.deepEqual(cell.terms.map(({ label }) => label), document.inputs.x.tokens);
  const total = cell.terms.reduce((sum, { value }) => sum + value, 0);
  assert.ok(Math.abs(cell.terms[2].value / total - cell.value) < 1e-6);
});

test("explain refuses cells and tensors that do not exist", () => {
  assert.match(JSON.parse(module.explain(text, "weights", "[9,9]")).error.message, /no cell/);
  assert.match(JSON.parse(module.explain(text, "wheights", "[0,0]")).error.message, /weights/);
  assert.match(JSON.parse(module.explain(text, "weights", '"x"')).error.message, /list of indices/);
});

test("the types of the module's functions are generated", () => {
  const types = readFileSync(`${root}build/wasm/bin/attention.d.ts`, "utf8");
  for (const name of ["run(", "normalise(", "exportCode(", "explain(", "example(", "version("])
    assert.ok(types.includes(name), name);
  assert.ok(types.includes("Float32Array"));
});

test("6,000 refused documents keep the memory flat, and what is remembered", async () => {
  const fresh = await loadModule();
  const large = { ...document, inputs: { x: { tokens: Array.from({ length: 400 }, (_, i) => `t${i}`) } } };
  const refused = JSON.stringify(
    { ...large, mechanism: { ...large.mechanism, alignment: { type: "softmax-temperature", temperature: -1 } } });
  const unread = JSON.stringify({ ...large, outputs: ["weights", "nothing"] });
  const round = () => [refused, unread].forEach((bad) => assert.equal(JSON.parse(fresh.run(bad).directory).ok, false));
  const before = [...fresh.run(text).data];
  round();
  const { grow } = WebAssembly.Memory.prototype;
  let grown = 0;
  WebAssembly.Memory.prototype.grow = function (pages) { grown += 1; return grow.call(this, pages); };
  try {
    for (let i = 0; i < 3000; ++i) round();
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.equal(grown, 0);
  assert.deepEqual([...fresh.run(text).data], before);
});

test("an error inside a slot leaves nothing of it to the next error", () => {
  const inside = JSON.stringify({ schema: document.schema,
    inputs: { query: { matrix: [[1, 2, 3]] }, key: { matrix: [[1, 2]] } },
    mechanism: { type: "attention", score: "dot", query: "basic" } });
  const { error } = JSON.parse(module.run(inside).directory);
  assert.equal(error.path, "/mechanism/score");
  assert.match(error.message, /^"dot": queries and keys must be equally wide/);
  assert.equal(JSON.parse(module.explain(text, "weights", "[9,9]")).error.path, "");
});

test("an argument of the wrong type is the caller's: it is thrown, and the next call works", () => {
  assert.throws(() => module.run(5), /non-string/);
  assert.ok(unpack(module.run(text)).ok);
});

test("where the memory cannot grow, that is the error, and the next run works", async () => {
  const fresh = await loadModule();
  const tokens = Array.from({ length: 4000 }, (_, i) => `t${i}`);
  const large = JSON.stringify({ ...document, inputs: { x: { tokens } }, outputs: ["weights"] });
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => { throw new RangeError("no more"); };
  try {
    for (let i = 0; i < 20; ++i) {
      const { error } = JSON.parse(fresh.run(large).directory);
      assert.equal(error.path, "/inputs");
      assert.match(error.message, /^there is not enough memory/);
      assert.ok(unpack(fresh.run(text)).ok);
    }
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.ok(unpack(fresh.run(large)).ok);
});
