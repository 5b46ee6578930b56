// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { attend } from '../attend.mjs';
import { equal, ok } from '../check.mjs';
import { catchSaved, saved } from '../files.mjs';

const words = (n) => Array.from({ length: n }, (_, k) => `w${k}`);
const document = (mechanism, n = 16, dim = 16) => ({
  schema: 'attention-playground/1', seed: 5, inputs: { x: { tokens: words(n), features: { type: 'embedding', dim } } },
  mechanism: { type: 'attention', query: { type: 'self-attention' }, ...mechanism },
});
// Both sides are counted as far as they go.
const isCounted = `(find(['ap-growth'])?.sides ?? []).filter(({ grown }) => grown.kept).length === 2`;
const store = `document.querySelector('attention-playground').store`;
const open = async (page, one) => {
  await page.run(`await ${store}.learn(); ${store}.documents.replace(values[0])`, one);
  await page.settled();
  await page.click('ap-header', '[data-place="compare"]');
  await page.until(`return !!find(['ap-efficient', '.middle'])`);
};
const close = (a, b, by = 1e-4) => Math.abs(a - b) <= by;

// Softmax attention and the form's own map, as the native program computes them.
async function maps(one) {
  const form = (await attend(one)).outputs.implied;
  const { core: _, ...mechanism } = one.mechanism;
  return { a: (await attend({ ...one, mechanism })).outputs.weights, b: form };
}

// A curve is under way for longer than a page may otherwise keep one waiting.
async function patient(page, body) {
  for (let k = 0; ; k++) {
    try {
      return await page.until(body);
    } catch (problem) {
      if (k === 5) throw problem;
    }
  }
}

