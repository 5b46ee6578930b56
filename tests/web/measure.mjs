#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// How long a slider's move takes to its picture, by the page's own performance marks, in Chromium:
// node tests/web/measure.mjs [moves]. Prints one line a size; nothing is asserted, machines differ.
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';

const moves = Number(process.argv[2] ?? 40);
const sizes = [[8, 4], [32, 8], [128, 8], [512, 1]];
const server = await serve(fileURLToPath(new URL('../../build/web', import.meta.url)));
const browser = await browsers.chromium();
const driver = await browser.open({ width: 1440, height: 900 });
const origin = `http://127.0.0.1:${server.address().port}`;
const page = new Page(driver, origin);
await page.go(`${origin}/`);

const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const late = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? Number.NaN;

for (const [tokens, heads] of sizes) {
  await page.run(`document.querySelector('attention-playground').store.change((d) => {
    d.inputs.x.tokens = Array.from({ length: values[0] }, (_, k) => 'w' + k);
    d.inputs.x.features.dim = 64;
    d.mechanism.heads = { type: 'multi-head', count: values[1] };
  })`, tokens, heads);
  await page.settled();
  const { taken, blocked } = await page.run(`
    const { store } = document.querySelector('attention-playground');
    const taken = [];
    const blocked = [];
    const watch = new PerformanceObserver((list) => blocked.push(...list.getEntries().map((e) => e.duration)));
    watch.observe({ type: 'longtask' });
    for (let k = 0; k < values[0]; k++) {
      const before = performance.getEntriesByName('picture').at(-1)?.startTime;
      store.set('/mechanism/alignment/temperature', 0.5 + k / values[0], 'measured');
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        const last = performance.getEntriesByName('picture').at(-1);
        if (last && last.startTime !== before) { taken.push(last.duration); break; }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    watch.disconnect();
    return { taken, blocked };`, moves);
  console.log(`${tokens} tokens, ${heads} heads: median ${middle(taken).toFixed(1)} ms, 95 % ${late(taken).toFixed(1)} ms; ${blocked.length} tasks over 50 ms, longest ${Math.max(0, ...blocked).toFixed(0)} ms`);
}
await page.close();
await browser.close();
server.close();
