// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { attend, example, matrix, same } from '../attend.mjs';
import { equal, ok } from '../check.mjs';

const weights = ['ap-matrix[data-tensor="weights"]'];
const scores = ['ap-matrix[data-tensor="scores"]'];
const close = (a, b, what, by = 2e-3) =>
  ok(Math.abs(a - b) <= by * Math.max(1, Math.abs(b)), `${what}: ${a} is not ${b}`);

async function align(page, id, knobs = {}) {
  await page.run(`document.querySelector('attention-playground').store.documents.set('/mechanism/alignment', { type: `
    + `values[0], ...values[1] })`, id, knobs);
  await page.settled();
}

const number = (text) => Number(text.replace('−', '-').replace(/^(-?)\./, '$10.'));

// The part of each sorted bar above the level, from the scores that the engine computed.
function projected(row, level, scale, power) {
  return row.map((e) => Math.max(0, e * scale - level) ** power);
}

export const cells = [
  {
    name: 'cells: a press comes to its own cell, and what a notice says moves nothing',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').store.selection.hold(undefined)`);
      const hovered = () => page.run(`const { selection } = document.querySelector('attention-playground').store;
        return { hover: selection.hover?.index ?? null, lock: selection.lock?.index ?? null }`);
      await page.run(`globalThis.pointed = [];
        const { selection } = document.querySelector('attention-playground').store;
        const point = selection.point.bind(selection);
        selection.point = (target) => { if (target) pointed.push(target.index.join()); point(target); };`);
      await page.clickAt(weights, 1.5 / 8, 5.5 / 8);
      const { hover, lock } = await hovered();
      equal(lock, [0, 5, 1], 'the cell that was pressed');
      equal(hover, [0, 5, 1], 'is the one that is pointed at');
      equal(await page.run(`return pointed.filter((index) => index === '0,0,0')`), [], 'and no other was on the way');
      const top = () => page.run(`return find(['ap-matrix[data-tensor="weights"]']).getBoundingClientRect().top`);
      const before = await top();
      await page.press('F2');
      await page.until(`return find(['.notice']) !== undefined`);
      equal(await top(), before, 'the picture stays where it was');
      ok(!(await page.count('[data-part="undo"]')), 'nothing that could be undone is offered');
    },
  },
  {
    name: 'a thresholded weight shows its sorted bars, and what stands above the level is the weights',
    async run(page) {
      for (const [id, knobs, scale, power] of [['sparsemax', {}, 1, 1], ['alpha-entmax', { alpha: 1.5 }, 0.5, 2]]) {
        await align(page, id, knobs);
        await page.until(`return find(['[data-part="cut"]', '.bar'], true).length === 6`);
        const level = number((await page.text('[data-part="cut"]', 'svg .tau')).replace('τ', ''));
        const all = (await attend(await page.document())).outputs;
        const [row, own] = [matrix(all.scores)[5].slice(0, 6), matrix(all.weights)[5].slice(0, 6)];
        const exact = Number((await page.run(`return find(['.cut'])?.getAttribute('aria-label')`))
          .match(/at (.*)$/)[1].replace('−', '-'));
        close(level, exact, `${id}: the level in the picture`, 0.06);
        projected(row, exact, scale, power).forEach((w, j) => close(w, own[j], `${id}: weight ${j} above the level`));
        const shown = await page.run(`return find(['.under-bars li'], true).map((li) => `
          + `li.querySelector('b').textContent)`);
        const sorted = row.map((e, j) => [e, own[j]]).sort((a, b) => b[0] - a[0]).map(([, w]) => w);
        shown.forEach((text, k) => !/^[<>]/.test(text)
          && close(number(text), sorted[k], `${id}: number under bar ${k}`, 6e-3));
      }
    },
  },
  {
    name: 'a window and a pick are shown as what they let through',
    async run(page) {
      await align(page, 'local-monotonic', { D: 1 });
      const open = await page.until(`const gates = find(['[data-part="gate"] ol'], true); return gates.length ? `
        + `gates.map((g) => [...g.querySelectorAll('.open')].map((e) => e.textContent.replace(/\\s+let through\\s*$/, `
        + `'').trim())) : null`);
      ok(open.some((names) => names.join() === 'so,it' || names.join() === 'so,it,slept'),
        `let through: ${JSON.stringify(open)}`);
      await align(page, 'hard-argmax');
      const row = matrix((await attend(await page.document())).outputs.weights)[5];
      await page.until(`return find(['[data-part="draws"] td b'], true).length === 1`);
      const picked = await page.run(`return find(['[data-part="draws"] tr'], true).find((r) => `
        + `r.querySelector('b')).querySelector('th').textContent`);
      equal(picked, ['the', 'animal', 'was', 'tired', 'so', 'it', 'slept', '.'][row.indexOf(1)],
        'the key that was picked');
    },
  },
  {
    name: 'numbers of the formula, cells and words point to one another, both ways',
    async run(page) {
      await align(page, 'softmax');
      await page.until(`return find(['[data-part="numbers"]', '.cell1'])`);
      const spots = await page.run(`return find(['[data-part="numbers"]', '[class*="cell"]'], true).map((e) => { const `
        + `b = e.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2, text: `
        + `e.textContent.replace('−', '-') }; })`);
      const last = spots.at(-1);
      await page.driver.mouse.move(last.x, last.y);
      const hover = await page.until(`return document.querySelector('attention-playground').store.selection.hover`);
      const all = await attend(await page.document());
      equal(hover.index.slice(0, 2), [0, 5], 'the row of the cell pointed to');
      const store = await page.run(`const { store } = document.querySelector('attention-playground'); return `
        + `store.numberAt(store.selection.hover)`);
      close(Number(last.text), store, 'the cell pointed to holds the number');
      ok(Object.keys(all.outputs).length > 4, 'outputs');
      await page.hoverAt(scores, 0.5 / 8, 5.5 / 8);
      equal(await page.run(`return document.querySelector('attention-playground').store.selection.hover.tensor`),
        'scores', 'pointing back');
      ok(await page.count('.under .lit'), 'the share of the key lights up');
      await page.hoverAt(['ap-tokens', 'li:nth-child(3) .chip'], 0.5, 0.5);
      equal(await page.run(`return document.querySelector('attention-playground').store.selection.word.at`), 2,
        'the word pointed at');
    },
  },
  {
    name: 'a locked cell says what it feeds, and following that leads on',
    async run(page) {
      await page.clickAt(weights, 1.5 / 8, 4.5 / 8);
      await page.until(`return find(['[data-part="feeds"] .feed'], true).length > 0`);
      const fed = await page.run(`return document.querySelector('attention-playground').store.onward.feeds`);
      equal(fed.map((f) => f.tensor), ['heads'], 'what a weight feeds');
      ok(fed[0].cells.length === 4 && fed[0].cells.every(([h, i]) => h === 0 && i === 4),
        `its row of the context: ${JSON.stringify(fed[0].cells)}`);
      await page.clickAt(['ap-matrix[data-tensor="query"]'], 1.5 / 4, 4.5 / 8);
      await page.until(`return document.querySelector('attention-playground').store.onward.feeds.some((f) => f.tensor `
        + `=== 'scores')`);
      const row = (await page.run(`return document.querySelector('attention-playground').store.onward.feeds`))
        .find((f) => f.tensor === 'scores');
      equal(row.cells.length, 8, 'a query feeds its whole row of scores');
      await page.click('[data-part="feeds"]', '[data-feed="scores"] button');
      equal((await page.run(`return document.querySelector('attention-playground').store.selection.lock`)).tensor,
        'scores', 'following the link');
    },
  },
  {
    name: 'the number of a parameter is set in the card',
    async run(page) {
      const name = await page.run(`return find(['ap-matrix'], true).find((e) => e.plane.tensor.group === `
        + `'parameters').dataset.tensor`);
      await page.clickAt([`ap-matrix[data-tensor="${name}"]`], 0.02, 0.02);
      await page.fill('2.5', 'ap-card', 'input.set');
      const given = (await page.document()).parameters[name];
      equal(given.flat(9)[0], 2.5, 'the document');
      same(await page.table('weights'), matrix((await attend(await page.document())).outputs.weights),
        'weights after the edit');
    },
  },
  {
    name: 'the gradient beside a matrix is the engine\'s, kept in the document, and undone',
    async run(page) {
      await page.click('[data-slope="scores"]');
      const document = await page.document();
      ok(document.gradient, 'the document asks for gradients');
      const wanted = (await attend(document)).gradients['outputs.scores'];
      same(await page.table('outputs.scores'), matrix(wanted), 'gradient to the scores');
      await page.click('[data-slope="query"]');
      same(await page.table('outputs.query'), matrix((await attend(await page.document())).gradients['outputs.query']),
        'gradient to the queries');
      await page.click('[data-slope="query"]');
      await page.click('[data-slope="scores"]');
      equal((await page.document()).gradient, undefined, 'asked for no more');
      equal(await page.count('ap-matrix[data-tensor="scores"]'), 1, 'the scores are back');
    },
  },
  {
    name: 'the card says how widely a row of weights is spread, along its keys',
    async run(page) {
      const bits = (row) => row.reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0).toFixed(2);
      const line = () => page.until(`return find(['ap-card', '[data-part="entropy"]'])?.textContent`);
      const { data } = (await attend({ ...await page.document(), outputs: ['weights'] })).outputs.weights;
      const said = (text) => text.replace(/[\u2066-\u2069]/g, '');
      equal(said(await line()), `Entropy of the row of it: ${bits(data.slice(5 * 8, 6 * 8))} of 2.58 bits`, 'six keys');
      ok((await page.text('ap-measures', 'dl')).includes(`${bits(data.slice(5 * 8, 6 * 8))} of 2.58 bits`),
        'as below the map');
      const room = await page.run(`const text = find(['ap-card', '[data-part="entropy"]', 'p']).getBoundingClientRect();
        const box = find(['ap-card', '[data-part="entropy"]']).getBoundingClientRect();
        return [text.top - box.top, box.bottom - text.bottom]`);
      ok(room.every((space) => space >= 6), `it stands free of the lines above and below it: ${room}`);
      // A weight for every feature: the keys run down.
      const document = JSON.parse(readFileSync(new URL('../../../examples/source2token.json', import.meta.url)));
      await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, document);
      await page.settled();
      const tensor = (await attend({ ...document, outputs: ['weights'] })).outputs.weights;
      const { shape: [, keys, features], data: all } = tensor;
      await page.run(`document.querySelector('attention-playground').store.selection.hold({ group: 'outputs', `
        + `tensor: 'weights', index: [0, 1, 2] })`);
      await page.settled();
      const column = Array.from({ length: keys }, (_, j) => all[j * features + 2]);
      await page.until(`return find(['ap-card', '[data-part="entropy"]'])?.textContent.includes('the weights')`);
      equal(await line(), `Entropy of the weights: ${bits(column)} of ${Math.log2(keys).toFixed(2)} bits`, 'a feature');
    },
  },
  {
    name: 'the strips of what feeds a cell begin at one line, however long the names are',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`,
        await example('gtrxl'));
      await page.settled();
      await page.run(`document.querySelector('attention-playground').store.selection.hold({ group: 'outputs', `
        + `tensor: 'gate1', index: [1, 1] })`);
      const edges = await page.until(`const all = find(['ap-card', '.feed .strip:not(.slope)'], true)
        .map((one) => [one.getBoundingClientRect(), one.closest('.feed').getBoundingClientRect()]);
        return all.length > 5 && all.map(([at, row]) => [Math.round(at.left), at.right <= row.right])`);
      equal(new Set(edges.map(([left]) => left)).size, 1, `one line: ${JSON.stringify(edges)}`);
      ok(edges.every(([, inside]) => inside), 'inside the card');
    },
  },
  {
    name: 'the card\'s gradients are those of the locked cell',
    async run(page) {
      await align(page, 'softmax');
      await page.click('ap-card', '.switch');
      const shown = await page.until(
        `const row = find(['[data-feed="scores"] [data-slopes]']); return row && JSON.parse(row.dataset.slopes)`);
      const document = await page.document();
      const data = new Array(4 * 8 * 8).fill(0);
      data[5 * 8 + 1] = 1;
      document.gradient = { of: 'weights', cotangent: { shape: [4, 8, 8], data }, outputs: true };
      const wanted = matrix((await attend(document)).gradients['outputs.scores'])[5];
      shown.forEach((x, j) => close(x, wanted[j], `slope along key ${j}`, 1e-4));
      ok(shown.some((x) => Math.abs(x) > 0.01), 'slopes that are not all zero');
    },
  },
  {
    name: 'the page marks how long a change takes, from the change to its picture',
    async run(page) {
      const now = () => page.run(`return performance.now()`);
      const before = await now();
      await align(page, 'sparsemax');
      // The mark of an earlier change is replaced by this one's.
      const [began, ended] = await page.until(`const mark = performance.getEntriesByName('picture').at(-1);
        return mark && mark.startTime >= values[0] && [mark.startTime, mark.startTime + mark.duration]`, before);
      ok(before <= began && began < ended && ended <= await now(),
        `the mark runs from ${began} to ${ended}, the change began at ${before}`);
    },
  },
];
