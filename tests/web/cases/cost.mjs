// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { attend } from '../attend.mjs';
import { equal, ok } from '../check.mjs';
import { catchSaved, saved } from '../files.mjs';

const store = `document.querySelector('attention-playground').store`;

const open = async (page) => {
  await page.run(`document.querySelector('attention-playground').dialog('cost')`);
  await page.until(`return find(['ap-cost', 'ap-growth'])?.sides.length > 0`);
};
// Sizes and exponents as the dialog shows them; how long anything took is the machine's business.
const rest = async (page) => {
  for (let k = 0; k < 4; k++) {
    try {
      return await page.until(`return !find(['ap-growth', 'progress'])
        && !!find(['ap-growth', '[data-part="times"] .plot svg'])`);
    } catch (problem) {
      if (k === 3) throw problem;
    }
  }
  return undefined;
};
const stop = async (page) => {
  await page.run(`find(['ap-growth', '[data-part="stop"]'])?.click()`);
  await page.until(`return !find(['ap-growth', 'progress'])`);
};
const curves = (page) => page.run(`return find(['ap-cost', 'ap-growth']).sides.map(({ letter, name, grown }) =>
  ({ letter, name: name(), rows: grown.times.map(({ n, ms, numbers, runs }) => [n, ms, numbers, runs]) }))`);

// Whether the times of the four largest sizes lie on a line of logarithms, before memory falls: a machine that is busy
// with something else bends it, and then the page tells of no power.
function isStraight(samples) {
  const end = samples.findIndex(([, , numbers], k) => k > 0 && numbers < samples[k - 1][2]);
  const last = (end < 0 ? samples : samples.slice(0, end)).slice(-4).map(([n, ms]) => [Math.log(n), Math.log(ms)]);
  if (last.length < 4) return false;
  const [x, y] = [0, 1].map((k) => last.reduce((sum, point) => sum + point[k], 0) / last.length);
  const slope = last.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
    / last.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return last.every(([a, b]) => Math.abs(b - y - slope * (a - x)) <= 0.3);
}

function checkCurve({ rows }) {
  ok(rows.length >= 3, `${rows.length} sizes`);
  rows.forEach(([n, ms, numbers, runs], k) => {
    equal(n, 8 * 2 ** k, 'sizes double');
    ok(ms > 0 && numbers > 0 && runs >= 1, `n = ${n}: ${ms} ms, ${numbers} numbers, ${runs} runs`);
    // Very large maps are not kept, so that from there on there are fewer.
    if (k > 0 && n <= 512) ok(numbers > rows[k - 1][2], `more words, more numbers: ${numbers} after ${rows[k - 1][2]}`);
  });
}

