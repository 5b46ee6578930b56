// SPDX-License-Identifier: Apache-2.0
// The schema and the engine's reader agree on what a document may look like: what the engine takes fits the schema, and
// what is
// wrong in a document's build is refused by both.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { allDocuments, loadModule, root, unpack } from "./engine.mjs";
import { mutated, seeded } from "./mutate.mjs";

const printed = (...args) => {
  const { status, stdout } = spawnSync(`${root}build/bin/attend`, ["schema", ...args],
    { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, 0);
  return stdout;
};
const require = createRequire(`${root}web/package.json`);
const Ajv = require("ajv/dist/2020").default;
const compiled = (text) => new Ajv({ strictTypes: false, strictRequired: false }).compile(JSON.parse(text));
const frame = readFileSync(`${root}schema/experiment.schema.json`, "utf8");
const schemas = { frame: compiled(frame), whole: compiled(printed()) };
const module = await loadModule();
const accepted = (document) => unpack(module.run(JSON.stringify(document))).ok;

test("the file in schema/ is what the program prints", () => assert.equal(frame, printed("--frame")));

for (const [which, validate] of Object.entries(schemas)) {
  test(`every example fits the ${which} schema, as written and normalised`, () => {
    for (const { name, document } of allDocuments(module)) {
      assert.ok(validate(document), `${name}: ${JSON.stringify(validate.errors)}`);
      assert.ok(validate(JSON.parse(module.normalise(JSON.stringify(document)))),
        `${name}, normalised: ${JSON.stringify(validate.errors)}`);
    }
  });
}

const good = { schema: "attention-playground/1", inputs: { query: { matrix: [[1, 2]] } },
  mechanism: { type: "attention" } };
const frameWrong = {
  "no schema": { ...good, schema: undefined },
  "another version": { ...good, schema: "attention-playground/2" },
  "no mechanism": { ...good, mechanism: undefined },
  "an unknown member": { ...good, extra: 1 },
  "a negative seed": { ...good, seed: -1 },
  "an empty matrix": { ...good, inputs: { query: { matrix: [] } } },
  "a text in a matrix": { ...good, inputs: { query: { matrix: [["1"]] } } },
  "no tokens": { ...good, inputs: { query: { tokens: [] } } },
  "features of an unknown type": { ...good, inputs: { query: { tokens: ["a"], features: { type: "bert" } } } },
  "features with a member of another type":
    { ...good, inputs: { query: { tokens: ["a"], features: { type: "sinusoidal", seed: 1 } } } },
  "tokens and a matrix": { ...good, inputs: { query: { tokens: ["a"], matrix: [[1]] } } },
  "word vectors with a seed": { ...good, inputs: { query: { tokens: ["a"], features: { type: "words", seed: 1 } } } },
  "a parameter that is a text": { ...good, parameters: { "score.W": "x" } },
  "labels in a cotangent": { ...good, gradient: { cotangent: { shape: [1, 2], data: [1, 1], labels: ["a"] } } },
  "outputs that are no list": { ...good, outputs: "weights" },
  "a gradient of two": { ...good, gradient: { of: ["a", "b"] } },
};
const attention = (members) => ({ ...good, mechanism: { type: "attention", ...members } });
const wholeWrong = {
  "an unknown id": attention({ score: "cosin" }),
  "an id of another kind": attention({ score: "softmax" }),
  "an unknown knob": attention({ alignment: { type: "softmax", temperature: 1 } }),
  "a knob below what the mathematics allows": attention({ alignment: { type: "softmax-temperature", temperature: 0 } }),
  "a knob that is a text": attention({ alignment: { type: "softmax-temperature", temperature: "hot" } }),
  "an unknown choice of a knob": attention({ score: { type: "additive", act: "sin" } }),
  "an unknown slot": attention({ scores: "dot" }),
  "an object without a type where there is no default": attention({ mask: [{}] }),
  "a list where one fits": attention({ score: ["dot"] }),
};
const refusedBy = (schema, cases) => {
  for (const [what, document] of Object.entries(cases)) {
    test(`${what}: engine and schema refuse`, () => {
      const plain = JSON.parse(JSON.stringify(document));
      assert.equal(schema(plain), false);
      assert.equal(accepted(plain), false);
    });
  }
};
refusedBy(schemas.frame, frameWrong);
refusedBy(schemas.whole, { ...frameWrong, ...wholeWrong });

test("both accept the document that these are made from", () => {
  for (const validate of Object.values(schemas)) assert.ok(validate(good));
  assert.ok(accepted(good));
  assert.ok(accepted(attention({ mask: [], position: null, score: { type: "cosine" } })));
});

// One way only: shapes, names and what stands beside what are beyond a schema.
test("whatever the engine takes fits the schema: examples, the fuzzers' corpus, and both with changes", () => {
  const corpus = readdirSync(`${root}tests/fuzz/corpus`)
    .map((name) => ({ name, text: readFileSync(`${root}tests/fuzz/corpus/${name}`, "utf8") }));
  const documents = allDocuments(module).map(({ document }) => document);
  for (const { text } of corpus) {
    try {
      documents.push(JSON.parse(text));
    } catch {} // the text fuzzer's need not be JSON
  }
  const random = seeded(1);
  let taken = 0;
  for (let i = 0; i < 3000; ++i) {
    const document = mutated(documents[i % documents.length], random);
    if (!accepted(document)) continue;
    taken += 1;
    for (const [which, validate] of Object.entries(schemas)) {
      assert.ok(validate(document), `${which}: ${JSON.stringify(document)} ${JSON.stringify(validate.errors)}`);
    }
  }
  assert.ok(taken > 500, `${taken} were taken`);
});
