// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { equal, ok } from '../check.mjs';

const built = fileURLToPath(new URL('../../../build/web', import.meta.url));
// All that may be fetched before the first interaction, the engine included.
const BUDGET = 670 * 1024;
// The first picture: the page itself. (The engine's own budget: tests/node/builds.test.mjs.)
const WITHOUT_ENGINE = 150 * 1024;
// What is fetched only once somebody turns to the page, or another document is shown.
const LATER =
  /gallery|take|bring|share-|katex-\w|hash|dialog|compare|walking|sampling|pictures|views|lessons|player|-latin-/;

/** What the first visit fetches, as a server with gzip sends it; fonts are compressed already. */
async function fetched(page) {
  await page.quiet();
  const paths = await page.run(`
    return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)`);
  const all = [...new Set(['/index.html', ...paths, ...fromWorker()])].filter((path) =>
    /\.(html|js|mjs|css|wasm|woff2|svg|safetensors)$/.test(path));
  return all.map((path) => {
    const bytes = readFileSync(join(built, path));
    return { path, size: path.endsWith('.woff2') ? bytes.length : gzipSync(bytes, { level: 9 }).length };
  });
}

// The worker's own requests are not among the page's entries: its module and the engine, in one of its two builds.
function fromWorker() {
  const files = readdirSync(join(built, 'assets')).map((file) => `/assets/${file}`);
  const larger = files.filter((file) => /\/attention(-relaxed)?-[^/]*\.wasm$/.test(file))
    .toSorted((a, b) => statSync(built + b).size - statSync(built + a).size)[0];
  return [...files.filter((file) => /\/worker-.*\.js$/.test(file)), larger];
}

const sum = (files) => files.reduce((total, { size }) => total + size, 0);

