// SPDX-License-Identifier: Apache-2.0
// The published schema and the engine's validator agree on what a document may look like.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { allDocuments, loadModule, root, unpack } from "./engine.mjs";

const require = createRequire(`${root}web/package.json`);
const Ajv = require("ajv/dist/2020").default;
const validate = new Ajv({ strictTypes: false }).compile(JSON.parse(readFileSync(`${root}schema/experiment.schema.json`, "utf8")));
const module = await loadModule();

test("every example fits the schema, as written and normalised", () => {
  for (const { name, document } of allDocuments(module)) {
    assert.ok(validate(document), `${name}: ${JSON.stringify(validate.errors)}`);
    assert.ok(validate(JSON.parse(module.normalise(JSON.stringify(document)))), `${name}, normalised: ${JSON.stringify(validate.errors)}`);
  }
});

const good = { schema: "attention-playground/1", inputs: { query: { matrix: [[1, 2]] } }, mechanism: { type: "attention" } };
const wrong = {
  "no schema": { ...good, schema: undefined },
  "another version": { ...good, schema: "attention-playground/2" },
  "no mechanism": { ...good, mechanism: undefined },
  "an unknown member": { ...good, extra: 1 },
  "a negative seed": { ...good, seed: -1 },
  "an empty matrix": { ...good, inputs: { query: { matrix: [] } } },
  "a text in a matrix": { ...good, inputs: { query: { matrix: [["1"]] } } },
  "no tokens": { ...good, inputs: { query: { tokens: [] } } },
  "features of an unknown type": { ...good, inputs: { query: { tokens: ["a"], features: { type: "bert" } } } },
  "word vectors of no column": { ...good, inputs: { query: { tokens: ["a"], features: { type: "words", dim: 0 } } } },
  "word vectors of more than 50 columns": { ...good, inputs: { query: { tokens: ["a"], features: { type: "words", dim: 51 } } } },
  "word vectors of half a column": { ...good, inputs: { query: { tokens: ["a"], features: { type: "words", dim: 2.5 } } } },
  "word vectors with a seed": { ...good, inputs: { query: { tokens: ["a"], features: { type: "words", seed: 1 } } } },
  "a parameter that is a text": { ...good, parameters: { "score.W": "x" } },
  "outputs that are no list": { ...good, outputs: "weights" },
  "a gradient of two": { ...good, gradient: { of: ["a", "b"] } },
};
for (const [what, document] of Object.entries(wrong)) {
  test(`${what}: both refuse`, () => {
    const text = JSON.stringify(document);
    assert.equal(validate(JSON.parse(text)), false);
    assert.equal(unpack(module.run(text)).ok, false);
  });
}

test("both accept the document that these are made from", () => {
  assert.ok(validate(good));
  assert.ok(unpack(module.run(JSON.stringify(good))).ok);
});
