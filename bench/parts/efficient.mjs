// SPDX-License-Identifier: Apache-2.0
// The efficient forms in Chromium, one thread, one head of width 64: time over n, gradients, memory, and softmax
// attention
// over all pairs in the same run.
import { quiet } from '../lib/quiet.mjs';
import { forms } from '../page/forms.mjs';

const most = 16_384;
const sizes = [2048, 4096, 8192, most];
// Milliseconds at 16,384 tokens that the forms are held to, and what was hoped for.
const held = {
  linear: [15, 9], 'linear, causal': [25, 15], 'Performer, 256 features': [80, 55], 'window of 128 each side': [40, 27],
  'BigBird, 5 blocks of 64': [50],
  'Linformer, rank 256': [60, 50], 'LSH, 4 rounds, chunks of 64': [150],
};
const build = 'relaxed';
// What gradients may add: so many times the milliseconds that the form itself is held to.
const gradients = 3;
// Of forms whose time should grow with n, the power of n that they are held to.
const steepest = 1.1;
// These grow by n √n, or their buckets grow with n.
const steeper = new Set(['softmax', 'strided, l = √n', 'fixed, l = √n', 'LSH, 4 rounds, chunks of 64']);
const room = 8 * 2 ** 20; // beyond inputs and output

async function inPage(browser, note, run) {
  const page = await browser.page(note);
  await page.evaluate(async () => { globalThis.forms = await import('/bench/page/forms.mjs'); });
  try {
    return await run((method, ...given) =>
      page.evaluate(([name, all]) => globalThis.forms[name](...all), [method, given]));
  } finally {
    await page.close();
  }
}

// Multiplications and additions in registers, GFLOP/s; none where the benchmarks' own module is not built.
async function peakOf(browser, note) {
  const page = await browser.page(note);
  try {
    await page.evaluate((address) => globalThis.bench.loadPeak(address), '/build/wasm-relaxed/bench/attend_bench.mjs');
    return await page.evaluate(() => globalThis.bench.peak(200));
  } catch {
    return undefined;
  } finally {
    await page.close();
  }
}

export async function efficient(browser, { rounds, milliseconds, patience, works, note }) {
  const names = Object.keys(forms)
    .filter((name) => name === 'softmax' || works.length === 0
    || works.some((part) => name.toLowerCase().includes(part.toLowerCase())));
  const rows = Object.fromEntries(names.map((name) => [name, { at: {}, backward: Infinity, quiet: 0 }]));
  await inPage(browser, note, async (ask) => {
    await ask('start', build);
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        note(`efficient: round ${round + 1} of ${rounds}, ${name}`);
        const row = rows[name];
        // Softmax attention takes seconds: once a size in every second round.
        if (name === 'softmax' && round % 4 !== 0) continue;
        row.quiet += (await quiet(patience)) ? 1 : 0;
        for (const n of sizes) {
          const taken = await ask('time', name, n, false, name === 'softmax' ? 0 : milliseconds);
          row.at[n] = Math.min(row.at[n] ?? Infinity, taken);
        }
        row.backward = Math.min(row.backward,
          await ask('time', name, most, true, name === 'softmax' ? 0 : milliseconds));
      }
    }
  });
  for (const name of names) {
    note(`efficient: memory, ${name}`);
    rows[name].beyond = await inPage(browser, note, (ask) => ask('room', name, most, build));
    rows[name].beyondBack = await inPage(browser, note, (ask) => ask('room', name, most, build, true));
  }
  const peak = await peakOf(browser, note);
  const softmax = rows.softmax.at[most];
  return {
    build, most, peak,
    rows: names.map((name) => {
      const { at, backward, beyond, beyondBack, quiet: calm } = rows[name];
      const forward = at[most];
      return { name, at, backward: backward - forward, times: (backward - forward) / forward,
        slope: Math.log2(forward / at[sizes[0]]) / Math.log2(most / sizes[0]),
        beyond, beyondBack, ratio: softmax / forward, held: held[name],
        heldBack: held[name] && gradients * held[name][0], steepest: steeper.has(name) ? undefined : steepest, room,
        quiet: calm };
    }),
  };
}
