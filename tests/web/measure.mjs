#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// How long a slider's move takes to its picture, and what a movement of the pointer costs, by the page's own
// performance marks, in Chromium:
// node tests/web/measure.mjs [moves] [--json] [--site FOLDER]. A table, or with --json a list, a row a size;
// nothing is asserted, machines differ. `longest` is the longest task of the page's own thread over 50 ms, or 0;
// `hover` is the scripting that a pointer event wakes until what the engine tells of the cell is drawn (median, 95 %,
// and the least, which a busy machine changes little); `formula` is the drawing of the cell's formula with its numbers,
// which waits until the pointer rests, as a mean over the events.
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';

const SIZES = [[8, 4], [32, 8], [128, 8], [512, 1]];
// As many as a reader makes in some seconds: the browser compiles what it runs often.
const EVENTS = 120;
const options = process.argv.slice(2);
const json = options.includes('--json');
const at = options.indexOf('--site');
const site = at < 0 ? fileURLToPath(new URL('../../build/web', import.meta.url)) : options[at + 1];
const moves = Number(options.find((option) => /^\d+$/.test(option)) ?? 40);

const share = (list, part) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))]
  ?? Number.NaN;
const short = (value) => Math.round(value * 10) / 10;

// Sets the size, waits until all rests, then moves the temperature as a hand would: the next step once the last is
// drawn.
async function measure(page, tokens, heads) {
  await page.run(`document.querySelector('attention-playground').store.documents.change((d) => {
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
      store.documents.set('/mechanism/alignment/temperature', 0.5 + k / values[0], 'measured');
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        const last = performance.getEntriesByName('picture').at(-1);
        if (last && last.startTime !== before) { taken.push(last.duration); break; }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 400));
    watch.disconnect();
    return { taken, blocked };`, moves);
  return {
    tokens, heads, moves: taken.length, median: short(share(taken, 0.5)), late: short(share(taken, 0.95)),
    worst: short(Math.max(...taken)),
    longest: short(Math.max(0, ...blocked)), blocked: blocked.length,
  };
}

// Points at one cell of the weights after the other, nothing being locked, waiting for each to be explained.
async function hover(page, events) {
  await page.run(`document.querySelector('attention-playground').store.selection.hold(undefined)`);
  const box = await page.spot('ap-matrix[data-tensor="weights"]');
  await page.run(`globalThis.formulas = 0; new PerformanceObserver((list) => list.getEntriesByName('formula')
    .forEach((e) => { globalThis.formulas += e.duration; })).observe({ type: 'measure' })`);
  const taken = [];
  for (let k = 0; k < events; k++) {
    const at = [(k * 7) % 31, (k * 13) % 32].map((cell) => (cell + 0.5) / 32);
    await page.run(`performance.clearMeasures('hover')`);
    await page.driver.mouse.move(box.left + box.width * at[0], box.top + box.height * at[1]);
    taken.push(await page.until(`return performance.getEntriesByName('hover').at(-1)?.duration`));
  }
  const formulas = await page.run('return globalThis.formulas');
  return { hover: short(share(taken, 0.5)), hoverLate: short(share(taken, 0.95)),
    hoverLeast: short(Math.min(...taken)), formula: short(formulas / events) };
}

const server = await serve(site);
const browser = await browsers.chromium();
const driver = await browser.open({ width: 1440, height: 900 });
const origin = `http://127.0.0.1:${server.address().port}`;
const page = new Page(driver, origin);
await page.go(`${origin}/`);
// Words with themselves in several heads, whose number and sizes are then set.
await page.decoder();
const rows = [];
for (const [tokens, heads] of SIZES)
  rows.push({ ...(await measure(page, tokens, heads)), ...(heads > 1 ? await hover(page, EVENTS) : {}) });
await page.close();
await browser.close();
server.close();

if (json) console.log(JSON.stringify(rows, null, 2));
else {
  const line = (...cells) => console.log(
    cells.map((cell, k) => (k === 0 ? String(cell).padEnd(16) : String(cell).padStart(10))).join(''));
  line('tokens × heads', 'median ms', '95 %', 'worst', 'longest', 'over 50', 'hover', '95 %',
    'least', 'formula');
  for (const row of rows) line(`${row.tokens} × ${row.heads}`, row.median, row.late, row.worst, row.longest,
    row.blocked, row.hover ?? '', row.hoverLate ?? '', row.hoverLeast ?? '', row.formula ?? '');
}
