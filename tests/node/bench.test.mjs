// SPDX-License-Identifier: Apache-2.0
// bench/ does not rot: its arguments, one tiny measurement of each kind that needs no browser, its table and pictures.
import assert from "node:assert/strict";
import { test } from "node:test";

import { read } from "../../bench/lib/arguments.mjs";
import { pictures } from "../../bench/lib/plots.mjs";
import { difference, gradients } from "../../bench/lib/reference.mjs";
import { share } from "../../bench/lib/quiet.mjs";
import { chunked, rowsOf } from "../../bench/parts/recurrent.mjs";
import { report } from "../../bench/lib/report.mjs";
import { fixed, table } from "../../bench/lib/table.mjs";
import { describe, work, works } from "../../bench/lib/work.mjs";
import { startDocuments, timeDocument } from "../../bench/page/documents.mjs";
import * as harness from "../../bench/page/harness.mjs";
import { withRows } from "../../bench/page/sizes.mjs";
import { readRows } from "../../bench/parts/sliders.mjs";
import { readSystems } from "../../bench/parts/systems.mjs";
import { root } from "./engine.mjs";

test("arguments are read, and wrong ones are told", () => {
  const { parts, rounds, works: asked, build } =
    read(["--only", "sliders,attention", "--rounds", "3", "--works", "one-64,full", "--no-build"]);
  assert.deepEqual([parts, rounds, asked, build], [["attention", "sliders"], 3, ["one-64", "full"], false]);
  assert.ok(read([]).parts.length > 6);
  assert.throws(() => read(["--only", "attention,nothing"]), /--only: there is no part nothing/);
  assert.throws(() => read(["--rounds", "0"]), /--rounds: expected a whole number of at least 1, found 0/);
  assert.throws(() => read(["--round", "3"]), TypeError);
});

test("the works say how much they are, and every run has the same numbers", () => {
  assert.ok(works.includes("one-4096") && works.includes("full-512") && works.includes("eight-512-gradient"));
  assert.equal(describe("one-64").operations, 4 * 64 * 64 * 64);
  assert.equal(describe("one-64-gradient").operations, 3 * 4 * 64 * 64 * 64);
  assert.equal(describe("full-64").operations, 4 * 64 * 64 * 512 + 8 * 64 * 512 * 512);
  const [first, second] = [work("eight-64"), work("eight-64")];
  assert.deepEqual(first.k, second.k);
  const variance = first.q.reduce((sum, x) => sum + x * x, 0) / first.q.length;
  assert.ok(Math.abs(variance - 1) < 0.05, `variance ${variance}`);
});

// What the browser's pages do, here in this thread.
const measured = {};
await harness.start("direct", { build: "plain" });
for (const id of ["tiny-16", "one-64", "one-64-gradient", "full-64"]) {
  const prepared = await harness.prepare(id);
  await harness.warm(id, 5);
  measured[id] = { ...prepared, ...(await harness.round(id, 5)) };
  harness.free(id);
}

test("the engine is measured and its results are right", () => {
  for (const [id, { best, middle, difference: apart }] of Object.entries(measured)) {
    assert.ok(best > 0 && middle >= best, id);
    assert.ok(apart < 1e-4, `${id} differs by ${apart}`);
  }
});

test("a wrong result is seen", () => {
  const task = work("one-64");
  const zeros = new Float32Array(64 * 64);
  assert.ok(difference(task, zeros) > 0.1);
  assert.ok(!(difference(task, zeros.fill(Number.NaN)) < 1), "NaN");
  assert.throws(() => difference(task, zeros.subarray(1)), /4095 numbers/);
});

