// SPDX-License-Identifier: Apache-2.0
// Long sentences, one matrix enlarged, one word through all heads, what rows say; rows and words changed by one action;
// scales held.
import { attend, matrix, same, slice } from '../attend.mjs';
import { compare, equal, ok } from '../check.mjs';
import { catchSaved, saved } from '../files.mjs';

const store = `document.querySelector('attention-playground').store`;
const words = (n) => Array.from({ length: n }, (_, k) => `word${k}`);
const bits = (row) => row.reduce((sum, w) => sum - (w > 0 ? w * Math.log2(w) : 0), 0);
const close = (a, b, what) => ok(Math.abs(a - b) <= 0.006, `${what}: ${a} is not ${b}`);

// What stands beside the rows of the enlarged weights.
const beside = (page, part) =>
  page.run(`return find([values[0], '.facts > div'], true).map((row) => [...row.querySelectorAll('span')].map((s) => `
  + `s.textContent.trim()))`, part);

export const long = [
  ...[1440, 390].map((width) => ({
    name: `a fraction of forty terms fits its card at ${width} px, and says what it leaves out`,
    view: { width },
    async run(page) {
      const document = { schema: 'attention-playground/1', seed: 5,
        inputs: { x: { tokens: Array.from({ length: 40 }, (_, k) => `w${k}`),
          features: { type: 'embedding', dim: 8 } } },
        mechanism: { type: 'attention', query: { type: 'self-attention' } } };
      await page.run(`const { store } = document.querySelector('attention-playground');
        store.documents.begin(values[0]);`, document);
      await page.settled();
      await page.run(`document.querySelector('attention-playground').store.selection.hold(values[0])`,
        { group: 'outputs', tensor: 'weights', index: [3, 7] });
      await page.settled();
      const rest = await page.until(`return find(['ap-card', '[data-part="rest"]'])?.textContent`);
      const { data } = (await attend({ ...document, outputs: ['scores'] })).outputs.scores;
      const row = data.slice(3 * 40, 4 * 40).map((score, j) => ({ j, power: Math.exp(score) }));
      const kept = new Set([7, ...row.filter(({ j }) => j !== 7).sort((a, b) => b.power - a.power).slice(0, 2)
        .map(({ j }) => j)]);
      const left = row.filter(({ j }) => !kept.has(j)).reduce((sum, { power }) => sum + power, 0);
      equal(rest, `…: 37 more keys, together ${left.toFixed(3)}`, 'the rest');
      const [room, wide] = await page.until(`const math = find(['ap-card', '[data-part="numbers"]']);
        return math?.clientWidth > 0 && [math.clientWidth, math.scrollWidth]`);
      ok(wide <= room, `${wide} in ${room}`);
    },
  })),
  {
    name: 'a sentence of 40 words has all its names, what each row says, and a lens with numbers',
    async run(page) {
      await page.run(`${store}.documents.set('/inputs/x/tokens', values[0])`, words(40));
      await page.settled();
      await page.until(`return find(['[data-part="large"]', '.rows span'], true).length === 40`);
      // Of the columns as many names as have room, with the chosen one: every second one or so, and none upon another.
      const named = await page.run(`return find(['[data-part="large"]', '.cols .slant'], true).map((e) =>
        [e.textContent, parseFloat(e.style.left)])`);
      const at = named.map(([name]) => words(40).indexOf(name));
      ok(at[0] <= 1 && at.slice(1).every((j, k) => j > at[k] && j - at[k] <= 3), `columns ${at}`);
      ok(named.slice(1).every(([, left], k) => left - named[k][1] >= 16), `names collide: ${JSON.stringify(named)}`);
      equal(await page.run(`return find(['[data-part="large"]', '.rows span'], true).map((e) => e.textContent)`),
        words(40), 'rows');
      const weights = matrix((await attend(await page.document())).outputs.weights);
      const facts = await beside(page, '[data-part="large"]');
      equal(facts.length, 40, 'rows that say something');
      ok(await page.run(`const { scrollWidth, clientWidth } = find(['[data-part="large"]', '.sheet']); return `
        + `scrollWidth <= clientWidth`), 'all of it is seen without scrolling to the side');
      facts.forEach(([entropy, keys, most], i) => {
        const largest = weights[i].indexOf(Math.max(...weights[i]));
        close(Number(entropy), bits(weights[i]), `entropy of row ${i}`);
        equal(Number(keys), weights[i].filter((w) => w !== 0).length, `keys of row ${i}`);
        ok(most.startsWith(`word${largest} `), `row ${i} attends most to ${most}, computed: word${largest}`);
      });
      // The lens keeps no empty room, and what stands below stays where it is while one points.
      await page.run(`${store}.selection.hold(undefined)`);
      await page.settled();
      const below = () => page.run(`return find(['[data-part="large"]'])?.nextElementSibling.getBoundingClientRect().top
        - find(['[data-part="large"]', '.sheet']).getBoundingClientRect().bottom`);
      const stood = await below();
      ok(stood < 120, `a hole of ${stood} px below the map`);
      await page.hoverAt(['[data-part="large"]', 'ap-matrix[data-tensor="weights"]'], 10.5 / 40, 20.5 / 40);
      equal(await below(), stood, 'nothing moves');
      const lens = await page.until(`return find(['[data-part="large"]', 'ap-lens', 'tbody tr'], true).length === 7 && `
        + `find(['[data-part="large"]', 'ap-lens', 'tbody tr'], true).map((row) => `
        + `[row.querySelector('th').textContent, ...[...row.querySelectorAll('td')].map((td) => `
        + `td.textContent.trim())])`);
      equal(lens.map(([name]) => name), words(40).slice(17, 24), 'rows of the lens');
      lens.forEach((row, i) => row.slice(1).forEach((text, j) => {
        if (/^[.\d]+$/.test(text)) close(Number(text), weights[17 + i][7 + j], `the lens at ${i}, ${j}`);
      }));
      equal(await page.run(`return [find(['[data-part="large"]', '.slant.key'])?.textContent, `
        + `find(['[data-part="large"]', '.rows .query'])?.textContent]`), ['word10', 'word20'],
        'the names of row and column stand out');
      await page.run(`find(['[data-part="large"]', 'ap-matrix', '.stop']).focus()`);
      await page.press('z');
      ok(await page.run(`return find(['[data-part="large"]', 'ap-matrix']).w >= 40 * 22 && `
        + `find(['[data-part="large"]', 'ap-lens']) === undefined`), 'Z makes room for the numbers');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'any matrix can be enlarged, by its button and by a key, and a word is followed through all heads',
    async run(page) {
      await page.click('ap-flow', '.place.scores [data-part="enlarge"]');
      await page.until(`return find(['[data-part="large"]', 'ap-matrix'])?.dataset.tensor === 'scores'`);
      equal(await page.axe(), [], 'axe');
      await page.click('[data-part="large"]', '[aria-label="Close"]');
      equal(await page.count('[data-part="large"]'), 0, 'closed');
      await page.run(`find(['ap-flow', '.place.query ap-matrix', '.stop']).focus()`);
      await page.press('l');
      await page.until(`return find(['[data-part="large"]', 'ap-matrix'])?.dataset.tensor === 'query'`);
      const through = await page.until(`
        const { plane } = find(['[data-part="through"]', 'ap-matrix']) ?? {};
        return plane && Array.from({ length: plane.rows },
          (_, i) => Array.from({ length: plane.cols }, (__, j) => plane.at(i, j)));`);
      const { weights } = (await attend(await page.document())).outputs;
      same(through, slice(weights, { down: 0, across: 2, held: [0, 5, 0] }), 'the word it in every head');
      const facts = await beside(page, '[data-part="through"]');
      equal(facts.length, 4, 'heads');
      through.forEach((row, h) => close(Number(facts[h][0]), bits(row), `entropy in head ${h + 1}`));
    },
  },
  {
    name: 'what rows say stands in the table and in what is taken home; parameters are listed with shapes and counts',
    async run(page) {
      await page.table('weights');
      const weights = matrix((await attend(await page.document())).outputs.weights);
      const table = await page.run(`return [...find(['section', `
        + `'table[data-tensor="weights"]']).querySelectorAll('tbody tr')].map((row) => `
        + `[...row.querySelectorAll('.fact')].map((c) => c.textContent))`);
      table.forEach(([entropy, keys], i) => {
        close(Number(entropy), bits(weights[i]), `entropy of row ${i}`);
        equal(Number(keys), weights[i].filter((w) => w !== 0).length, `keys of row ${i}`);
      });
      await catchSaved(page);
      await page.dialog('take');
      await page.until(`return !!find(['ap-take', '[role="tab"], .tabs button'])`);
      await page.click('ap-take', '#tab-numbers');
      await page.click('ap-take', '[data-save="all-json"]');
      const { rows } = JSON.parse((await saved(page)).text);
      equal(rows.weights.length, 4 * 8, 'a row a head and query');
      close(rows.weights[3].entropy, bits(weights[3]), 'entropy of head 1, row 3');
      await page.press('Escape');
      await page.until(`return !find(['dialog[open]'])`);
      await page.click('ap-flow', '.listed summary');
      const listed = await page.run(`return [...find(['table[data-part="parameters"]']).querySelectorAll('tbody `
        + `tr')].map((row) => [...row.querySelectorAll('td')].map((c) => c.textContent.trim()))`);
      const { parameters } = await attend(await page.document());
      equal(listed.map(([shape]) => shape), Object.values(parameters).map(({ shape }) => shape.join(' × ')), 'shapes');
      const total = Object.values(parameters).reduce((sum, { data }) => sum + data.length, 0);
      equal(await page.text('table[data-part="parameters"]', 'tfoot td:nth-child(3)'), total.toLocaleString('en'),
        'in all');
    },
  },
  {
    name: 'a row is doubled or negated and words are shuffled, each by one action and one undo',
    async run(page) {
      const before = await page.document();
      const row = () => page.run(`return Array.from(${
        store}.sessions.result.find('x', 'inputs').data.slice(5 * 16, 6 * 16))`);
      const was = await row();
      await page.click('ap-tokens', '[data-row="2"]');
      (await row()).forEach((value, k) => ok(Math.abs(value - 2 * was[k]) < 1e-5, `entry ${k}: ${value}`));
      await compare(page, 'a doubled row');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
      await page.click('ap-tokens', '[data-row="-1"]');
      (await row()).forEach((value, k) => ok(Math.abs(value + was[k]) < 1e-5, `entry ${k}: ${value}`));
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.click('ap-tokens', '[data-part="shuffle"]');
      const { tokens } = (await page.document()).inputs.x;
      ok(tokens.join() !== before.inputs.x.tokens.join(), 'another order');
      equal(tokens.toSorted(), before.inputs.x.tokens.toSorted(), 'the same words');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
      // The row of a parameter, from the card of one of its cells.
      await page.run(`${store}.selection.hold({ group: 'parameters', tensor: 'heads.W_Q', index: [1, 2, 0] })`);
      const held = (await attend(before)).parameters['heads.W_Q'].data;
      await page.click('ap-card', '[data-row="-1"]');
      const now = (await page.document()).parameters['heads.W_Q'];
      now[1][2].forEach((value, k) => ok(Math.abs(value + held[64 + 2 * 4 + k]) < 1e-5, `W_Q ${k}: ${value}`));
      ok(Math.abs(now[1][3][0] - held[64 + 3 * 4]) < 1e-5, 'the next row stays');
    },
  },
  {
    name: 'the scale of scores is held while a slider moves, and as long as it is pinned',
    async run(page) {
      const domain = () => page.run(`return find(['.place.scores', 'ap-legend']).domain`);
      const first = await domain();
      const chain = ['ap-knob[data-path="/mechanism/score/scale"]', 'input[type="range"]'];
      const box = await page.spot(...chain);
      await page.driver.mouse.move(box.left + box.width * 0.7, box.y);
      await page.driver.mouse.down();
      await page.driver.mouse.move(box.left + box.width * 0.35, box.y);
      await page.until(`return ${store}.documents.dragging && !${store}.sessions.busy && ${
        store}.sessions.result.directory.document.mechanism.score.scale < 0.5`);
      equal(await domain(), first, 'while it is dragged');
      await page.driver.mouse.up();
      await page.settled();
      const smaller = await domain();
      ok(smaller[1] < first[1], `then it follows: ${smaller}`);
      await page.click('.place.scores', 'ap-legend', '.pin');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await domain(), smaller, 'pinned');
      await page.click('.place.scores', 'ap-legend', '.pin');
      equal(await domain(), first, 'let go');
    },
  },
];
