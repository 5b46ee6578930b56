// SPDX-License-Identifier: Apache-2.0
// The training's module: what cannot be learned from is an error at its place, and a session that is under way stays as
// it was, to the bit.
import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./engine.mjs";

const { default: create } = await import(`${root}build/wasm/bin/training.mjs`);
const module = await create({ locateFile: () => new URL("training.wasm", `file://${root}build/wasm/bin/`).href });

const lines = Array.from({ length: 40 }, (_, i) => `w${i} x\tv${i % 3}`).join("\n");
const document = (training = {}, text = lines) => ({
  schema: "attention-playground/1",
  seed: 3,
  inputs: {},
  model: [
    { name: "embedding", type: "fm-embedding", inputs: { x: "source" }, dim: 6 },
    { name: "encoder", type: "fm-birnn", inputs: { x: "embedding" }, hidden: 5 },
    { name: "decoder", type: "om-decoder", hidden: 7, dim: 6,
      inputs: { memory: "encoder", target: "target", initial: "encoder.last" } },
    { name: "loss", type: "cross-entropy", inputs: { logits: "decoder.logits", target: "target" } },
  ],
  training: { task: { type: "task-pairs", text }, batch: 4, steps: 40, optimiser: { type: "adam", rate: 0.02 },
    ...training },
});
const open = (json, checkpoint = "") => JSON.parse(module.trainOpen(JSON.stringify(json), checkpoint));
const saved = (session) => Uint8Array.from(module.trainSave(session, "checkpoint").data);
const losses = (session, steps) => Array.from(module.trainStep(session, steps, 1e9).data.subarray(0, steps));

const { session } = open(document());
losses(session, 5);
const before = saved(session);
const unharmed = () => assert.deepEqual(saved(session), before);

for (const [what, json, path, says] of [
  ["a pasted file of one line", document({}, "one\ttwo"), "/training/task/text", "two different sources"],
  ["a pasted file of a million lines", document({}, "a\tb\n".repeat(1e6)), "/training/task/text", "1000000 lines"],
  ["an empty target", document({}, "a\tb\nc\t\nd\te"), "/training/task/text", "line 2"],
  ["an empty file", document({}, ""), "/training/task/text", "found nothing"],
  ["a batch larger than the data", document({ batch: 64 }), "/training/batch", "36 examples are left"],
  ["a batch larger than a task's data", document({ task: "task-translate", batch: 4000 }), "/training/batch",
    "a batch of 4000 is larger than the data"],
  ...[0, -1, 1e9].map((rate) => [`a rate of ${rate}`, document({ optimiser: { type: "adam", rate } }),
    "/training/optimiser/rate", "expected a number above 0"]),
  ["a task that no port fits", document({ task: "task-shapes" }), "/model/0/inputs", "no input \"source\""],
  ["a task that nobody knows", document({ task: "task-nothing" }), "/training/task", "task-nothing"],
]) {
  test(`${what} is refused at its place, and the session stays as it was`, () => {
    const { error } = open(json);
    assert.ok(error, "it was taken");
    assert.ok(error.path.startsWith(path), `${error.path}: ${error.message}`);
    assert.ok(error.message.includes(says), error.message);
    unharmed();
  });
}

// Changes the header of a file of weights; its length is told anew.
function withHeader(file, change) {
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
  change(header);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const out = new Uint8Array(8 + text.length + file.length - 8 - length);
  new DataView(out.buffer).setBigUint64(0, BigInt(text.length), true);
  out.set(text, 8);
  out.set(file.subarray(8 + length), 8 + text.length);
  return out;
}
const patched = (file, at, ...bytes) => {
  const out = Uint8Array.from(file);
  out.set(bytes, at < 0 ? out.length + at : at);
  return out;
};
const otherModel = () => {
  const json = document();
  json.model[1].hidden = 4;
  return saved(open(json).session);
};

for (const [what, file, says] of [
  ["of another model", otherModel, "another model"],
  ["cut short", () => before.slice(0, -9), "cut short"],
  ["cut in its header", () => before.slice(0, 100), "should give the length of its header"],
  ["of no bytes but one", () => before.slice(0, 1), "it has 1 bytes"],
  ["that holds NaN", () => patched(before, -4, 0, 0, 192, 127), "holds NaN"],
  ["that holds an infinity", () => patched(before, -4, 0, 0, 128, 127), "holds"],
  ["whose header lies about its own size", () => patched(before, 6, 1), "should give the length of its header"],
  ["whose header is not JSON", () => patched(before, 8, 91, 91), "its header is not JSON"],
  ["whose header lies about a shape",
    () => withHeader(before, ({ "decoder.b_c": one }) => { one.shape = [1e6]; }), "decoder.b_c"],
  ["whose header points behind the end",
    () => withHeader(before, ({ "decoder.b_c": one }) => { one.data_offsets = [1e9, 1e9 + 4 * one.shape[0]]; }),
    "decoder.b_c"],
  ["with a step that is no number",
    () => withHeader(before, ({ __metadata__: one }) => { one.step = "-4"; }), "no number \"step\""],
]) {
  test(`a file of weights ${what} is refused, and the session stays as it was`, () => {
    for (const answer of [module.trainRestore(session, file()), module.trainOpen(JSON.stringify(document()), file())]) {
      const { error } = JSON.parse(answer);
      assert.ok(error, "it was taken");
      assert.ok(error.message.includes(says), error.message);
    }
    unharmed();
  });
}

test("and what is good is taken, and goes on as if nothing had been refused", () => {
  const other = open(document(), before).session;
  assert.deepEqual(losses(session, 3), losses(other, 3));
});

test("two modules that exchange their shares at every step learn what one learns, to the bit", async () => {
  const other = await create({ locateFile: () => new URL("training.wasm", `file://${root}build/wasm/bin/`).href });
  const text = JSON.stringify(document({ batch: 5, shares: 2, dropout: 0.2, "word-dropout": 0.2 }));
  const [alone, first, second] = [module, module, other].map((one) => JSON.parse(one.trainOpen(text, "")));
  assert.deepEqual(alone.shares, { count: 2, size: alone.weights + 3 });
  const steps = 12;
  // The second one takes its step while the first waits for it.
  const met = [];
  const led = module.trainStepTogether(first.session, steps, 1e9, 0, 2, (all, each) => {
    const followed = other.trainStepTogether(second.session, 1, 1e9, 1, 2, (others, size) => {
      assert.equal(size, each);
      others.set(all.subarray(0, each));
      all.set(others.subarray(each), each);
      return true;
    });
    met.push(JSON.parse(followed.directory).taken);
    return true;
  });
  assert.deepEqual(met, Array(steps).fill(1));
  assert.deepEqual(Array.from(led.data.subarray(0, steps)), losses(alone.session, steps));
  const expected = saved(alone.session);
  assert.deepEqual(saved(first.session), expected);
  assert.deepEqual(Uint8Array.from(other.trainSave(second.session, "checkpoint").data), expected);
  const refused = module.trainStepTogether(first.session, 1, 1e9, 2, 2, () => true);
  assert.match(JSON.parse(refused.directory).error.message, /expected a worker from 0 to 1/);
  assert.deepEqual(saved(first.session), expected);
});