test("the reference's gradients are slopes", () => {
  const task = { ...work("one-64-gradient"), n: 5, width: 3 };
  for (const name of ["q", "k", "v", "upstream"]) task[name] = Float64Array.from(task[name].subarray(0, 15));
  const loss = ({ q, k, v, upstream }) => {
    let sum = 0;
    for (let i = 0; i < 5; i++) {
      const weights = Array.from({ length: 5 },
        (_, j) => Math.exp([0, 1, 2].reduce((s, c) => s + q[i * 3 + c] * k[j * 3 + c], 0) / Math.sqrt(3)));
      const total = weights.reduce((s, x) => s + x, 0);
      weights.forEach((x, j) => [0, 1, 2].forEach((c) => { sum += (x / total) * v[j * 3 + c] * upstream[i * 3 + c]; }));
    }
    return sum;
  };
  const found = gradients(task);
  ["q", "k", "v"].forEach((name, part) => {
    for (let i = 0; i < 15; i++) {
      const nudged = (by) => loss({ ...task, [name]: task[name].map((x, at) => (at === i ? x + by : x)) });
      const slope = (nudged(1e-5) - nudged(-1e-5)) / 2e-5;
      assert.ok(Math.abs(found[15 * part + i] - slope) < 1e-8, `${name} ${i}: ${found[15 * part + i]}, not ${slope}`);
    }
  });
});

test("a mechanism's example grows", async () => {
  const ids = await startDocuments(`${root}build/web/engine/index.js`);
  assert.ok(ids.length > 100);
  for (const id of ["multi-head", "mask-graph", "pos-tree"]) {
    const { best, bytes, failed } = await timeDocument(id, 16, 1);
    assert.ok(best > 0 && bytes > 4 * 16 * 16, `${id}: ${failed}`);
  }
  const [document] = withRows({ inputs: { x: { data: [1, 2, 3, 4], shape: [2, 2] } }, mechanism: {} }, 3);
  assert.deepEqual(document.inputs.x, { data: [1, 2, 3, 4, 1, 2], shape: [3, 2] });
});

test("a busy machine is seen", () => {
  const before = "cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1";
  assert.ok(Math.abs(share(before, "cpu  110 0 60 870 60 0 0 0 0 0\n") - 0.2) < 1e-9);
  assert.equal(share(before, before), 0);
});

test("tables and pictures are made of results", () => {
  assert.equal(table(["a", "b"], [["x", 1]]), "| a   |   b |\n| --- | --: |\n| x   |   1 |");
  assert.equal(fixed(Number.NaN), "–");
  const found = ({ best, difference: apart }, id) =>
    ({ difference: apart, milliseconds: best, rate: describe(id).operations / best / 1e6, median: 1, share: 0.5,
    medianShare: 0.25 });
  const run = { date: "2026-01-01", machine: "a machine", rounds: 1, milliseconds: 5 };
  const attention = {
    run, versions: { plain: "plain 1", other: "other 2" },
    results: Object.entries(measured)
      .map(([id, one]) => ({ id, title: describe(id).title, peak: 50,
      engines: { plain: found(one, id), other: { failed: "no" } } })),
  };
  const at = { 32: { best: 1, middle: 1, bytes: 1024 }, 128: { failed: "too large" } };
  const text = report({ attention, mechanisms: { run, rows: [{ id: "some", at }] },
    memory: { run, failed: "nothing there" },
    fused: { run, rows: [{ title: "causal", n: 512, heads: 1, graph: 2, fused: 0.5, ratio: 4, median: 3.5 }] } });
  assert.match(text, /\| one head, n = 64 +\| +50\.0 \| +[\d.]+ \(\.50\) \| +failed \|/);
  assert.match(text, /\| tiny, width 16, n = 16 \| +[\d,]+ \| +failed \|/);
  assert.match(text, /\| some +\| +1\.00 \| +failed \| +– \|/);
  assert.match(text, /memory: nothing there/);
  assert.match(text, /\| causal \| +512 \| +1 \| +2\.000 \| +0\.500 \| 4\.0 \(3\.5\) \|/);
  const drawn = pictures({ attention, mechanisms: { rows: [{ id: "some", at }] } });
  assert.deepEqual(Object.keys(drawn),
    ["one", "one-gradient", "full", "mechanisms-milliseconds", "mechanisms-kilobytes"]);
  assert.deepEqual(drawn.one.data, [{ engine: "plain", n: 64, share: 0.5 }]);
  assert.equal(drawn["mechanisms-kilobytes"].data.length, 1);
});

