// SPDX-License-Identifier: Apache-2.0
// The module writes numbers with the digits that the command line prints: two standard libraries, one rounding.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { loadModule, root } from "./engine.mjs";

const module = await loadModule();

// Ties that go down and up, in every digit; powers of ten; whole numbers; what only an exponent can say; the ends of
// the range.
const numbers = [
  0.125, 0.375, -0.125, 0.0625, 2.5, 3.5, -4.5, 1.125, 10.25, 10.35, 100.5, 101.5, 1000.5, 0.5, 99999.5, 99998.5,
  0.001953125, 0.00048828125,
  0.9995, 0.9996, 9.995, 99.95, 999.5, 9999.5, 1, 10, 12345, 99999, 100000, 123456, 1.125e-4, 1.125e-5, 1.25e7, 1.245e8,
  1.235e10,
  16777216, 1e20, 1.2345678e20, 1e21, 1.2345678e21, 3e38, -3.4028234e38, 1e-7, 1.5e-7, 1.1754944e-38, 1e-45, 7e-45, 0.1,
  1 / 3, -2 / 3, 1e9, 123456789,
];
const document = (matrix) => JSON.stringify({
  schema: "attention-playground/1",
  inputs: { x: { matrix } },
  mechanism: { type: "attention", query: "self-attention", score: "dot" },
});

const attend = (args, input) => {
  const { status, stdout, stderr } = spawnSync(`${root}build/bin/attend`, args, { input, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
};

test("numbers in explanations are written as by the command line", () => {
  let compared = 0;
  for (const value of numbers) {
    const text = document([[value]]);
    const cell = module.explain(text, "inputs.x", "[0,0]");
    const { numbers: here, value: number } = JSON.parse(cell);
    assert.equal(number, Math.fround(value));
    const there = JSON.parse(attend(["explain", "inputs.x", "[0,0]", "-"], text));
    assert.equal(here, there.numbers, String(value));
    compared += 1;
  }
  assert.equal(compared, numbers.length);
});

test("numbers in exported programs are written as by the command line", () => {
  let compared = 0;
  for (const temperature of numbers.filter((value) => value >= 1e-6 && value <= 1e6)) {
    const text = JSON.stringify({ ...JSON.parse(document([[1]])), mechanism: {
      type: "attention", query: "self-attention", score: "dot",
      alignment: { type: "softmax-temperature", temperature } } });
    const body = (program) => program.slice(program.indexOf("import json")).trim();
    const { code } = JSON.parse(module.exportCode(text, "numpy", "{}"));
    const there = body(attend(["export", "numpy", "-"], text));
    assert.equal(body(code), there);
    compared += 1;
  }
  assert.ok(compared > 20, String(compared));
});
