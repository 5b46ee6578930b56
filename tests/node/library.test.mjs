// SPDX-License-Identifier: Apache-2.0
// The engine as a library, as the README uses it: built into build/web/engine/.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";

import { exampleFiles, native, root } from "./engine.mjs";

const entry = `${root}build/web/engine/index.js`;
const { load, loadInWorker } = await import(entry);
const document = exampleFiles().find(({ file }) => file === "transformer-head.json").document;

test("load() runs a document, given as an object or as text", async () => {
  const playground = await load();
  const result = await playground.run(document);
  assert.deepEqual(result.outputs.weights.shape, [4, 8, 8]);
  assert.ok(result.outputs.weights.data instanceof Float32Array);
  const [expected] = native([document]);
  for (const [name, { data }] of Object.entries(expected.outputs)) {
    data.forEach((value, i) => assert.ok(Math.abs(value - result.outputs[name].data[i]) < 1e-5, name));
  }
  const again = await playground.run(JSON.stringify(document));
  assert.deepEqual(again.outputs.context.data, result.outputs.context.data);
  assert.deepEqual(result.labels.m, document.inputs.x.tokens);
  assert.ok(result.steps.length > 5 && result.steps.every(({ name, formula }) => name && formula));
});

test("a wrong document throws an error with its path, and the next run works", async () => {
  const playground = await load();
  const wrong = structuredClone(document);
  wrong.mechanism.heads.count = 0;
  await assert.rejects(playground.run(wrong),
    (error) => error.name === "ExperimentError" && error.path === "/mechanism/heads/count");
  await playground.run(document);
});

test("code, explanations, defaults and examples come as values", async () => {
  const playground = await load();
  assert.match(await playground.exportCode(document, "pytorch"), /^(#|import|""")/);
  assert.ok((await playground.explain(document, "weights", [0, 5, 1])).value > 0);
  assert.equal((await playground.normalise(document)).mechanism.heads.type, "multi-head");
  assert.equal((await playground.example("additive")).mechanism.score.type, "additive");
  assert.ok((await playground.catalogue()).mechanisms.length > 20);
});

test("without workers, loadInWorker says so", async () => {
  await assert.rejects(loadInWorker(), /Worker/);
  assert.ok(existsSync(`${root}build/web/engine/worker.js`));
});

test("an open document takes changes by pointer and gives what a run of the changed document gives", async () => {
  const playground = await load();
  const session = await playground.open(document);
  const changed = structuredClone(document);
  const check = async () => {
    const [read, run] = [await session.read(), await playground.run(changed)];
    assert.deepEqual(read.outputs, run.outputs);
    assert.deepEqual(read.steps.length, run.steps.length);
    assert.deepEqual(await session.document(), changed);
  };
  await check();
  changed.seed = 9;
  await session.change({ "/seed": 9 });
  await check();
  changed.parameters = { W: 1 };
  await assert.rejects(session.change({ "/parameters": { W: 1 } }), { name: "ExperimentError" });
  delete changed.parameters;
  await assert.rejects(session.change({ "/no/such": 1 }), { path: "/no/such" });
  await check();
  changed.inputs.x = { matrix: [[1, 2], [3, 4]] };
  await session.change({ "/inputs/x": changed.inputs.x });
  changed.inputs.x = { matrix: [[5, 6], [7, 8]] };
  await session.change({ "/inputs/x/matrix": Float64Array.of(5, 6, 7, 8) });
  await check();
  assert.deepEqual(Object.keys((await session.read(["outputs/context"])).outputs), ["context"]);
  assert.equal(typeof (await session.explain("weights", [0, 1, 0])).value, "number");
  await assert.rejects(session.read([], { signal: AbortSignal.abort() }), { name: "AbortError" });
  await session.close();
  await assert.rejects(session.read(), /is closed; open it again/);
});
