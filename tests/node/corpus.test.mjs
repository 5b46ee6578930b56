// SPDX-License-Identifier: Apache-2.0
// What an earlier release computed comes out of this build too: every document, every checkpoint, every saved file.
// What is different today says why, in changed.json beside it.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { differences, digestOf } from "../corpus/digest.mjs";
import { run, train } from "../corpus/native.mjs";
import { folderOf, lines, reasons, releases } from "../corpus/release.mjs";

// In double the order of a sum is all that may differ; in float its roundings too.
const close = { attend64: 1e-9, attend: 1e-4 };
const untimed = ({ stepsPerSecond: _, ...line }) => line;

// Numbers of a training, wherever they are in a line that it printed.
function near(then, now) {
  if (typeof then === "number") return Math.abs(then - now) <= 1e-3 * Math.max(1, Math.abs(then));
  if (then === null || typeof then !== "object") return then === now;
  return Object.entries(then).every(([key, value]) => near(value, now?.[key]));
}

// A record that has a reason to differ must still open. Without one it must be as it was.
function check(name, found, reason) {
  if (reason === undefined) assert.deepEqual(found, [], name);
  else assert.ok(found.length > 0, `${name} has a reason to differ (${reason}), and is what it was`);
}

for (const version of releases()) {
  const folder = folderOf(version);
  const changed = reasons(version);
  const named = new Map(lines(`${folder}documents.jsonl`).map(({ name, document }) => [name, document]));

  describe(`the corpus of ${version}`, () => {
    for (const by of Object.keys(close)) {
      it(`computes its documents by ${by}`, () => {
        const then = lines(`${folder}numbers.jsonl`);
        const answers = run([...named.values()], folder, by);
        assert.equal(answers.length, then.length);
        for (const [k, { name, error, tensors }] of then.entries()) {
          const now = answers[k];
          // What was refused then may be understood now.
          if (error) continue;
          assert.equal(now.error, undefined, `${name} does not open: ${JSON.stringify(now.error)}`);
          const reason = changed[`documents/${name}`];
          // A float differs in places from a double that are no change: only double has to show a reason's difference.
          if (reason !== undefined && by === "attend") continue;
          check(name, differences(tensors, digestOf(now), close[by]), reason);
        }
      });
    }

    it("takes its trainings again, and goes on from their checkpoints", () => {
      const made = mkdtempSync(join(tmpdir(), "attention-corpus-"));
      try {
        for (const { name, from, steps, lines: printed } of lines(`${folder}trainings.jsonl`)) {
          const reason = changed[`trainings/${name}`];
          const document = named.get(from);
          const again = train(document, ["--steps", String(steps), "--every", "5"], folder, "attend").map(untimed);
          const found = again.flatMap((line, k) => Object.entries(untimed(printed[k])).flatMap(([key, value]) =>
            near(value, line[key]) ? []
              : [`${key} of line ${k}: ${JSON.stringify(value)} then, ${JSON.stringify(line[key])} now`]));
          check(`trainings/${name}`, found, reason);
          const on = train(document, ["--steps", String(steps + 3), "--every", "1",
            "--from", `checkpoints/${name}.safetensors`], folder, "attend");
          assert.equal(on.at(-1).step, steps + 3, `${name} goes on from its checkpoint`);
          assert.equal(on[0].step, steps + 1, `${name} begins where its checkpoint ends`);
        }
      } finally {
        rmSync(made, { recursive: true });
      }
    });

    it("computes the documents of its saved files", () => {
      const files = lines(`${folder}saved.jsonl`);
      const links = new Map(lines(`${folder}links.jsonl`).map((one) => [one.name, one]));
      assert.ok(files.length > 0);
      // The page says what its gradients are of; of a file only the outputs are compared.
      const documents = files.map(({ text }) => JSON.parse(text)).map(({ gradient: _, ...document }) => document);
      const answers = run(documents, folder, "attend");
      files.forEach(({ name }, k) => {
        assert.equal(answers[k].error, undefined, `${name}: ${JSON.stringify(answers[k].error)}`);
        const { outputs } = links.get(name).shows.tensors;
        const reason = changed[`links/${name}`];
        if (reason !== undefined) return;
        assert.deepEqual(differences({ outputs }, digestOf(answers[k]), close.attend), [], name);
      });
    });
  });
}
