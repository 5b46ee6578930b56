// SPDX-License-Identifier: Apache-2.0
// The same document gives the same numbers as WebAssembly and natively; draws from the seed are equal to the bit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";

import { allDocuments, distance, loadModule, native, root, unpack } from "./engine.mjs";

// Node 20 has relaxed SIMD behind this flag.
setFlagsFromString("--experimental-wasm-relaxed-simd");
const relaxed = "attention-relaxed.wasm";
const hasRelaxed = WebAssembly.validate(readFileSync(`${root}build/wasm/bin/${relaxed}`));
if (!hasRelaxed) console.log("note: this Node has no relaxed SIMD; that build was not compared");
const module = await loadModule();
// How far the numbers may lie from the native float build (rounded at the same places, unless multiply-add is one step)
// and from the double one.
const builds = [
  { build: "plain", engine: module, near: 1e-6, far: 2e-5 },
  ...(hasRelaxed ? [{ build: "relaxed", engine: await loadModule(relaxed), near: 2e-5, far: 2e-5 }] : []),
];
const documents = allDocuments(module).map(({ name, document }) => {
  const { outputs } = unpack(module.run(JSON.stringify(document)));
  const of = ["context", "output", "loss", "logits"].find((result) => result in outputs);
  return { name, document: { ...document, gradient: { of } } };
});
const answers = native(documents.map(({ document }) => document));
const exact = native(documents.map(({ document }) => document), "attend64");

const cases = builds.flatMap((one) => documents.map((document, i) => ({ ...one, ...document, i })));
for (const { build, engine, near, far, name, document, i } of cases) {
  test(`${name}: WebAssembly (${build}) agrees with native`, () => {
    const here = unpack(engine.run(JSON.stringify(document)));
    assert.ok(here.ok, JSON.stringify(here.error));
    const there = answers[i];
    // A gradient may cancel to nothing, and then only its rounding is left.
    for (const [group, floor] of [["outputs", 1e-30], ["gradients", 1]]) {
      for (const [tensor, { shape, data }] of Object.entries(there[group])) {
        assert.deepEqual(here[group][tensor].shape, shape);
        const off = distance(here[group][tensor].data, data, floor);
        assert.ok(off <= near, `${group} ${tensor} is off by ${off}`);
        const rounding = distance(here[group][tensor].data, exact[i][group][tensor].data, floor);
        assert.ok(rounding <= far, `${group} ${tensor} is off by ${rounding} from double`);
      }
    }
    for (const [tensor, { data }] of Object.entries(there.parameters)) {
      assert.deepEqual([...here.parameters[tensor].data], data.map(Math.fround), `parameter ${tensor}`);
    }
  });
}

test("features and draws are those of the double build, rounded once", () => {
  const document = {
    schema: "attention-playground/1", seed: 12345,
    inputs: { x: { tokens: [..."abcdefgh"], features: { type: "embedding", dim: 33 } } },
    mechanism: { type: "attention", query: "self", score: "additive", alignment: { type: "hard-sample", samples: 50 } },
  };
  const here = unpack(module.run(JSON.stringify(document)));
  const [double] = native([document], "attend64");
  for (const [name, { data }] of Object.entries(double.parameters)) {
    assert.deepEqual([...here.parameters[name].data], data.map(Math.fround), name);
  }
});