export const efficient = [
  {
    name: 'compare: the implied map, softmax and their difference are the native program\'s, and a knob moves them',
    async run(page) {
      const one = document({ core: { type: 'performer', features: 64 } });
      await open(page, one);
      await page.until(`return find(['ap-implied', 'ap-heat'], true).length === 3`);
      equal(await page.axe(), [], 'axe');
      for (const features of [64, 256]) {
        const now = { ...one, mechanism: { ...one.mechanism, core: { type: 'performer', features } } };
        if (features !== 64) await page.run(`${store}.documents.set('/mechanism/core/features', 256)`);
        await page.settled();
        const { a, b } = await maps(now);
        const shown = await page.run(
          `return find(['ap-implied', 'ap-heat'], true).map((e) => [...e.plane.tensor.data])`);
        ok([a.data, b.data.map((x, k) => x - a.data[k]), b.data].every((wanted, side) =>
          [...wanted].every((x, k) => close(x, shown[side === 0 ? 0 : side][k]))), `maps with ${features} features`);
        const size = await page.run(`return { ...find(['ap-implied', '[data-part="size"]']).dataset }`);
        const gaps = [...b.data].map((x, k) => Math.abs(x - a.data[k]));
        ok(close(Number(size.largest), Math.max(...gaps))
          && close(Number(size.mean), gaps.reduce((x, y) => x + y) / 256), `its size: ${JSON.stringify(size)}`);
      }
      // By keys: a cell is read on the card, locked, and unlocked.
      await page.run(`find(['ap-implied', 'ap-heat', '.stop']).focus()`);
      await page.press('ArrowRight');
      await page.press('Enter');
      const cell = await page.run(`return { ...find(['ap-form-card', '[data-part="cell"]']).dataset }`);
      const { a, b } = await maps({ ...one,
        mechanism: { ...one.mechanism, core: { type: 'performer', features: 256 } } });
      ok(close(Number(cell.a), a.data[1]) && close(Number(cell.b), b.data[1]), `card: ${JSON.stringify(cell)}`);
      ok((await page.text('ap-form-card', 'h2')).includes('w0 → w1'), await page.text('ap-form-card', 'h2'));
      await page.press('Escape');
      equal(await page.count('ap-heat', 'i.locked'), 0, 'unlocked');
      // Look explains the same cell.
      await page.press('Enter');
      await page.click('ap-form-card', '.link');
      await page.until(`return ${store}.view.place === 'look' && !!find(['ap-card', '.big'])`);
      ok(close(Number(await page.run(`return find(['ap-card', '.big']).dataset.value`)), b.data[1]),
        'Look has the number');
    },
  },
  {
    name: 'compare: where the form is exact one line says so, with the difference that was computed',
    async run(page) {
      await open(page, document({ core: { type: 'flash', block: 4 } }));
      await page.until(`return !!find(['ap-implied', '[data-equal]'])`);
      equal(await page.count('ap-implied', 'ap-heat'), 1, 'one map');
      equal(await page.count('ap-knob-error', 'svg'), 0, 'no curve of an error');
      ok(/^Equal/.test(await page.text('ap-implied', '[data-equal]')),
        await page.text('ap-implied', '[data-equal]'));
    },
  },
  {
    name: 'compare: the error is drawn against the form\'s own knob, whose ring sets it',
    async run(page) {
      await open(page, document({ core: { type: 'performer', features: 16 } }, 12, 8));
      await patient(page, `return !!find(['ap-knob-error', '[data-part="sweep"][data-done]']) && `
        + `find(['ap-knob-error', 'circle'], true).length > 6`);
      const points = await page.run(`return find(['ap-knob-error', 'circle'], true).map((e) => [Number(e.dataset.n), `
        + `Number(e.dataset.value)])`);
      ok(points[0][1] > 2 * points.at(-1)[1], `the error falls: ${points}`);
      equal(points.map(([n]) => n), [4, 8, 16, 32, 64, 128, 256, 512, 1024], 'values tried');
      await page.run(`find(['ap-knob-error', '.ring']).focus()`);
      await page.press('ArrowRight');
      await page.settled();
      equal((await page.document()).mechanism.core.features, 17, 'the knob');
      equal(await page.count('ap-knob-error', 'circle'), points.length, 'the curve stays');
    },
  },
  {
    name: 'compare: counts are known at once, times are measured on request, and stopping keeps them',
    async run(page) {
      const one = { core: { type: 'performer' } };
      await open(page, document(one));
      await patient(page, `return ${isCounted}`);
      const counts = await page.run(`return find(['ap-growth', '[data-part="counts"] circle[data-value]'], `
        + `true).map((e) => [Number(e.dataset.n), Number(e.dataset.value)])`);
      const wanted = (await attend(document(one, 64))).cost.context.multiply_adds;
      equal(counts.findLast(([n]) => n === 64), [64, wanted], 'as the native program counts');
      equal(counts.at(-1)[0], 65_536, 'what has a form for it is counted for 65,536 words');
      const crossing = Number(await page.run(`return find(['ap-growth', '[data-part="counts"] .crossing']).dataset.n`));
      ok(crossing > 64 && crossing < 16384, `crossing at ${crossing}`);
      await page.run(`find(['ap-growth', '[data-part="measure"]']).click()`);
      await patient(page, `return find(['ap-growth', '[data-part="times"] circle[data-value]'], true).length > 2`);
      // The page goes on meanwhile: a frame takes no longer than frames do.
      const frame = await page.run(`const began = performance.now(); await new Promise((resolve) => `
        + `requestAnimationFrame(() => requestAnimationFrame(resolve))); return performance.now() - began`);
      ok(frame < 1000, `two frames in ${frame} ms`);
      await page.run(`find(['ap-growth', '[data-part="stop"]'])?.click()`);
      await page.until(`return !find(['ap-growth', 'progress'])`);
      const kept = await page.count('ap-growth', '[data-part="times"] circle[data-value]');
      await page.frames(30);
      equal(await page.count('ap-growth', '[data-part="times"] circle[data-value]'), kept, 'nothing goes on');
    },
  },
  {
    name: 'compare: a bound of what is counted is not taken for the count',
    async run(page) {
      // Which blocks MoBA chooses depends on the data: its count says all pairs, and that this is the most.
      await open(page, document({ core: { type: 'moba' } }));
      const said = async () => {
        await patient(page, `return ${isCounted}`);
        return page.run(`return [...find(['ap-growth', '[data-part="counts"]']).querySelectorAll('p.note')]`
          + `.map((e) => e.textContent.trim())`);
      };
      const bound = 'B: at most this many; the actual number and the measured time depend on the data';
      ok((await said()).includes(bound), `a bound: ${await said()}`);
      await page.run(`${store}.documents.replace(values[0])`, document({ core: { type: 'flash' } }));
      await page.until(`return find(['ap-efficient', 'h2']).textContent.includes('Flash')`);
      await page.until(`return !${isCounted}`);
      ok((await said()).includes('B: not fewer at any size shown'), `a count: ${await said()}`);
    },
  },
  {
    name: 'compare: a link leads here, a phone has room for it, dark colours too',
    view: { width: 360, height: 740, dark: true },
    async run(page, origin) {
      await open(page, document({ core: { type: 'linear' } }));
      await page.until(`return find(['ap-implied', 'ap-heat'], true).length === 3`);
      await page.run(`find(['ap-efficient', '[data-part="many"]']).value = '64'; find(['ap-efficient', `
        + `'[data-part="many"]']).dispatchEvent(new Event('change'))`);
      await page.until(`return find(['ap-implied', 'ap-heat'])?.plane.rows === 64`);
      ok(await page.run(`return globalThis.document.documentElement.scrollWidth <= innerWidth && find(['ap-efficient', `
        + `'.middle']).scrollWidth <= innerWidth`), 'it fits');
      equal(await page.axe(), [], 'axe');
      await page.settled();
      const hash = await page.run('return location.hash');
      const { seen } = JSON.parse(inflateRawSync(Buffer.from(hash.slice(3), 'base64url')).toString());
      equal([seen.place, seen.many], ['compare', 64], `the link: ${hash.length} characters`);
      await page.leave();
      await page.go(`${origin}/${hash}`);
      await patient(page, `return find(['ap-implied', 'ap-heat'])?.plane.rows === 64`);
    },
  },
  {
    name: 'compare: a document without a cheaper form offers every one that can stand in it',
    async run(page) {
      await open(page, document({ alignment: { type: 'softmax' } }));
      const choose = ['ap-efficient', '[data-part="choose"]'];
      await page.click(...choose, 'button');
      await page.until(`return find([...values[0], 'li[data-id]'], true).length > 20`, choose);
      equal(await page.axe(), [], 'axe');
      await page.click(...choose, 'li[data-id="linear"]');
      await page.until(`return find(['ap-implied', 'ap-heat'], true).length === 3`);
      equal((await page.document()).mechanism,
        { type: 'attention', query: { type: 'self-attention' }, core: { type: 'linear' } }, 'the document');
    },
  },
  {
    name: 'compare: from a model a door leads to two single attentions side by side',
    async run(page) {
      const { document: model } = JSON.parse(
        readFileSync(new URL('../../../systems/rnnsearch.json', import.meta.url), 'utf8'));
      await open(page, model);
      await page.until(`return find(['ap-efficient', '[data-part="sides"]'])`);
      await page.click('ap-efficient', '[data-part="sides"]');
      await page.until(`return document.querySelector('attention-playground').store.comparison.on`);
      await page.settled();
      equal(await page.run(`return find(['ap-header', '[data-place="look"]']).getAttribute('aria-current')`), 'page',
        'where both are seen');
      equal(await page.run(`return find(['ap-header', '[data-part="compare"]']).getAttribute('aria-disabled')`), null,
        'it can be compared');
      // Each map is of one head, and what is said of a side names it.
      const heads = () => page.run(`return ['A', 'B'].map((side) =>
        find(['ap-compare', 'figure[data-side="' + side + '"] [data-part="head"]'])?.textContent)`);
      equal(await heads(), ['Head 1 of 4', 'Head 1 of 4'], 'which head is seen');
      await page.run(`document.querySelector('attention-playground').store.selection.choose('head', 2)`);
      await page.frames(2);
      equal(await heads(), ['Head 3 of 4', 'Head 3 of 4'], 'another is chosen');
      await page.choose('/mechanism/score', 'similarity-cosine');
      await page.settled();
      const said = await page.text('ap-story', '[data-part="see"]');
      ok(said.startsWith('In B, head 3: '), said);
    },
  },
  {
    name: 'compare: a model of several modules offers every form with an example of its own',
    async run(page) {
      const { document: model } = JSON.parse(
        readFileSync(new URL('../../../systems/rnnsearch.json', import.meta.url), 'utf8'));
      await open(page, model);
      await page.until(`return find(['ap-efficient', '[data-part="example"] option'], true).length > 20`);
      await page.run(`const menu = find(['ap-efficient', '[data-part="example"]']); menu.value = 'performer'; `
        + `menu.dispatchEvent(new Event('change'))`);
      await page.until(`return find(['ap-implied', 'ap-heat'], true).length === 3`);
      equal((await page.document()).mechanism.core.type, 'performer', 'the example');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).title, 'RNNsearch', 'undo brings the model back');
    },
  },
  {
    name: 'compare: patterns are drawn by what the tensors are: buckets on the tokens, reach, weight by distance',
    async run(page) {
      const one = document({ core: { type: 'reformer', buckets: 4, rounds: 2 } }, 12);
      await open(page, one);
      await page.until(`return find(['ap-patterns', '[data-pattern="classes"] li'], true).length === 24`);
      const shown = await page.run(`return find(['ap-patterns', '[data-pattern="classes"] li'], true).map((e) => `
        + `Number(e.dataset.class))`);
      equal(shown, [...(await attend(one)).outputs.buckets.data], 'buckets');
      equal(await page.axe(), [], 'axe: every name on its shade can be read');
      equal(await page.run(`return find(['ap-patterns', '.steps-key li'], true).length`), 2, 'what its shades mean');
      const kinds = await page.run(`return find(['ap-patterns', 'figure'], true).map((e) => e.dataset.pattern)`);
      ok(kinds.includes('reach') && kinds.includes('distance'), kinds.join());
      await page.run(`${store}.documents.set('/mechanism/core', { type: 'linear' })`);
      await page.settled();
      await page.until(`return find(['ap-patterns', 'figure'], true).map((e) => e.dataset.pattern).join() === `
        + `'distance'`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'compare: the cost of each part adds up to the whole, in the table and in the file',
    async run(page) {
      const one = document({ alignment: { type: 'softmax' } });
      await open(page, one);
      await patient(page, `return !!find(['ap-cost-parts', 'tfoot'])`);
      const table = await page.run(`return find(['ap-cost-parts', 'tr'], true).slice(1).map((row) => `
        + `[...row.querySelectorAll('td')].map((cell) => Number(cell.dataset.value)))`);
      const total = table.at(-1);
      const { cost } = await attend(one);
      equal(total, [cost.multiply_adds, cost.exponentials, cost.bytes], 'as the native program counts');
      equal(table.slice(0, -1).reduce((sum, row) => sum.map((x, k) => x + row[k]), [0, 0, 0]), total, 'the sum');
      await catchSaved(page);
      await page.click('ap-cost-parts', '[data-part="csv"]');
      const file = await saved(page);
      ok(file.name.endsWith('cost.csv') && file.text.trim().endsWith(`total,,${total.join()}`), file.text);
    },
  },
  {
    name: 'compare: of a row that gives nothing no share is said to lie elsewhere, and routing colours its clusters',
    async run(page) {
      const one = document({ core: { type: 'routing', clusters: 4 } }, 24);
      const { clusters, implied } = (await attend(one)).outputs;
      const nobody = [...clusters.data].indexOf(4);
      ok(nobody >= 0 && [...implied.data].slice(24 * nobody, 24 * nobody + 24).every((x) => x === 0), 'a row of zeros');
      await open(page, one);
      const said = () => page.text('ap-implied', '[data-part="size"]');
      await page.until(`return find(['ap-implied', '[data-part="size"]'])`);
      ok((await said()).includes('Rows of B need not sum to 1'), await said());
      await page.until(`return find(['ap-patterns', 'figure[data-pattern="classes"][data-of="clusters"]'])`);
      await open(page, document({ core: { type: 'performer', causal: true } }, 24));
      await page.until(`return find(['ap-efficient', 'h2']).textContent.includes('Performer')`);
      await page.until(`return find(['ap-implied', '[data-part="size"]'])?.textContent.includes('on other keys in B')`);
    },
  },
  {
    name: 'compare: a map in tiles is what stood before the rows of its context were brought to length 1',
    async run(page) {
      await open(page, document({ core: { type: 'yoso', tau: 4 } }, 8, 8));
      await page.run(`${store}.view.show({ many: 4096 })`);
      await patient(page, `return find(['ap-tiled'])?.study.large?.implied(5, 40) !== undefined`);
      const worst = await page.run(`
        const { large } = find(['ap-tiled']).study;
        const { q, k, width } = large.given;
        const row = (x, i) => Array.from(x.subarray(i * width, (i + 1) * width));
        return Math.max(...[[5, 40], [0, 0], [17, 90]].map(([i, j]) => {
          const [a, b] = [row(q, i), row(k, j)];
          const cosine = a.reduce((sum, x, c) => sum + x * b[c], 0) / Math.hypot(...a) / Math.hypot(...b);
          return Math.abs(large.implied(i, j) - (1 - Math.acos(cosine) / Math.PI) ** 4);
        }));`);
      ok(worst < 1e-5, `weights apart by ${worst}`);
    },
  },
  {
    name: 'compare: at 16,384 words maps come in tiles, scrolling and pointing take less than 50 ms',
    async run(page) {
      await open(page, document({ core: { type: 'linear' } }, 8, 8));
      await page.run(`${store}.view.show({ many: 16384 })`);
      await patient(page, `return find(['ap-tiled', '.window'], true).length === 3`);
      const look = (row, col) => page.run(`
        const tiled = find(['ap-tiled']);
        const [first] = find(['ap-tiled', '.window'], true);
        first.scrollTo(values[1] * tiled.zoom, values[0] * tiled.zoom);
        return [first.scrollWidth, first.scrollHeight];`, row, col);
      ok((await look(9000, 12000)).every((size) => size >= 16_384), 'all of it can be scrolled to');
      const here = `const { large } = find(['ap-tiled']).study; return large.softmax(9001, 12002) !== undefined && `
        + `large.implied(9001, 12002) !== undefined;`;
      await patient(page, here);
      // Both maps again, from queries and keys in plain loops.
      const worst = await page.run(`
        const { large } = find(['ap-tiled']).study;
        const { q, k, width, keys } = large.given;
        const phi = (x) => (x > 0 ? x + 1 : Math.exp(x));
        const worst = [0, 0];
        for (const row of [9001, 9010]) {
          const soft = [], lin = [];
          for (let j = 0; j < keys; j++) {
            let [s, t] = [0, 0];
            for (let c = 0; c < width; c++) {
              s += q[row * width + c] * k[j * width + c];
              t += phi(q[row * width + c]) * phi(k[j * width + c]);
            }
            soft.push(Math.exp(s / Math.sqrt(width)));
            lin.push(t);
          }
          const sum = (list) => list.reduce((a, b) => a + b, 0);
          const [a, b] = [sum(soft), sum(lin)];
          for (const j of [12002, 12010]) {
            worst[0] = Math.max(worst[0], Math.abs(large.softmax(row, j) * a / soft[j] - 1));
            worst[1] = Math.max(worst[1], Math.abs(large.implied(row, j) * b / lin[j] - 1));
          }
        }
        return worst;`);
      ok(worst.every((gap) => gap < 1e-3), `numbers apart by ${worst}`);
      // The difference is between the two, and the card tells of the cell that is locked and of its row's largest keys.
      await page.run(`find(['ap-tiled']).study.spot.hold([9001, 12002])`);
      await patient(page, `return find(['ap-form-card', '.bars li'], true).length === 7
        && find(['ap-form-card', '[data-part="cell"]'])?.dataset.b !== undefined`);
      const told = await page.run(`
        const { large } = find(['ap-tiled']).study;
        const { data, here } = large.difference(9001, 12002, 1, 1);
        const { a, b } = find(['ap-form-card', '[data-part="cell"]']).dataset;
        let heavier = 0;
        const { q, k, width, keys } = large.given;
        const score = (j) => {
          let s = 0;
          for (let c = 0; c < width; c++) s += q[9001 * width + c] * k[j * width + c];
          return s;
        };
        const heaviest = large.heaviest(9001).map(({ col }) => col);
        const least = Math.min(...heaviest.map(score));
        for (let j = 0; j < keys; j++) heavier += score(j) > least ? 1 : 0;
        return { gap: data[0], here: here[0], a: Number(a), b: Number(b), heavier };`);
      ok(told.here === 1 && close(told.gap, told.b - told.a, 1e-9) && told.heavier === 6, JSON.stringify(told));
      await page.run(`find(['ap-tiled']).study.spot.hold(undefined)`);
      const times = { scroll: [], hover: [] };
      for (let step = 0; step < 12; step++) {
        await look(9000 + 20 * step, 12000 + 15 * step);
        await page.run(`await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
        await page.hoverAt(['ap-tiled', 'figure[data-side="B"] .window'], 0.3 + step / 50, 0.4);
        for (const name of ['scroll', 'hover'])
          times[name].push(...await page.run(
          `return performance.getEntriesByName(values[0]).map(({ duration }) => duration)`, name));
      }
      // The middle one: what else this machine does at the time is not the page's doing.
      for (const [name, list] of Object.entries(times))
        ok(list.length > 5 && list.toSorted((a, b) => a - b)[list.length >> 1] < 50,
        `${name}: ${list.map((x) => x.toFixed(1))}`);
      ok(/Row \d+, column \d+/.test(await page.text('ap-tiled', '[data-part="cell"]')),
        await page.text('ap-tiled', '[data-part="cell"]'));
      equal(await page.axe(), [], 'axe');
    },
  },
];