test("recurrent cores are held to their kernel, and those that miss it are named", () => {
  const knobs = [{ name: "chunk" }], core = { kind: "core", always_causal: true, knobs };
  const cores = chunked([{ ...core, id: "fades", parameters: [{ name: "alpha" }] },
    { ...core, id: "erases", parameters: [{ name: "beta" }] },
    { ...core, id: "by-step", knobs: [], parameters: [] }]);
  assert.deepEqual(cores, [{ id: "fades", erases: false }, { id: "erases", erases: true }]);
  const rows = rowsOf("fades 10 40 8 20 0.5 17\nerases 50 60 8 20 9 21\n", cores);
  assert.deepEqual(rows.map(({ kernel, times }) => [kernel, times]), [[8, 1.25], [20, 2.5]]);
  const run = { date: "2026-01-01", machine: "a machine", rounds: 1, milliseconds: 5 };
  const text = report({ recurrent: { run, tokens: 16384, width: 64, rows } });
  assert.match(text, /\| erases +\| +50\.0 \| +60\.0 \| +20\.0 \(delta\) \| +2\.5 \| +9\.00 \| +21\.00 \|/);
  assert.match(text, /More than 2 times the kernel: erases \(2\.5\)\. More than 8 MB beyond: erases\./);
});

test("what the page's measurement prints is understood", () => {
  const [row] = readRows('[{ "tokens": 32, "heads": 8, "moves": 40, "median": 4.2, "late": 6, "worst": 9, "longest": '
    + '60, "blocked": 1, "hover": 2.1, "hoverLate": 3, "hoverLeast": 2, "formula": 1.5 }]');
  assert.deepEqual(row, { tokens: 32, heads: 8, middle: 4.2, late: 6, blocked: 1, longest: 60, hover: 2.1,
    hoverLate: 3, hoverLeast: 2, formula: 1.5 });
});

test("what systems take in the page is understood, and those beyond the bound are named", () => {
  const rows = readSystems('[{ "id": "quick", "worker": 1, "page": 20, "picture": 25 }, { "id": "slow", "worker": 90, '
    + '"page": 20.5, "picture": 140 }]');
  assert.deepEqual(rows.map(({ id, both }) => [id, both]), [["slow", 110.5], ["quick", 21]]);
  const run = { date: "2026-01-01", machine: "a machine", rounds: 1, milliseconds: 5 };
  assert.match(report({ systems: { run, rows } }), /Beyond 100 ms: slow\./);
  assert.match(report({ systems: { run, rows: rows.slice(1) } }), /Beyond 100 ms: none of 1\./);
});

test("a training step's share of the peak is printed where it was measured", () => {
  const row = { id: "a", title: "A model", counted: { forward: 1.5e6, step: 4.5e6 }, engines: {
    native: { best: 1, middle: 2 },
    "Chromium, relaxed": { best: 1, middle: 2, peak: 30, ofPeak: 0.3, middleOfPeak: 0.15 },
  } };
  const training = (rows) => report({ training: { versions: { native: "", "Chromium, relaxed": "" }, rows,
    run: { date: "", machine: "", rounds: 1, milliseconds: 1 } } });
  const found = training([row]);
  assert.match(found, /the best peak of the run: 30\.0 GFLOP\/s/);
  assert.match(found, /\| A model +\| +4\.5 \| +1\.5 \| +\.30 \(\.15\) \|/);
  assert.doesNotMatch(found, /over another's/);
  assert.doesNotMatch(training([{ ...row, engines: { native: row.engines.native } }]), /share of the relaxed/);
});
