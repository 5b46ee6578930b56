// SPDX-License-Identifier: Apache-2.0
// Measures of maps, and what the nineteenth stranger stumbled over.
import { attend, matrix } from '../attend.mjs';
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const close = (a, b, what, by = 0.006) => ok(Math.abs(a - b) <= by, `${what}: ${a} is not ${b}`);
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
const bits = (row) => row.reduce((sum, w) => sum - (w > 0 ? w * Math.log2(w) : 0), 0);
// Numbers in cells of one measure, in the order of the rows.
const cells = (page, id) => page.run(`return find(['ap-map-table', 'td[data-measure="' + values[0] + '"]'], true)
  .map(({ textContent }) => textContent)`, id);

export const nineteenth = [
  {
    name: 'nineteenth: below a map each row has its measures, which are those of the numbers shown',
    async run(page) {
      await page.until(`return !!find(['ap-map-table', 'summary'])`);
      equal(await page.count('ap-map-table', 'table'), 0, 'nothing is computed before it is asked for');
      await page.click('ap-map-table', 'summary');
      await page.until(`return !!find(['ap-map-table', 'table'])`);
      const { weights } = (await attend(await page.document())).outputs;
      const [map] = weights.shape.length > 2 ? [weights.data.slice(0, weights.shape.at(-1) * weights.shape.at(-2))]
        : [weights.data];
      const cols = weights.shape.at(-1);
      const rows = Array.from({ length: weights.shape.at(-2) }, (_, i) => map.slice(i * cols, (i + 1) * cols));
      const entropy = (await cells(page, 'entropy')).map(Number);
      equal(entropy.length, rows.length + 1, 'a row for each query, and the mean');
      rows.forEach((row, i) => close(entropy[i], bits(row), `entropy of row ${i}`));
      close(entropy.at(-1), mean(rows.map(bits)), 'mean entropy');
      close(Number((await cells(page, 'effective'))[2]), 2 ** bits(rows[2]), 'effective keys of row 2');
      const first = await cells(page, 'first');
      equal(first[0], '–', 'the first word has no other key');
      close(Number(first[3]), rows[3][0], 'row 3 on the first key');
      close(Number((await cells(page, 'itself'))[4]), rows[4][4], 'row 4 on itself');
      close(Number((await cells(page, 'previous'))[4]), rows[4][3], 'row 4 on the word before');
      ok(/^Rank \d+ of 8: \d+ singular values? /.test(await page.text('ap-map-table', '[data-part="rank"]')), 'rank');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'nineteenth: Compare has the same measures of A and B; a refused side says whose map is shown',
    async run(page) {
      await page.click('ap-header', '[data-part="compare"]');
      await page.choose('/mechanism/alignment', 'sparsemax');
      await page.until(`return ${store}.comparison.results()?.a !== ${store}.comparison.results()?.b`);
      const of = (id) => page.run(`return find(['ap-compare', 'tr[data-measure="' + values[0] + '"] td'], true)
        .map(({ textContent }) => Number(textContent.trim().replace('−', '-')))`, id);
      const b = matrix((await attend(await page.document())).outputs.weights);
      const [, effective] = await of('effective');
      close(effective, mean(b.map((row) => 2 ** bits(row))), 'effective keys of B');
      const [one, two, difference] = await of('rank');
      ok(one >= 1 && one <= 8 && two >= 1 && two <= 8 && difference === two - one, `ranks ${one} ${two}`);
      const caption = () => page.text('ap-compare', 'figure[data-side="B"] figcaption');
      const before = await caption();
      await page.run(`${store}.documents.set('/mechanism/score', { type: 'location-based', N: 4 })`);
      await page.until(`return !!find(['ap-compare', '[data-refused="B"]'])`);
      const said = await page.text('ap-compare', '[data-refused="B"]');
      ok(await page.run(`return !find(['ap-compare', '[data-refused="B"]']).hasAttribute('role')`),
        'the panel announces the side that is being edited');
      ok(said.startsWith('B cannot be computed here') && said.includes('the last one that could be computed'), said);
      ok(/sparsemax/i.test(before) && /sparsemax/i.test(await caption()) && !/location/i.test(await caption()),
        `the map of B is called ${await caption()}`);
      await page.run(`const menu = find(['ap-language', 'select']); menu.value = 'de';
        menu.dispatchEvent(new Event('change'))`);
      await page.until(`return /W hat Scores für 4 Positionen; erhöhe N/
        .test(find(['ap-compare', '[data-refused="B"]'])?.textContent.replaceAll(/[\u2066-\u2069]/g, ''))`);
    },
  },
  {
    name: 'nineteenth: Cost draws the effective keys over the length of a text, below the same weight on all',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').dialog('cost')`);
      await page.until(`return !!find(['ap-spread-growth', '[data-part="compute-spread"]'])`);
      await page.click('ap-spread-growth', '[data-part="compute-spread"]');
      for (let k = 0; k < 3; k++) await page.until(`const { lines } = find(['ap-spread-growth']);
        return lines[0]?.lengths.length === 6 && !!find(['ap-spread-growth', '[data-part="compute-spread"]'])`)
        .catch((problem) => { if (k === 2) throw problem; });
      const dots = await page.run(`return find(['ap-spread-growth', '.dot'], true).map(({ dataset }) =>
        [Number(dataset.n), Number(dataset.value)])`);
      equal(dots.map(([n]) => n), [8, 16, 32, 64, 128, 256]);
      for (const [n, value] of dots) ok(value > 1 && value <= n + 1e-6, `${value} effective keys of ${n}`);
      equal(await page.count('ap-spread-growth', 'polygon.band'), 1, 'a band for the three seeds');
    },
  },
  {
    first: true,
    name: 'nineteenth: another sentence of the translator is one that it reads, and unknown words are named',
    async run(page) {
      await page.clickAt(['ap-matrix[data-tensor="decoder.weights"]'], 2.5 / 5, 2.5 / 6);
      await page.until(`return !!find(['ap-elsewhere', 'textarea'])`);
      const asks = await page.run(`return find(['ap-elsewhere', 'textarea']).placeholder`);
      ok(asks.includes('they see the red car'), asks);
      const type = (text) => page.run(`const box = find(['ap-elsewhere', 'textarea']); box.value = values[0];
        box.dispatchEvent(new Event('input'))`, text);
      const unknown = `find(['ap-elsewhere', '[data-part="unknown-words"][role="status"]']).textContent`;
      equal(await page.run(`return ${unknown}`), '', 'a status that is there before it has words');
      await type('elle voit la voiture.');
      await page.until(`return ${unknown}.includes('“voiture”')`);
      ok(!(await page.run(`return ${unknown}`)).includes('“.”'), 'punctuation is left out beside words');
      await type('she sees the car');
      await page.until(`return ${unknown} === ''`);
    },
  },
  {
    first: true,
    name: 'nineteenth: a lesson that is chosen has the focus, and its first stop is its own',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').dialog('learn')`);
      await page.until(`return !!find(['ap-lesson-list', '[data-lesson="causal"]'])`);
      await page.click('ap-lesson-list', '[data-lesson="causal"]');
      await page.until(`return !!find(['ap-lesson', 'h2'])`);
      await page.until(`let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at === find(['ap-lesson', 'h2'])`);
    },
  },
];
