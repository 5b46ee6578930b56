#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What each system of the literature costs in the page, in Chromium: node tests/web/measure_systems.mjs [changes]
// [--rounds N] [--json] [--site FOLDER] [--works ID,PART*,...]. Every change is a new seed, so that all words and
// parameters are drawn anew and everything is computed and drawn again. `worker` and `page` are the milliseconds of
// processor time of a change, of the thread that computes and of the page's own, by the browser's trace: how busy the
// machine is beside it adds nothing. `picture` is the page's own mark, from a change to its picture, by the clock: the
// least of all.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const options = process.argv.slice(2);
const after = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const site = after('--site') ?? join(root, 'build/web');
const works = (after('--works') ?? '').split(',').filter(Boolean);
const changes = Number(/^\d+$/.test(options[0]) ? options[0] : 5);
const ROUNDS = Number(after('--rounds') ?? 2);

const systems = readdirSync(join(root, 'systems')).toSorted()
  .map((name) => JSON.parse(readFileSync(join(root, 'systems', name), 'utf8')))
  .filter(({ id }) => works.length === 0 || works.includes(id)
    || works.some((part) => part.endsWith('*') && id.includes(part.slice(0, -1))));

// The processor time of the page's own thread and of its workers while something goes on.
async function threadsDuring(driver, work) {
  const session = await driver.context().newCDPSession(driver);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const told = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', { transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] } });
  const result = await work();
  await session.send('Tracing.end');
  await told;
  await session.detach();
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const names = new Map(events.filter(({ name }) => name === 'thread_name')
    .map((event) => [thread(event), event.args.name]));
  const spent = (wanted) => events
    .filter((event) => event.ph === 'X' && event.tdur !== undefined && wanted.test(names.get(thread(event)) ?? ''))
    .reduce((sum, { tdur }) => sum + tdur / 1000, 0);
  return { result, page: spent(/^CrRendererMain/), worker: spent(/^DedicatedWorker/) };
}

// Gives the document new seeds, one as soon as the picture of the last one stands; the milliseconds of each. It waits
// to be told of a picture: asking for it again and again would be work of the page's thread, the more the slower it is.
const reseed = (page, from) => page.run(`
  const { store } = document.querySelector('attention-playground');
  const picture = () => new Promise((resolve) => {
    const watch = new PerformanceObserver((list) => {
      const [one] = list.getEntriesByName('picture');
      if (one) done(one.duration);
    });
    const late = setTimeout(() => done(undefined), 20000);
    const done = (taken) => { clearTimeout(late); watch.disconnect(); resolve(taken); };
    watch.observe({ type: 'measure' });
  });
  const taken = [];
  for (let k = 0; k < values[0]; k++) {
    const next = picture();
    store.documents.set('/seed', values[1] + k, 'measured');
    const one = await next;
    if (one !== undefined) taken.push(one);
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return taken;`, changes, from);

async function measure(page, { id, document }) {
  await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, document);
  await page.settled();
  await reseed(page, 2); // once before anything is counted
  const found = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { result, page: own, worker } =
      await threadsDuring(page.driver, () => reseed(page, 100 * (round + 1)));
    if (result.length !== changes) throw new Error(`${id}: ${result.length} pictures of ${changes} changes`);
    found.push({ worker: worker / changes, page: own / changes, picture: Math.min(...result) });
  }
  const least = (field) => Math.round(10 * Math.min(...found.map((one) => one[field]))) / 10;
  const failed = await page.run(`return document.querySelector('attention-playground').store.sessions.error ?? null`);
  if (failed) throw new Error(`${id}: ${JSON.stringify(failed)}`);
  return { id, worker: least('worker'), page: least('page'), picture: least('picture') };
}

const server = await serve(site);
const browser = await browsers.chromium();
const driver = await browser.open({ width: 1440, height: 900 });
const origin = `http://127.0.0.1:${server.address().port}`;
const page = new Page(driver, origin);
const rows = [];
try {
  await page.go(`${origin}/`);
  await page.until(`return document.querySelector('attention-playground')?.store`);
  for (const system of systems) {
    rows.push(await measure(page, system).catch(({ message }) => ({ id: system.id, failed: message })));
    process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`); // what is known, should the rest never come
  }
} finally {
  await page.close();
  await browser.close();
  server.close();
}

if (options.includes('--json')) console.log(JSON.stringify(rows, null, 1));
else {
  const line = (...cells) => console.log(
    cells.map((cell, k) => (k === 0 ? String(cell).padEnd(28) : String(cell).padStart(10))).join(''));
  line('system', 'worker ms', 'page ms', 'picture');
  const sorted = rows.toSorted((a, b) => (b.worker ?? 0) + (b.page ?? 0) - (a.worker ?? 0) - (a.page ?? 0));
  for (const { id, worker, page: own, picture, failed } of sorted)
    line(id, ...(failed ? [failed] : [worker, own, picture]));
}