export const cost = [
  {
    name: 'cost: growth is measured here, drawn over n, told as a power, and again on request',
    async run(page) {
      await page.click('ap-header', '[data-dialog="cost"]');
      await page.until(`return find(['ap-cost', 'ap-growth'])?.sides.length > 0`);
      await rest(page);
      equal(await page.axe(), [], 'axe');
      const [curve] = await curves(page);
      checkCurve(curve);
      for (const part of ['times', 'memory']) {
        equal(await page.count('ap-growth', `[data-part="${part}"] .plot circle`), curve.rows.length, 'a point a size');
        equal(await page.run(`return find(['ap-growth', '[data-part="${part}"] tbody th'], true)
          .map((one) => one.textContent)`), curve.rows.map(([n]) => n.toLocaleString('en')), 'a row a size');
      }
      const text = await page.text('ap-growth', '[data-part="powers"]') ?? '';
      equal(text !== '', isStraight(curve.rows), `told: ${JSON.stringify(curve.rows)}`);
      if (text !== '') {
        const [, time, memory] = /n(\S+) and memory like n([^. ]+)/.exec(text)
          ?.map((part) => part.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit))
            .replace('·', '.')) ?? [];
        ok(Number(time) > -0.5 && Number(time) < 4, text);
        ok(Number(memory) > 0.9 && Number(memory) < 2.1, text);
      }
      await page.click('ap-growth', '[data-part="measure"]');
      // That it comes to its end was seen: here, that it begins again with the smallest size.
      await page.until(`return !!find(['ap-growth', 'progress'])
        && find(['ap-growth', '[data-part="times"] tbody tr'], true).length > 2`);
      await stop(page);
      checkCurve((await curves(page))[0]);
    },
  },
  {
    name: 'cost: stopping ends it and keeps what was measured; the page itself went on',
    async run(page) {
      await open(page);
      await page.until(`return find(['ap-growth', '[data-part="times"] .plot circle'], true).length > 0
        && !!find(['ap-growth', 'progress'])`);
      await stop(page);
      const before = await curves(page);
      ok(before[0].rows.length >= 1, 'something was kept');
      ok((await page.text('ap-growth', '[data-part="times"]')).includes('Stopped'), 'it says so');
      await page.frames(30);
      equal(await curves(page), before, 'nothing goes on');
      ok(
        await page.run(
        `return document.querySelector('attention-playground').store.sessions.result.all('outputs').length > 0`),
        'the page has its numbers');
    },
  },
  {
    name: 'cost: a system of several modules is called by its title, and growth is told when all sizes were measured',
    async run(page) {
      const system = JSON.parse(readFileSync(new URL('../../../systems/rnnsearch.json', import.meta.url), 'utf8'));
      await page.run(`document.querySelector('attention-playground').store.documents.replace(values[0])`,
        system.document);
      await page.settled();
      await open(page);
      await page.until(`return find(['ap-growth', '[data-part="times"] tbody tr'], true).length > 3`);
      if ((await page.count('ap-growth', 'progress')) > 0)
        equal(await page.count('ap-growth', '[data-part="powers"]'), 0, 'too early to say');
      await stop(page);
      const [{ name, rows }] = await curves(page);
      equal(name, 'RNNsearch', 'its name');
      const told = await page.text('ap-growth', '[data-part="powers"]') ?? '';
      equal(told.startsWith('RNNsearch: '), isStraight(rows), `told: ${told} ${JSON.stringify(rows)}`);
    },
  },
  {
    name: 'cost: two mechanisms that are compared are both measured; a phone and another language have room for it',
    view: { width: 360, height: 740 },
    async run(page) {
      await page.run(`document.querySelector('attention-playground').store.comparison.start((d) => { `
        + `d.mechanism.alignment = { type: 'sparsemax' }; })`);
      await page.settled();
      await open(page);
      await rest(page);
      const both = await curves(page);
      equal(both.map(({ letter, name }) => `${letter} ${name}`), ['A Softmax with temperature', 'B Sparsemax'],
        'curves');
      both.forEach(checkCurve);
      // A letter at the end of each line says whose it is, and n and n² have room for their names.
      const letters = await page.run(`return find(['ap-growth', '.letter'], true).map((one) => one.textContent)`);
      // Which of them lies higher is the machine's business.
      equal([letters.slice(0, 2), letters.slice(2)].map((all) => all.toSorted().join('')), ['AB', 'AB'], 'letters');
      const guides = await page.run(`return find(['ap-growth', '[data-guide]'], true)
        .map((one) => one.getBoundingClientRect()).map(({ left, top }) => [Math.round(left), Math.round(top)])`);
      for (const [n, square] of [guides.slice(0, 2), guides.slice(2)])
        ok(Math.hypot(n[0] - square[0], n[1] - square[1]) > 12, `${n} and ${square} apart`);
      equal(await page.axe(), [], 'axe');
      ok(await page.run(`const box = find(['ap-cost'])?.getBoundingClientRect(); return box.width <= innerWidth && `
        + `document.documentElement.scrollWidth <= innerWidth`), 'it fits');
    },
  },
  {
    name: 'cost: of A and B the cost of each part says whose part it is, on a phone too',
    view: { width: 360, height: 740 },
    async run(page) {
      const words = Array.from({ length: 16 }, (_, k) => `w${k}`);
      const [one, other] = ['softmax', 'sparsemax'].map((type) => ({
        schema: 'attention-playground/1', seed: 5,
        inputs: { x: { tokens: words, features: { type: 'embedding', dim: 16 } } },
        mechanism: { type: 'attention', query: { type: 'self-attention' }, alignment: { type } },
      }));
      await page.run(`${store}.documents.begin(values[0])`, one);
      await page.settled();
      await page.run(`${store}.comparison.start((draft) => { draft.mechanism.alignment = { type: 'sparsemax' }; })`);
      await page.settled();
      await open(page);
      for (const [side, its, name] of [['A', one, 'Softmax'], ['B', other, 'Sparsemax']]) {
        const table = `find(['ap-cost-parts', 'ap-cost-table[data-side="${side}"]'])`;
        await page.until(`return !!${table}?.shadowRoot.querySelector('tfoot')`);
        const { cost } = await attend(its);
        equal(await page.run(`return [...${table}.shadowRoot.querySelectorAll('tfoot td')]
          .map((cell) => Number(cell.dataset.value))`), [cost.multiply_adds, cost.exponentials, cost.bytes], side);
        equal(await page.run(`return ${table}.shadowRoot.querySelector('h3').textContent`),
          `What each part of ${side} costs: ${name}`, 'whose it is');
      }
      await catchSaved(page);
      await page.click('ap-cost-table[data-side="B"]', '[data-part="csv"]');
      const file = await saved(page);
      ok(file.name.endsWith('-b-cost.csv'), file.name);
      await page.run(`find(['ap-growth', '[data-part="stop"]'])?.click()`);
      equal(await page.axe(), [], 'axe');
      ok(await page.run(`return document.documentElement.scrollWidth <= innerWidth`), 'it fits');
    },
  },
  {
    name: 'cost: an encoder and decoder keeps rows of what it writes; a model that needs all words at once says so',
    async run(page) {
      const put = (name) => page.run(`document.querySelector('attention-playground').store.documents`
        + `.replace(values[0])`, JSON.parse(readFileSync(new URL(`../../../systems/${name}.json`, import.meta.url),
        'utf8')).document);
      await put('transformer');
      await page.settled();
      await open(page);
      const bytes = await page.until(`const cells = find(['ap-kept', 'td[data-bytes]'], true);
        return cells.length > 0 && cells.map((one) => Number(one.dataset.bytes));`);
      // Two layers keep a key and a value of eight numbers of four bytes for each word.
      equal(bytes, [128, 1024, 16_384].map((n) => n * 2 * 2 * 8 * 4), 'bytes of the words that it writes');
      const about = await page.text('ap-kept', '[data-part="besides"]');
      ok(/“target”.*“source”/.test(about), `what is counted: ${about}`);
      await page.run(`find(['ap-growth', '[data-part="stop"]'])?.click()`);
      await page.press('Escape');
      await put('bert');
      await page.settled();
      await open(page);
      const nothing = await page.until(`return find(['ap-kept', '[data-part="nothing"]'])?.textContent`);
      ok(nothing.includes('all words at once'), nothing);
    },
  },
];
