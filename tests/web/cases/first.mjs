// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { attend } from '../attend.mjs';
import { equal, ok } from '../check.mjs';

const built = fileURLToPath(new URL('../../../build/web', import.meta.url));
// All that may be fetched before the first interaction, the engine included.
const BUDGET = 591 * 1024;
// The first picture: the page itself. (The engine's own budget: tests/node/builds.test.mjs.)
const WITHOUT_ENGINE = 181 * 1024;
// What is fetched only once somebody turns to the page, or another document is shown.
const LATER =
  /gallery|take|bring|share-|katex-\w|hash|dialog|compare|walk-step|sampling|pictures|views|lessons|player|-latin-/;

// What the command line measured of the weights that the page opens on.
const { accuracy, alignment, agrees } = JSON.parse(readFileSync(
  new URL('../../experiment/trained.json', import.meta.url), 'utf8')).translate.half;
const half = { accuracy, alignment, agrees };

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

// The worker's own requests are not among the page's entries: its module and the engine's first part, in one of its two
// builds. The other part comes with the first thing that the engine is asked (web/test/second-part.test.ts).
function fromWorker() {
  const files = readdirSync(join(built, 'assets')).map((file) => `/assets/${file}`);
  const larger = files.filter((file) => /\/attention(-relaxed)?-first-[^/.]*\.wasm$/.test(file))
    .toSorted((a, b) => statSync(built + b).size - statSync(built + a).size)[0];
  return [...files.filter((file) => /\/worker-.*\.js$/.test(file)), larger];
}

const sum = (files) => files.reduce((total, { size }) => total + size, 0);

// What is seen to move while the page draws itself, as the browser counts it.
const moves = ([name, width, height, language]) => ({
  first: true,
  only: 'chromium',
  view: { width, height },
  name: `first visit: nothing moves while the page draws itself: ${name}`,
  async run(page, origin) {
    await page.run(`localStorage.setItem('attention-playground.language', values[0])`, language);
    await page.leave();
    await page.go(`${origin}/`);
    await page.frames(4);
    const { moved, drawn } = await page.run(`const found = (type) => new Promise((resolve) => {
        const watch = new PerformanceObserver((list) => resolve(list.getEntries()));
        watch.observe({ type, buffered: true });
        setTimeout(resolve, 500, []);
      });
      return { moved: (await found('layout-shift')).map(({ value, sources }) => [value, ...sources.map(
          ({ previousRect, currentRect }) => [previousRect.toJSON(), currentRect.toJSON()])]),
        drawn: (await found('paint')).length };`);
    ok(drawn > 0, 'the browser tells of what it draws');
    equal(await page.run('return document.documentElement.lang'), language);
    // The letters of a formula may come a moment after it and move its terms by a pixel or two.
    ok(moved.reduce((total, [value]) => total + value, 0) < 0.001, `moved: ${JSON.stringify(moved)}`);
  },
});

// A narrow page has other edges, and so another width for its picture: neither of both may lead to the other.
const settles = (width) => ({
  first: true,
  view: { width, height: 780 },
  name: `first visit: the picture has one width on a page of ${width} pixels`,
  async run(page) {
    const widths = await page.run(`const seen = [];
      for (let k = 0; k < 40; k++) {
        seen.push(find(['ap-flow']).width);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return [...new Set(seen)];`);
    equal(widths.length, 1, `widths: ${widths}`);
  },
});

