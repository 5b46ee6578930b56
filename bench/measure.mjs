// SPDX-License-Identifier: Apache-2.0
// What is measured, on any engine (engines.mjs): the multiply-add peak, products, exp, softmax.

const enough = 20; // milliseconds that one timed call takes at least
const mostRepeats = 2 ** 31;

const cubes = [64, 128, 256, 512].map((n) => ({ name: `product ${n} x ${n} x ${n}`, m: n, n, k: n }));
const attention = [64, 128, 256, 512].flatMap((n) => [
  { name: `scores Q K^T ${n} x ${n} x 64`, m: n, n, k: 64, transposed: 1 },
  { name: `context A V ${n} x 64 x ${n}`, m: n, n: 64, k: n },
]);
const thin = [
  { name: 'one row 1 x 512 x 512', m: 1, n: 512, k: 512 },
  { name: 'one column 512 x 1 x 512', m: 512, n: 1, k: 512 },
];

// The best seconds of one repeat, over `rounds` calls that last long enough.
async function best(engine, name, numbers, rounds, unit = 1) {
  const time = async (repeats) =>
    (await engine.call(name, ...numbers, repeats * unit)).milliseconds;
  let repeats = 1;
  for (let took = await time(1); took < enough; took = await time(repeats)) {
    const wanted = (1.3 * enough) / Math.max(took, 0.01);
    repeats = Math.ceil(repeats * Math.min(10, Math.max(1.5, wanted)));
    if (repeats * unit > mostRepeats) throw new Error(`${name} ${numbers} takes no time`);
  }
  let milliseconds = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    milliseconds = Math.min(milliseconds, (await time(repeats)) / repeats);
  }
  return milliseconds / 1e3;
}

async function peak(engine, rounds) {
  const steps = 4096;
  const { result: variants } = await engine.call('bench_peak_variants');
  let most = 0;
  for (let variant = 0; variant < variants; variant += 1) {
    const { result: operations } = await engine.call('bench_peak_operations', variant, steps);
    const seconds = await best(engine, 'bench_peak', [variant], rounds, steps);
    most = Math.max(most, operations / seconds / 1e9);
  }
  return most;
}

export async function measure(engine, rounds) {
  const before = await peak(engine, rounds);
  const products = [];
  for (const { name, m, n, k, transposed = 0 } of [...cubes, ...attention, ...thin]) {
    await engine.call('bench_prepare', m * k, k * n, m * n);
    const seconds = await best(engine, 'bench_matmul', [m, n, k, transposed], rounds);
    products.push({ name, rate: (2 * m * n * k) / seconds / 1e9 });
  }
  const times = [];
  const count = 4096;
  await engine.call('bench_prepare', count, 0, count);
  const seconds = await best(engine, 'bench_exp', [count], rounds);
  times.push({ name: `exp of ${count}`, nanoseconds: (seconds / count) * 1e9 });
  const rows = 64;
  for (const cols of [16, 64, 512]) {
    await engine.call('bench_prepare', rows * cols, 0, rows * cols);
    const all = await best(engine, 'bench_softmax', [rows, cols], rounds);
    times.push({ name: `softmax ${rows} rows of ${cols}`, nanoseconds: (all / rows / cols) * 1e9 });
  }
  // Measured again at the end, so that a machine that got faster meanwhile flatters nobody.
  return { peak: Math.max(before, await peak(engine, rounds)), products, times };
}
