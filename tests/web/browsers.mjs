// SPDX-License-Identifier: Apache-2.0
// One face over the two drivers: Playwright for Chromium, WebDriver BiDi (Puppeteer) for Firefox.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

const chromiumFlags = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const program = (...paths) => paths.find((path) => path && existsSync(path));

// Runs in the page before anything else: what breaks the policy is remembered.
function watchPolicy() {
  globalThis.policyBroken = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    globalThis.policyBroken.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`);
  });
}

// Nothing is left of what another case kept on this origin; what is cached of its files may stay.
async function forget(context, page, origin) {
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' });
  await session.detach();
}

// A screen that is touched: what a finger does goes the browser's own way, from touch to pointer to click.
async function fingers(context, page) {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 });
  const send = (type, ...points) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  page.finger = {
    // Both at once: a finger that stays is a long press, on a slow machine too.
    tap: (x, y) => Promise.all([send('touchStart', [x, y]), send('touchEnd')]),
    async drag(from, to, steps = 8) {
      await send('touchStart', from);
      for (let k = 1; k <= steps; k++)
        await send('touchMove', from.map((at, axis) => at + ((to[axis] - at) * k) / steps));
      await send('touchEnd');
    },
  };
}

// What the threads of a page did while something went on: { thread, name, ts, dur, tdur }, `tdur` being times of the
// processor in microseconds, so that how busy the machine is beside it makes none longer.
async function traced(context, page, work, categories = ['toplevel']) {
  const session = await context.newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const told = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: categories };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await work();
  await session.send('Tracing.end');
  await told;
  await session.detach();
  const key = ({ pid, tid }) => `${pid} ${tid}`;
  const names = new Map(events.filter(({ name }) => name === 'thread_name').map((one) => [key(one), one.args.name]));
  return events.filter((one) => one.ph === 'X' && one.tdur !== undefined)
    .map((one) => ({ thread: names.get(key(one)), of: key(one), name: one.name, ts: one.ts, dur: one.dur,
      tdur: one.tdur }));
}

// How many milliseconds of processor time each task of the page's own thread took.
const tasksDuring = async (...asked) =>
  (await traced(...asked)).filter(({ thread }) => thread === 'CrRendererMain').map(({ tdur }) => tdur / 1000);

const TASK = 'ThreadControllerImpl::RunTask';

// Each task of the page's own thread with what it did: { took, work: { Layout: .., .. } }, in milliseconds
// of processor time without that of the work inside.
async function workDuring(...asked) {
  const events = (await traced(...asked, ['toplevel', 'devtools.timeline', 'v8']))
    .filter(({ thread }) => thread === 'CrRendererMain');
  const tasks = [];
  for (const of of new Set(events.map((one) => one.of))) {
    const open = [];
    for (const one of events.filter((event) => event.of === of).toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
      while (open.length > 0 && open.at(-1).ts + open.at(-1).dur <= one.ts) open.pop();
      if (one.name === TASK && open.length === 0) tasks.push({ took: one.tdur / 1000, work: {} });
      if (open.length === 0 && one.name !== TASK) continue;
      const { work } = tasks.at(-1);
      work[one.name] = (work[one.name] ?? 0) + one.tdur / 1000;
      const around = open.at(-1)?.name;
      if (around !== undefined) work[around] -= one.tdur / 1000;
      open.push(one);
    }
  }
  return tasks;
}

// How many milliseconds of processor time all threads of a name took.
async function spentDuring(...asked) {
  const spent = {};
  for (const { thread, name, tdur } of await traced(...asked))
    if (name === TASK) spent[thread] = (spent[thread] ?? 0) + tdur / 1000;
  return spent;
}

// Megabytes of memory that the process of a page has for itself, its workers included; NaN where the system does not
// tell.
async function memoryOf(context, page) {
  const events = await traced(context, page, () => page.evaluate(() => {
    for (const end = performance.now() + 20; performance.now() < end;);
  }));
  const spent = new Map();
  for (const { thread, of, tdur } of events) {
    const [pid] = of.split(' ');
    if (thread === 'CrRendererMain') spent.set(pid, (spent.get(pid) ?? 0) + tdur);
  }
  const [[pid]] = [...spent].toSorted(([, one], [, other]) => other - one);
  const file = `/proc/${pid}/smaps_rollup`;
  return existsSync(file) ? Number(/^Anonymous:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))[1]) / 1024 : NaN;
}

export const browsers = {
  async chromium() {
    const executablePath = program(...chromiums);
    if (!executablePath) throw new Error('no Chromium: install the package chromium');
    const { chromium } = (await load('playwright-core')).default;
    const folder = mkdtempSync(join(tmpdir(), 'attention-chromium-'));
    const context = await chromium.launchPersistentContext(folder,
      { executablePath, args: chromiumFlags, viewport: null });
    return {
      async open({ origin, width, height, dark, touch, motion }) {
        const page = await context.newPage();
        if (origin) await forget(context, page, origin);
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light',
          reducedMotion: motion ? 'no-preference' : 'reduce' });
        if (touch) await fingers(context, page);
        page.tasksDuring = (work) => tasksDuring(context, page, work);
        page.workDuring = (work) => workDuring(context, page, work);
        page.memory = () => memoryOf(context, page);
        page.spentDuring = (work) => spentDuring(context, page, work);
        await page.addInitScript(watchPolicy);
        return page;
      },
      async close() {
        await context.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },

  async firefox() {
    const executablePath = program(process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox');
    if (!executablePath) throw new Error('no Firefox: install the package firefox-esr');
    const { default: puppeteer } = await load('puppeteer-core');
    const launch = (dark) => puppeteer.launch({
      browser: 'firefox', executablePath, headless: true,
      extraPrefsFirefox: {
        'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
        'ui.prefersReducedMotion': 1,
        'network.captive-portal-service.enabled': false,
      },
    });
    // BiDi cannot emulate colours here, so dark pages get a browser of their own.
    const started = new Map();
    return {
      async open({ width, height, dark = false }) {
        if (!started.has(dark)) started.set(dark, await launch(dark));
        // A profile of its own each time, in which nothing is kept yet.
        const profile = await started.get(dark).createBrowserContext();
        const page = await profile.newPage();
        page.once('close', () => void profile.close().catch(() => undefined));
        // Under the names that Playwright has for them.
        page.setViewportSize = (size) => page.setViewport(size);
        page.addInitScript = (script) => page.evaluateOnNewDocument(script);
        await page.setViewportSize({ width, height });
        await page.addInitScript(watchPolicy);
        return page;
      },
      async close() {
        for (const browser of started.values()) await browser.close();
      },
    };
  },
};

/**
 * A page of Chromium as a person has it, with other tabs: Playwright makes every page believe that it is looked at,
 * Puppeteer does not. `behind` opens a tab in front of it, and gives back what closes that.
 */
export async function amongTabs({ width, height }) {
  const executablePath = program(...chromiums);
  const { default: puppeteer } = await load('puppeteer-core');
  const browser = await puppeteer.launch({ executablePath, headless: true, args: chromiumFlags });
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.evaluateOnNewDocument(watchPolicy);
  page.behind = async () => {
    const front = await browser.newPage();
    await front.bringToFront();
    return async () => {
      await front.close();
      await page.bringToFront();
    };
  };
  return { page, close: () => browser.close() };
}