export const firstVisit = [
  {
    first: true,
    name: 'first visit: what the page fetches beside the engine stays small',
    async run(page) {
      const files = (await fetched(page)).filter(({ path }) => !/KaTeX_.*\.woff2$/.test(path));
      const rest = files.filter(({ path }) => !path.endsWith('.wasm'));
      console.log(`     ${(sum(rest) / 1024).toFixed(0)} KB beside an engine of ${((sum(files) - sum(rest)) / 1024)
        .toFixed(0)} KB`);
      ok(rest.length > 4, 'files were seen');
      ok(sum(rest) <= WITHOUT_ENGINE,
        `${sum(rest)} bytes: ${rest.map(({ path, size }) => `${path} ${size}`).join(', ')}`);
      for (const { path, size } of rest)
        ok(size < 20 * 1024 || /(element|shared)-/.test(path), `${path} is a large piece: ${size}`);
      for (const { path } of rest) ok(!LATER.test(path), `${path} is fetched before it is wanted`);
    },
  },
  {
    first: true,
    name: 'first visit: at most 670 KB compressed before the first interaction, engine included',
    async run(page) {
      // The fonts of formulas may follow.
      const files = (await fetched(page)).filter(({ path }) => !/KaTeX_.*\.woff2$/.test(path));
      ok(sum(files) <= BUDGET, `${sum(files)} bytes: ${files.toSorted((a, b) => b.size - a.size)
        .map(({ path, size }) => `${path} ${size}`).join(', ')}`);
    },
  },
  {
    first: true,
    name: 'first visit: formulas stand before KaTeX, which comes with the first move, and do not change by it',
    async run(page) {
      const boxes = () => page.run(`return find(['.katex-html'], true).flatMap((one) => {
        const at = one.getBoundingClientRect();
        return [...one.querySelectorAll('*')].map((e) =>
          { const b = e.getBoundingClientRect();
          return [e.getAttribute('class'), b.x - at.x, b.y - at.y, b.width,
          b.height].map((x) => (typeof x === 'number' ? Math.round(x * 4) / 4 : x)).join(' '); });
      })`);
      const same = (now, before, what) => {
        equal(now.length, before.length, `pieces, ${what}`);
        equal(now.filter((box, k) => box !== before[k]).slice(0, 3),
          before.filter((box, k) => box !== now[k]).slice(0, 3), what);
      };
      await page.run(`await document.fonts.ready`);
      // What was drawn with one font may ask for the next.
      await page.frames(4);
      await page.until(`return document.fonts.status === 'loaded'`);
      const came = () => page.run(`return performance.getEntriesByType('resource').some((entry) => `
        + `/\\/katex-[^/]*\\.js$/.test(entry.name))`);
      ok(!(await came()), 'KaTeX is here before anybody moved');
      const before = await boxes();
      ok(before.length > 200, `${before.length} pieces of formulas`);
      await page.driver.mouse.move(300, 300);
      await page.until(`return performance.getEntriesByType('resource').some((entry) => `
        + `/\\/katex-[^/]*\\.js$/.test(entry.name))`);
      await page.settled();
      await page.driver.mouse.move(1, 1);
      await page.settled();
      same(await boxes(), before, 'with all styles');
    },
  },
  {
    first: true,
    name: 'first visit: callouts say what to try, and go when it was tried',
    async run(page, origin) {
      const seen = () => page.run(`return find(['ap-callout'], true).filter((e) => !e.hasAttribute('gone') && `
        + `!e.hasAttribute('spent')).map((e) => e.hint).toSorted()`);
      equal(await seen(), ['choice', 'words'], 'at first');
      const covered = await page.run(`
        const hints = find(['ap-callout', '.callout'], true).map((e) => e.getBoundingClientRect());
        const others = find(['ap-menu .open, .chip, ap-knob input, ap-matrix'],
          true).map((e) => e.getBoundingClientRect()).filter((b) => b.width > 0);
        return hints.some((a) => others.some((b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom
          && b.top + 1 < a.bottom));`);
      ok(!covered, 'a callout covers something');
      const place = () => page.run(`return find(['ap-matrix[data-tensor$="weights"]']).getBoundingClientRect().top`);
      const before = await place();
      await page.click('ap-tokens', '.chip');
      equal(await seen(), ['choice'], 'a word was pressed');
      await page.run(`document.querySelector('attention-playground').shadowRoot.querySelector('.middle `
        + `.scroll').scrollTop = 0`);
      equal(await place(), before, 'nothing moves under the pointer');
      await page.click('ap-callout:not([gone])', 'button');
      equal((await seen()).length, 0, 'the other dismissed');
      await page.leave();
      await page.go(`${origin}/`);
      equal((await seen()).length, 0, 'remembered');
    },
  },
  {
    first: true,
    name: 'first visit: a sentence that is chosen or typed is translated, in one step of undo',
    async run(page) {
      const words = (name) => page.run(`return document.querySelector('attention-playground').store.documents.document`
        + `.inputs.${name}.tokens`);
      const settled = () => page.until(`const { store } = document.querySelector('attention-playground');
        return !store.sessions.busy && !store.writer.writing && store.sessions.result.all('outputs')
          .some((t) => t.role === 'weights'
            && t.shape.at(-2) === store.documents.document.inputs.target.tokens.length);`);
      const before = await words('target');
      const sentence = await page.text('ap-inputs', '[data-sample]');
      await page.click('ap-inputs', '[data-sample]');
      await page.until(`return JSON.stringify(document.querySelector('attention-playground').store.documents.document`
        + `.inputs.target.tokens) !== '${JSON.stringify(before).replaceAll("'", "\\'")}'`);
      await settled();
      equal((await words('source')).join(' '), sentence, 'the sentence that was chosen');
      const written = await words('target');
      ok(written.at(-1) === '<end>' && written.length > 2, `it wrote ${written.join(' ')}`);
      ok((await page.text('ap-story', '[data-part="see"]')).includes(' looks at '), 'what to see in it is said');
      await page.click('ap-header', '[aria-label="Undo"]');
      await settled();
      equal([await words('source'), await words('target')], [['I', 'love', 'you'], before], 'one step of undo');
    },
  },
];
