// SPDX-License-Identifier: Apache-2.0
// Several threads give the numbers of one, whatever the sizes, and fail well.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { plainAttention, plainGradients, random } from "./plain-attention.mjs";
import { root } from "./engine.mjs";

const engine = `${root}build/web/engine/`;
const { loadFused, loadPool } = await import(`${engine}fused.js`);
const fused = await loadFused();
const always = { from: 0 }; // however small the call

const shapes = [
  { heads: 1, m: 0, n: 4, d: 4, dv: 4 },
  { heads: 1, m: 1, n: 1, d: 3, dv: 2 },
  { heads: 1, m: 2, n: 0, d: 3, dv: 0 },
  { heads: 1, m: 37, n: 41, d: 16, dv: 5 },
  { heads: 8, m: 13, n: 13, d: 4, dv: 4, causal: true },
  { heads: 3, m: 65, n: 65, d: 8, dv: 8, causal: true, window: 7 },
  { heads: 3, m: 11, n: 9, d: 4, dv: 4, bias: 3 * 11 * 9, mask: 9 },
  { heads: 2, m: 11, n: 9, d: 4, dv: 4, bias: 11 * 9, mask: 11 * 9, offset: -2, window: [5, 2] },
];

const filled = ({ bias, mask, ...shape }) => ({
  ...shape,
  q: random(1, shape.heads * shape.m * shape.d),
  k: random(2, shape.heads * shape.n * shape.d),
  v: random(3, shape.heads * shape.n * shape.dv),
  ...(bias ? { bias: random(4, bias) } : {}),
  ...(mask ? { mask: random(5, mask).map((x) => (x > -0.5 ? 1 : 0)) } : {}),
});

const near = (actual, expected, what, tolerance = 1e-5) => {
  assert.equal(actual.length, expected.length, what);
  // Equal first: the largest score of a query that attends nothing is -infinity.
  expected.forEach((value, i) =>
    assert.ok(actual[i] === value || Math.abs(actual[i] - value) <= tolerance * Math.max(1, Math.abs(value)),
    `${what} ${i}: ${actual[i]}, not ${value}`));
};

// A folder with the library and a worker that ends as `body` says.
function withWorker(body) {
  const folder = mkdtempSync(join(tmpdir(), "attention-pool-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of readdirSync(engine)) copyFileSync(engine + file, join(folder, file));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "broken.js"), body);
  mkdirSync(join(folder, "empty"));
  return pathToFileURL(join(folder, "broken.js")).href;
}

for (const threads of [2, 3, 5]) {
  test(`${threads} threads give the numbers of one`, async () => {
    const pool = await loadPool({ ...always, threads });
    assert.equal(pool.workers, threads - 1);
    for (const shape of shapes) {
      const input = filled(shape);
      const one = fused.attention(input);
      const many = await pool.attention(input);
      near(many.output, plainAttention(input).output, `output of ${JSON.stringify(shape)}`);
      for (const name of ["output", "largest", "sum"])
        near(many[name], one[name], `${name} of ${JSON.stringify(shape)}`);
      const slopes = { ...input, upstream: random(8, shape.heads * shape.m * shape.dv) };
      const found = await pool.attentionGradient(slopes);
      const expected = plainGradients(slopes);
      for (const name of ["dq", "dk", "dv", ...(shape.bias ? ["dbias"] : [])])
        near(found[name], expected[name], `${name} of ${JSON.stringify(shape)}`, 1e-4);
    }
    pool.close();
  });
}

test("workers alone, without the calling thread, and into a given array", async () => {
  const pool = await loadPool({ ...always, threads: 2, help: false });
  assert.equal(pool.workers, 2);
  const input = filled(shapes[4]);
  const out = new Float32Array(8 * 13 * 4);
  const { output } = await pool.attention({ ...input, out });
  assert.equal(output, out);
  near(out, plainAttention(input).output, "output");
  pool.close();
});

test("calls at the same time do not mix", async () => {
  const pool = await loadPool({ ...always, threads: 3 });
  const inputs = shapes.slice(3).map(filled);
  const results = await Promise.all(inputs.map((input) => pool.attention(input)));
  results.forEach(({ output }, i) => near(output, fused.attention(inputs[i]).output, `call ${i}`));
  pool.close();
});

test("wrong calls are refused, and the next one works", async () => {
  const pool = await loadPool({ ...always, threads: 2 });
  const input = filled(shapes[3]);
  for (const wrong of [{ k: new Float32Array(3) }, { bias: new Float32Array(3) }, { scale: Number.NaN },
    { window: -3 }]) {
    await assert.rejects(pool.attention({ ...input, ...wrong }), { name: "TypeError" }, JSON.stringify(wrong));
  }
  assert.equal(pool.workers, 1);
  near((await pool.attention(input)).output, fused.attention(input).output, "output");
  pool.close();
  await assert.rejects(pool.attention(input), /closed/);
});

test("small calls, and pools of one thread, need no worker", async () => {
  const pool = await loadPool({ threads: 1 });
  assert.equal(pool.workers, 0);
  const input = filled(shapes[3]);
  near((await pool.attention(input)).output, fused.attention(input).output, "output");
  pool.close();
  await assert.rejects(loadPool({ threads: 0 }), /threads/);
});

test("a worker that cannot start is done without", async () => {
  for (const body of ["throw new Error('no');", "process.exit(3);", "import './is-not-there.js';"]) {
    const pool = await loadPool({ ...always, threads: 2, workerUrl: withWorker(body) });
    assert.equal(pool.workers, 0, body);
    const input = filled(shapes[3]);
    near((await pool.attention(input)).output, fused.attention(input).output, body);
    pool.close();
  }
});

test("a worker that fails in the middle is replaced by the calling thread", async () => {
  const ends = ["throw new Error('gone');", "process.exit(0);"];
  for (const end of ends) {
    const workerUrl = withWorker(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, method }) => {
        if (method === 'start') parentPort.postMessage({ id, value: 'plain' });
        else { ${end} }
      });`);
    const pool = await loadPool({ ...always, threads: 3, workerUrl });
    assert.equal(pool.workers, 2);
    const input = filled(shapes[3]);
    near((await pool.attention(input)).output, fused.attention(input).output, end);
    assert.equal(pool.workers, 0);
    near((await pool.attention(input)).output, fused.attention(input).output, `${end} again`);
    pool.close();
  }
});

test("closing refuses what waits", async () => {
  const workerUrl = withWorker(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, method }) => method === 'start'
      && parentPort.postMessage({ id, value: 'plain' }));`);
  const pool = await loadPool({ ...always, threads: 2, workerUrl });
  const waiting = pool.attention(filled(shapes[3]));
  setTimeout(() => pool.close(), 20);
  await assert.rejects(waiting, /closed/);
});