export const firstVisit = [
  ...[604, 614].map(settles),
  ...[['wide', 1440, 900, 'en'], ['narrow', 360, 780, 'en'], ['Arabic', 1440, 900, 'ar']].map(moves),
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
    name: 'first visit: at most 591 KB compressed before the first interaction, engine included',
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
      const room = () => page.run(`return find(['ap-callout'], true).filter((e) => e.offsetHeight > 0).length`);
      ok((await room()) > 0, 'what was just tried leaves its room');
      await page.decoder();
      equal(await room(), 0, 'which another document does not keep');
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
      ok((await page.text('ap-margin', 'ul')).includes(' attends to '), 'what to notice is said');
      equal(await page.text('ap-inputs', '.wrote b'),
        written.slice(0, -1).join(' ').replaceAll("' ", "'"), 'the answer as it is read');
      await page.click('ap-header', '[aria-label="Undo"]');
      await settled();
      equal([(await words('source')).join(' '), await words('target')], ['they see the red car', before],
        'one step of undo');
    },
  },
  {
    first: true,
    name: 'first visit: notes stand beside their rows and outline them, and one press asks how a row was computed',
    async run(page) {
      const at = (...chain) => page.run(`const { top, bottom, left, right } = find(values[0]).getBoundingClientRect();
        return { top, bottom, left, right }`, chain);
      const mapAt = () => at('ap-matrix[data-tensor="decoder.weights"]');
      const map = await mapAt();
      const row = (map.bottom - map.top) / 6;
      const frame = async (from, to, what) => {
        // What is pointed at is scrolled to first.
        const now = await mapAt();
        const { top, bottom } = await at('ap-margin-frame', '[data-part="begin"]');
        ok(Math.abs(top - now.top - from * row) < 5 && Math.abs(bottom - now.top - (to + 1) * row) < 5, what);
      };
      await frame(2, 2, 'the row where to begin');
      const notes = await page.run(`return find(['ap-margin', 'li'], true).map((e) => e.getBoundingClientRect())
        .map(({ top, bottom, left }) => ({ top, bottom, left }))`);
      equal(notes.length, 4, 'four notes');
      for (const [k, from] of [1, 2, 3, 5].entries())
        ok(notes[k].left > map.right && Math.abs(notes[k].top - map.top - from * row) < row / 2,
          `note ${k} beside row ${from}`);
      ok(notes.slice(1).every(({ top }, k) => notes[k].bottom <= top + 1), 'none over another');
      await page.hoverAt(['ap-margin', '[data-note="3"]'], 0.5, 0.5);
      await frame(3, 4, 'two rows while their note is pointed at');
      equal(await page.count('ap-matrix[data-tensor="decoder.context"]'), 0, 'the weights alone');
      await page.click('ap-margin', '[data-note="2"]');
      ok((await page.text('ap-card', 'h2')).includes('la → the'), await page.text('ap-card', 'h2'));
      await page.click('ap-flow', '[data-part="how"]');
      equal(await page.count('ap-matrix[data-tensor="decoder.context"]'), 1, 'what is behind them');
      await page.until(`return location.hash.length > 2`);
      const link = await page.run(`return location.href`);
      await page.leave();
      await page.go(link);
      await page.until(`return find(['ap-matrix[data-tensor="decoder.context"]']) !== undefined`);
      ok((await page.text('ap-card', 'h2')).includes('la → the'), 'the link brings it back');
    },
  },
  {
    first: true,
    name: 'first visit: questions with pictures of what they compute lead to a lesson, a place and a dialog',
    async run(page) {
      // Each is drawn when it comes into sight.
      const pictures = await page.run(`return find(['ap-doors', 'canvas'], true).length`);
      for (let k = 0; k < pictures; k++) {
        await page.run(`find(['ap-doors', 'canvas'], true)[values[0]].scrollIntoView({ block: 'center' })`, k);
        await page.frames(2);
      }
      const drawn = await page.run(`return find(['ap-doors', 'canvas'], true).map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size; })`);
      ok(drawn.length >= 10 && drawn.every((colours) => colours > 2), `colours of each picture: ${drawn}`);
      const below = await page.run(`return find(['ap-doors']).getBoundingClientRect().top
        > find(['ap-matrix[data-tensor="decoder.weights"]']).getBoundingClientRect().bottom`);
      ok(below, 'they stand below the map');
      await page.click('ap-doors', '[data-door="embed"]');
      await page.until(`return find(['dialog[open]']) !== undefined`);
      await page.press('Escape');
      await page.click('ap-doors', '[data-door="root"]');
      await page.until(`return !!find(['ap-lesson', '.do'])`);
      equal(await page.count('ap-doors', 'button'), 0, 'not beside a lesson');
      await page.run(`document.querySelector('attention-playground').store.view.show({ lesson: undefined })`);
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.click('ap-doors', '[data-door="learn"]');
      await page.until(`return !!find(['ap-train'])`);
    },
  },
  {
    first: true,
    name: 'the idle card says how well the model does and what it is not, and no more once the model is another',
    async run(page) {
      const figures = () => page.run(`return find(['ap-card', '[data-part="figures"] dd'], true)
        .map((e) => parseFloat(e.textContent))`);
      const shown = Object.values(half).map((share) =>
        share < 1 ? Math.min(Math.round(1000 * share) / 10, 99.9) : 100); // not all right is never 100
      equal(await figures(), shown, 'as measured');
      const not = await page.text('ap-card', '[data-part="not"]');
      const { model } = await page.document();
      ok(not.includes(`knows ${model[0].vocabulary.length - 3} English words`), not);
      equal(await page.count('ap-card', 'ap-math'), 0, 'formulas belong to the panel');
      await page.click('ap-card', '[data-part="beyond"]');
      await page.until(`const { store } = document.querySelector('attention-playground');
        const { source, target } = store.documents.document.inputs;
        return !store.sessions.busy && !store.writer.writing && source.tokens.length === 7
          && target.tokens[0] === 'elle'`);
      equal((await figures()).length, 3, 'other words, the same model');
      await page.run(`document.querySelector('attention-playground').store.documents.set(`
        + `'/model/3/attention/alignment', 'sparsemax')`);
      await page.settled();
      equal((await figures()).length, 0, 'another model was never measured');
      ok((await page.text('ap-card', '[data-part="figures"]')).includes('no longer apply'), 'and it says so');
      await page.decoder();
      await page.run(`document.querySelector('attention-playground').store.selection.hold(undefined)`);
      await page.settled();
      const untrained = await page.text('ap-card', '[data-part="not"]');
      const { parameters } = await attend(await page.document());
      const drawn = Object.values(parameters).flat(Infinity).length;
      ok(untrained.includes(`${drawn.toLocaleString('en')} parameters were drawn from seed 511`),
        `${drawn}: ${untrained}`);
    },
  },
];
