// SPDX-License-Identifier: Apache-2.0
// From the first request to the first result, from a local server without a cache, and what is fetched for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../lib/browser.mjs';
import { engines } from './attention.mjs';

// Each runs in a fresh page.
const starts = {
  'fast kernels': async () => {
    const { loadFused } = await import('/build/web/engine/fused.js');
    const fused = await loadFused();
    fused.attention({ q: new Float32Array(256), k: new Float32Array(256), v: new Float32Array(256), d: 16 });
  },
  'document engine': async () => {
    const { load } = await import('/build/web/engine/index.js');
    const playground = await load();
    await playground.run({ schema: 'attention-playground/1',
      inputs: { x: { tokens: ['a', 'b'], features: { type: 'embedding', dim: 4 } } },
      mechanism: { query: 'self-attention' } });
  },
};

const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

// The files that a page asked for, without those of the benchmarks themselves, as gzip makes them.
function watch(page) {
  const files = new Set();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!/^\/bench\/(page|lib|engines)\/|favicon|\/build\/(bench|wasm)/.test(pathname)
      && !request.url().startsWith('blob:')) files.add(pathname);
  });
  return () => [...files].map((path) =>
    ({ path, bytes: gzipSync(readFileSync(join(root, path)), { level: 9 }).length }));
}

async function own(browser, name, rounds, note) {
  const times = [];
  let files;
  for (let round = 0; round < rounds; round++) {
    const page = await browser.page(note);
    const seen = watch(page);
    const taken = await page.evaluate(
      `(async () => { const start = performance.now(); await (${
      starts[name]})(); return performance.now() - start; })()`);
    times.push(taken);
    files = seen();
    await page.close();
  }
  return { title: name, best: Math.min(...times), middle: middle(times), files };
}

async function other(browser, { id, module, options }, rounds, note) {
  const times = [];
  let files;
  for (let round = 0; round < rounds; round++) {
    const page = await browser.page(note);
    const seen = watch(page);
    times.push(await page.evaluate(async ([name, given]) => {
      const start = performance.now();
      await globalThis.bench.start(name, given);
      await globalThis.bench.first('tiny-16');
      return performance.now() - start;
    }, [module, options]));
    files = seen();
    await page.close();
  }
  return { title: id, best: Math.min(...times), middle: middle(times), files };
}

// The page itself: until the picture of its first document stands. A new tab is itself work for some hundred
// milliseconds, and so is a question to the page while it starts: both are kept out of the time.
const REST = 800;
async function whole(browser, rounds) {
  const times = [];
  const sizes = new Map();
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage();
    page.on('request', (request) => sizes.set(new URL(request.url()).pathname, 0));
    await page.waitForTimeout(REST);
    await page.goto(`${browser.site}/`, { waitUntil: 'commit' });
    await page.waitForTimeout(REST);
    times.push(await page.waitForFunction(() => {
      const [first] = performance.getEntriesByName('first-picture');
      return first && first.duration - performance.getEntriesByType('navigation')[0].requestStart;
    }).then((handle) => handle.jsonValue()));
    await page.close();
  }
  const files = [...sizes.keys()].filter((path) => !path.startsWith('blob')).map((path) => {
    const file = join(root, 'build/web', path.endsWith('/') ? `${path}index.html` : path);
    return { path, bytes: gzipSync(readFileSync(file), { level: 9 }).length };
  });
  return { title: 'the page, to its first picture', best: Math.min(...times), middle: middle(times), files };
}

export async function startup(browser, { rounds, note }) {
  const count = Math.min(rounds, 10);
  const rows = [];
  for (const name of Object.keys(starts)) {
    note(`startup: ${name}`);
    rows.push(await own(browser, name, count, note));
  }
  note('startup: the page');
  rows.push(await whole(browser, count));
  for (const engine of engines.filter(({ module }) => module !== 'direct')) {
    note(`startup: ${engine.id}`);
    try {
      rows.push(await other(browser, engine, count, note));
    } catch (problem) {
      note(`  ${engine.id}: ${String(problem).split('\n')[0]}`);
    }
  }
  return { rows: rows.map(({ files, ...row }) =>
    ({ ...row, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files })) };
}
