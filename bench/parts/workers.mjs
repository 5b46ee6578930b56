// SPDX-License-Identifier: Apache-2.0
// The pool of workers in Chromium: two threads against one, in a page with shared memory and in one without.
import { quiet } from '../lib/quiet.mjs';
import { work } from '../lib/work.mjs';

const sizes = ['one-256', 'one-512', 'one-1024', 'one-2048', 'one-4096', 'eight-128', 'eight-512', 'eight-1024'];
const kinds = [
  { title: 'by message', shared: false, options: { threads: 2, help: false } },
  { title: 'by message, the page helps', shared: false, options: { threads: 2, help: true } },
  { title: 'shared memory', shared: true, options: { threads: 2, help: false } },
];

// Runs in the page: one thread and two in turn, so that both see the same machine.
async function race({ id, options, rounds, milliseconds }) {
  const { loadPool } = await import('/build/web/engine/fused.js');
  const { work: make } = await import('/bench/lib/work.mjs');
  const { q, k, v, heads, n, width } = make(id);
  const input = { q, k, v, heads, m: n, n, d: width, dv: width };
  const one = await loadPool({ threads: 1 });
  const two = await loadPool({ ...options, from: 0 });
  if (two.workers !== (options.help ? 1 : 2)) throw new Error(`${two.workers} workers started`);
  const expected = (await one.attention(input)).output;
  const { output } = await two.attention(input);
  let difference = 0;
  for (let i = 0; i < output.length; i++) difference = Math.max(difference, Math.abs(output[i] - expected[i]));
  const timed = async (pool) => {
    const times = [];
    const end = performance.now() + milliseconds;
    do {
      const start = performance.now();
      await pool.attention(input);
      times.push(performance.now() - start);
    } while (performance.now() < end || times.length < 2);
    return times.toSorted((a, b) => a - b);
  };
  // How much two threads give that share nothing but the machine.
  const spinners = await Promise.all([0, 1].map(() => new Promise((resolve) => {
    const worker = new Worker('/bench/page/spin.mjs', { type: 'module' });
    worker.onmessage = () => resolve(worker);
  })));
  const spin = (worker, steps) => new Promise((resolve) => {
    worker.onmessage = resolve;
    worker.postMessage(steps);
  });
  const spun = async (chosen) => {
    let best = Infinity;
    const end = performance.now() + milliseconds;
    do {
      const start = performance.now();
      await Promise.all(chosen.map((worker) => spin(worker, 2_000_000)));
      best = Math.min(best, performance.now() - start);
    } while (performance.now() < end);
    return best;
  };
  const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
  await timed(one);
  await timed(two);
  const found = { one: [], two: [], ratios: [], machine: [] };
  for (let round = 0; round < rounds; round++) {
    const [a, b] = [await timed(one), await timed(two)];
    found.one.push(a[0]);
    found.two.push(b[0]);
    found.ratios.push(a[0] / b[0]);
    found.machine.push((2 * (await spun(spinners.slice(1)))) / (await spun(spinners)));
  }
  two.close();
  for (const worker of spinners) worker.terminate();
  const [best, bestTwo] = [Math.min(...found.one), Math.min(...found.two)];
  return { one: best, two: bestTwo, ratio: best / bestTwo, medianRatio: middle(found.ratios),
    machine: Math.max(...found.machine), medianMachine: middle(found.machine), difference };
}

export async function workers(browser, { rounds, milliseconds, patience, works, note }) {
  const rows = [];
  for (const id of sizes.filter((name) => works.length === 0 || works.some((part) => name.includes(part)))) {
    const row = { id, title: work(id).title, kinds: {} };
    for (const { title, shared, options } of kinds) {
      note(`workers: ${id}, ${title}`);
      const page = await browser.page(note, shared ? undefined : browser.apart);
      await quiet(patience);
      row.kinds[title] = await page.evaluate(race, { id, options, rounds, milliseconds });
      await page.close();
    }
    rows.push(row);
  }
  return { rows };
}
