// SPDX-License-Identifier: Apache-2.0
// What is measured, on any engine (engines.mjs): the multiply-add peak, products, convolutions, exp, softmax, entmax.

const enough = 4; // milliseconds of a timed call: long for the clock, short beside a time slice
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

const milliseconds = async (engine, { name, numbers, unit = 1 }, repeats) =>
  (await engine.call(name, ...numbers, repeats * unit)).milliseconds;

// How many repeats make one timed call last long enough.
async function calibrate(engine, task) {
  let repeats = 1;
  for (;;) {
    const took = await milliseconds(engine, task, repeats);
    if (took >= enough) return repeats;
    const wanted = (1.3 * enough) / Math.max(took, 0.01);
    repeats = Math.ceil(repeats * Math.min(10, Math.max(1.5, wanted)));
    if (repeats * (task.unit ?? 1) > mostRepeats) throw new Error(`${task.title} takes no time`);
  }
}

// title: what the table calls it. prepare: sizes for bench_prepare. work: operations or elements of
// one repeat.
async function tasks(engine) {
  const { result: variants } = await engine.call('bench_peak_variants');
  const unit = 4096; // steps that count as one repeat
  const peaks = await Promise.all(
    Array.from({ length: variants }, async (_, variant) => {
      const { result: work } = await engine.call('bench_peak_operations', variant, unit);
      return { kind: 'peak', title: 'peak', name: 'bench_peak', numbers: [variant], unit, work };
    }),
  );
  const products = [...cubes, ...attention, ...thin].map(({ name, m, n, k, transposed = 0 }) => ({
    kind: 'product',
    title: name,
    name: 'bench_matmul',
    numbers: [m, n, k, transposed],
    prepare: [m * k, k * n, m * n],
    work: 2 * m * n * k,
  }));
  const convolutions = [[32, 32, 3], [16, 64, 3]].map(([side, channels, size]) => ({
    kind: 'product',
    title: `convolution ${size} x ${size}, ${channels} channels, ${side} x ${side}`,
    name: 'bench_convolve',
    numbers: [side, channels, size],
    work: 2 * (side * size * channels) ** 2,
  }));
  const exp = { kind: 'time', title: 'exp of 4096', name: 'bench_exp', numbers: [4096], work: 4096 };
  const softmax = [16, 64, 512].map((cols) => ({
    kind: 'time',
    title: `softmax 64 rows of ${cols}`,
    name: 'bench_softmax',
    numbers: [64, cols],
    work: 64 * cols,
  }));
  const entmax = [[20, 'sparsemax'], [15, '1.5-entmax'], [13, '1.3-entmax']].flatMap(([alpha, title]) =>
    [16, 256, 4096].map((cols) => ({
    kind: 'time',
    title: `${title} 16 rows of ${cols}`,
    name: 'bench_entmax',
    numbers: [16, cols, alpha],
    work: 16 * cols,
  })));
  const times = [exp, ...softmax, ...entmax].map((task) => ({ ...task, prepare: [task.work, 0, task.work] }));
  return [...peaks, ...products, ...convolutions, ...times];
}

// Every round measures everything once, so that whatever else the machine does for a while slows
// the peak and the kernels alike; of all rounds the best counts.
export async function measure(engine, rounds) {
  const all = await tasks(engine);
  for (let round = 0; round < rounds; round += 1) {
    for (const task of all) {
      if (task.prepare) await engine.call('bench_prepare', ...task.prepare);
      task.repeats ??= await calibrate(engine, task);
      const took = (await milliseconds(engine, task, task.repeats)) / task.repeats;
      task.best = Math.min(task.best ?? Infinity, took);
    }
  }
  const of = (kind) => all.filter((task) => task.kind === kind);
  const rate = (task) => task.work / task.best / 1e6;
  return {
    peak: Math.max(...of('peak').map(rate)),
    products: of('product').map((task) => ({ name: task.title, rate: rate(task) })),
    times: of('time').map((task) => ({
      name: task.title,
      nanoseconds: (task.best / task.work) * 1e6,
    })),
  };
}
