// SPDX-License-Identifier: Apache-2.0
// Four layers of GPT-2 small's shape in Chromium, one thread: 64 rows, and one row behind them, in float32 and int8,
// beside onnxruntime-web and wllama on the same random weights in the same run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/browser.mjs';
import { quiet } from '../lib/quiet.mjs';
import { rows as textRows, shape, weights } from '../models/gpt.mjs';

const engines = {
  'ours, float32': { kind: 'own', build: 'relaxed', small: false },
  'ours, int8': { kind: 'own', build: 'relaxed', small: true },
  'ours, int8 weights and activations': { kind: 'own', build: 'relaxed', small: true, rounded: true },
  'ours, float32, plain SIMD': { kind: 'own', build: 'plain', small: false },
  'onnxruntime-web, float32': { kind: 'peer', bytes: false },
  'onnxruntime-web, int8': { kind: 'peer', bytes: true },
  'wllama, float32': { kind: 'llama', bytes: false },
  'wllama, Q8_0': { kind: 'llama', bytes: true },
};
const words = 6;

/** The largest difference between the probabilities of two lists of likeliest words, over the words of both lists. */
export function apart(found, wanted) {
  const others = new Map(found);
  const both = wanted.filter(([id]) => others.has(id));
  // Lists of the same model may end with different words; lists that share only one or two come from different models.
  if (both.length < 3) return 1;
  const sum = (list) => list.reduce((all, [, probability]) => all + probability, 0);
  const [mine, theirs] = [sum(both.map(([id]) => [id, others.get(id)])), sum(both)];
  return Math.max(...both.map(([id, probability]) => Math.abs(others.get(id) / mine - probability / theirs)));
}

// The files that onnxruntime-web reads in the page; the page makes the same weights for itself.
async function writeFiles() {
  const { onnx } = await import('../models/gpt_onnx.mjs');
  const folder = join(root, 'build/bench/models');
  mkdirSync(folder, { recursive: true });
  const tensors = weights(shape());
  const parts = { whole: { rows: textRows, past: 0 }, step: { rows: 1, past: textRows } };
  for (const bytes of [false, true]) {
    for (const [part, sizes] of Object.entries(parts))
      writeFileSync(join(folder, `gpt-${part}-${bytes ? 'int8' : 'float32'}.onnx`), onnx(shape(), tensors,
        { ...sizes, bytes }));
  }
}

export async function models(browser, { rounds, patience, note }) {
  note('models: writes the files of onnxruntime-web');
  await writeFiles();
  const page = await browser.page(note);
  try {
    await page.evaluate(async () => { globalThis.models = await import('/bench/page/models.mjs'); });
    const ask = (method, ...given) =>
      page.evaluate(([name, all]) => globalThis.models[name](...all), [method, given]);
    const rows = {};
    for (const [name, options] of Object.entries(engines)) {
      note(`models: ${name} reads the weights`);
      await ask('start', name, options);
      rows[name] = { whole: [], word: [], quiet: 0 };
    }
    const peaks = [], readings = [];
    const numbers = await ask('numbersOfRow');
    await page.evaluate((address) => globalThis.bench.loadPeak(address), '/build/wasm-relaxed/bench/attend_bench.mjs')
      .catch(() => note('models: no peak; bench/run builds it'));
    for (let round = 0; round < rounds; round++) {
      for (const [name, row] of Object.entries(rows)) {
        note(`models: round ${round + 1} of ${rounds}, ${name}`);
        if (await quiet(patience)) row.quiet += 1;
        if (round === 0) await ask('rewind');
        const { whole, word, likeliest } = await ask('time', name, words);
        row.likeliest ??= likeliest;
        row.whole.push(whole);
        row.word.push(word);
      }
      peaks.push(await page.evaluate(() => globalThis.bench.peak(100)));
      readings.push(await page.evaluate((count) => globalThis.bench.reading(count), numbers));
    }
    const wanted = rows['onnxruntime-web, float32'].likeliest;
    const { dependencies } = JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8'));
    const versions = ['onnxruntime-web', '@wllama/wllama'].map((name) => `${name} ${dependencies[name]}`);
    return { peak: Math.max(...peaks), reading: Math.min(...readings), numbers, text: textRows, versions,
      rows: Object.entries(rows).map(([title, { whole, word, likeliest, quiet: calm }]) => {
        const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
        return { title, best: Math.min(...whole), middle: middle(whole), word: Math.min(...word),
          middleWord: middle(word), difference: apart(likeliest, wanted), quiet: calm };
      }) };
  } finally {
    await page.close();
  }
}
