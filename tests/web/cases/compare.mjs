// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { attend, matrix, same } from '../attend.mjs';
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
// What a map of the comparison draws.
const drawn = (page, side) => page.run(`
  const { plane } = find(['ap-compare', 'figure[data-side="' + values[0] + '"] ap-matrix']);
  return Array.from({ length: plane.rows }, (_, i) => Array.from({ length: plane.cols }, (_, j) => plane.at(i, j)));`,
    side);
const row = (page, k) => page.run(
  `return [...find(['ap-compare', '[data-part="facts"] tr:nth-child(' + values[0] + `
  + `')']).querySelectorAll('td')].map((td) => td.textContent.trim().replace('−', '-'))`, k);
// What stands beside the choices, in the panel's own tree.
const said = (page) => page.run(`return find(['ap-panel', '.about .note'], true).map((e) => e.textContent).join(' ')`);
const close = (a, b, what, by) => ok(Math.abs(a - b) <= by, `${what}: ${a} is not ${b}`);

function facts(map) {
  const bits = map.map((r) => r.reduce((sum, w) => sum - (w > 0 ? w * Math.log2(w) : 0), 0));
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  return { entropy: mean(bits), support: mean(map.map((r) => r.filter((w) => w !== 0).length)) };
}

async function start(page) {
  const a = matrix((await attend(await page.document())).outputs.weights);
  await page.click('ap-header', '[data-part="compare"]');
  ok((await page.text('ap-compare', '.hint')).length > 20, 'with B as A it says what to do');
  await page.choose('/mechanism/alignment', 'sparsemax');
  const b = matrix((await attend(await page.document())).outputs.weights);
  return { a, b };
}

// The address says what is shown as soon as the page has come to rest.
async function inAddress(page, wanted) {
  await page.settled();
  const hash = await page.run('return location.hash');
  ok(hash.startsWith('#1.') && wanted(JSON.parse(inflateRawSync(Buffer.from(hash.slice(3), 'base64url')).toString())),
    `the address does not follow: ${hash}`);
}

export const comparison = [
  {
    name: 'a model of several modules has no A and B: pressing says why, and what compares models',
    async run(page) {
      equal(await page.run(`return find(['ap-header', '[data-part="compare"]']).getAttribute('aria-disabled')`), null);
      await page.run(`${store}.documents.replace(values[0])`, JSON.parse(
        readFileSync(new URL('../../../systems/memn2n.json', import.meta.url), 'utf8')).document);
      await page.settled();
      equal(await page.run(`return find(['ap-header', '[data-part="compare"]']).getAttribute('aria-disabled')`),
        'true');
      await page.click('ap-header', '[data-part="compare"]');
      const said = await page.text('.notice.over');
      ok(said.includes('this model has several modules') && said.includes('Several at once'), said);
      equal(await page.run(`return ${store}.comparison.on`), false);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'B is given the parameters of A: on equal terms, what is left is the mechanism',
    async run(page) {
      await page.click('ap-header', '[data-part="compare"]');
      await page.run(`${store}.documents.set('/seed', 3); ${
        store}.documents.change((d) => { d.parameters = { 'heads.W_Q': Array.from({ length: 4 }, (_, h) => `
        + `Array.from({ length: 16 }, (__, i) => Array.from({ length: 4 }, (___, j) => ((h + i + j) % 5) / 5 - `
        + `0.4))) }; })`);
      await page.settled();
      await page.until(`return ${store}.comparison.shared().length > 0`);
      const gap = () => page.run(`const { a, b } = ${
        store}.comparison.results(); return Math.max(...a.find('weights').data.map((x, k) => Math.abs(x - `
        + `b.find('weights').data[k])))`);
      ok((await gap()) > 0.001, 'they differ');
      await page.click('ap-compare', '[data-part="share-parameters"]');
      await page.until(`return ${store}.comparison.shared().length === 0`);
      ok((await gap()) < 1e-5, 'with the same parameters they agree');
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.until(`return ${store}.comparison.shared().length > 0`);
    },
  },
  {
    name: 'B is given the parameters of A: what has another shape there is named',
    async run(page) {
      await page.click('ap-header', '[data-part="compare"]');
      equal(await page.count('ap-compare', '[data-part="unlike"]'), 0, 'of one shape all');
      await page.run(`${store}.documents.set('/mechanism/heads/count', 2)`);
      await page.settled();
      await page.until(`return !!find(['ap-compare', '[data-part="unlike"]'])`);
      const note = await page.text('ap-compare', '[data-part="unlike"]');
      for (const name of ['heads.W_Q', 'heads.W_K', 'heads.W_V']) ok(note.includes(name), note);
      ok(!note.includes('W_O'), 'of one shape in both');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'A and B on the same inputs: both maps, their difference and the facts are the engine\'s',
    async run(page) {
      const { a, b } = await start(page);
      await page.until(`return ${store}.comparison.results()?.a !== ${store}.comparison.results()?.b`);
      same(await drawn(page, 'A'), a, 'A');
      same(await drawn(page, 'B'), b, 'B');
      const gap = b.map((r, i) => r.map((w, j) => w - a[i][j]));
      same(await drawn(page, 'difference'), gap, 'B − A');
      const [fa, fb] = [facts(a), facts(b)];
      const [ea, eb] = (await row(page, 1)).map(Number);
      close(ea, fa.entropy, 'entropy of A', 0.006);
      close(eb, fb.entropy, 'entropy of B', 0.006);
      const [sa, sb] = (await row(page, 2)).map(Number);
      close(sa, fa.support, 'support of A', 0.006);
      close(sb, fb.support, 'support of B', 0.006);
      close(parseFloat(await page.text('ap-compare', '[data-part="gap"]')), Math.max(...gap.flat().map(Math.abs)),
        'largest gap', 0.001);
      const domains = await page.run(
        `return find(['ap-compare', 'figure[data-side] ap-matrix'], true).map((m) => m.domain.join())`);
      equal(domains[0], domains[2], 'one scale for both');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'A and B: maps beside each other have one top and one bottom, whatever is written above them',
    async run(page) {
      await start(page);
      await page.choose('/mechanism/score', 'additive');
      await page.until(`return find(['ap-compare', 'figure[data-side]'], true).length === 3`);
      const places = () => page.run(`return find(['ap-compare', 'figure[data-side] .picture'], true).map((one) => {
        const { top, bottom, left } = one.getBoundingClientRect(); return [Math.round(top), Math.round(bottom), left];
      })`);
      const captions = await page.run(`return find(['ap-compare', 'figcaption'], true).map((one) => {
        const range = document.createRange(); range.selectNodeContents(one);
        return range.getBoundingClientRect().height })`);
      ok(new Set(captions.map(Math.round)).size > 1, `one caption is taller: ${captions}`);
      const [a, between, b] = await places();
      equal([between.slice(0, 2), b.slice(0, 2)], [a.slice(0, 2), a.slice(0, 2)], 'three beside each other');
      ok(a[2] < between[2] && between[2] < b[2], 'A, the difference, B');
    },
  },
  {
    name: 'hover is linked over A, B and the difference, and the card gives both numbers',
    async run(page) {
      const { a, b } = await start(page);
      await page.click('ap-card', '[aria-label="Close"]');
      await page.hoverAt(['ap-compare', 'figure[data-side="A"] ap-matrix'], 2.5 / 8, 4.5 / 8);
      equal(await page.run(`return ${store}.selection.hover`),
        { group: 'outputs', tensor: 'weights', index: [0, 4, 2] }, 'the cell in A');
      await page.hoverAt(['ap-compare', 'figure[data-side="difference"] ap-matrix'], 1.5 / 8, 6.5 / 8);
      equal(await page.run(`return ${store}.selection.hover`),
        { group: 'outputs', tensor: 'weights', index: [0, 6, 1] }, 'the cell in the difference');
      const numbers = await page.run(
        `return find(['[data-part="both"] dd'], true).map((e) => Number(e.textContent.replace('−', '-')))`);
      close(numbers[0], a[6][1], 'A in the card', 6e-4);
      close(numbers[1], b[6][1], 'B in the card', 6e-4);
      close(numbers[2], b[6][1] - a[6][1], 'the difference in the card', 1e-3);
    },
  },
  {
    name: 'the controls set either side, inputs and seed are shared, undo goes back',
    async run(page) {
      const before = await page.document();
      const { a, b } = await start(page);
      await page.clickText('ap-compare .seg button, .seg button', 'Change A');
      equal((await page.document()).mechanism.alignment, before.mechanism.alignment, 'the document holds A');
      await page.until(`return ${store}.comparison.results()`);
      same(await drawn(page, 'A'), a, 'A stays A');
      same(await drawn(page, 'B'), b, 'B stays B');
      await page.run(`${store}.documents.set('/seed', 77)`);
      await page.settled();
      await page.until(`return ${store}.comparison.result.directory.document.seed === 77`);
      const document = await page.document();
      same(await drawn(page, 'A'), matrix((await attend(document)).outputs.weights), 'A with the new seed');
      document.mechanism.alignment = { type: 'sparsemax' };
      same(await drawn(page, 'B'), matrix((await attend(document)).outputs.weights), 'B with the new seed');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).seed, before.seed, 'undone');
      await page.click('ap-header', '[data-part="compare"]');
      equal(await page.count('ap-compare'), 0, 'stopped');
    },
  },
  {
    name: 'the comparison is in the link, and undo and redo know it',
    async run(page, origin) {
      const before = await page.document();
      const { a, b } = await start(page);
      const on = () => page.run(`return ${store}.comparison.on`);
      const undo = () => page.click('ap-header', '[aria-label="Undo"]');
      await undo();
      await undo();
      equal([await page.document(), await on(), await page.count('ap-compare')], [before, false, 0],
        'undone: the choice, then the comparison');
      await page.click('ap-header', '[aria-label="Redo"]');
      await page.click('ap-header', '[aria-label="Redo"]');
      await page.until(`return ${store}.comparison.results()`);
      same(await drawn(page, 'A'), a, 'A again');
      same(await drawn(page, 'B'), b, 'B again');
      await page.clickText('ap-compare .seg button, .seg button', 'Change A');
      await inAddress(page, (link) =>
        link.compare?.editing === 'A' && link.compare.mechanism.alignment.type === 'sparsemax');
      await page.dialog('share');
      await page.until(`return !!find(['ap-share', '#link'])`);
      const url = await page.run(`return find(['ap-share', '#link']).value`);
      ok(url.length < 2000, `${url.length} characters`);
      await page.leave();
      await page.go(url);
      await page.until(`return ${store}.comparison.results()`);
      equal([await page.document(), await page.run(`return ${store}.comparison.editing`)], [before, 'A'],
        'the link holds A, the controls set it');
      same(await drawn(page, 'A'), a, 'A from the link');
      same(await drawn(page, 'B'), b, 'B from the link');
      await page.click('ap-header', '[data-part="compare"]');
      const held = await page.document();
      // What is looked at stands in it too, as ever.
      await inAddress(page, ({ seen: _, ...link }) => JSON.stringify(link) === JSON.stringify(held));
      await undo();
      equal(await on(), true, 'stopping is undone too');
    },
  },
  {
    name: 'a link whose comparison is odd gets a word or a comparison that says why not',
    async run(page) {
      const held = await page.document();
      const link = (compare) => `#1.${deflateRawSync(JSON.stringify({ ...held, compare })).toString('base64url')}`;
      for (const odd of [0, 'A', [], { editing: 'C', mechanism: {} }, { editing: 'A', mechanism: null }]) {
        await page.run(`location.hash = values[0]`, link(odd));
        await page.until(`return !!find(['.notice'])`);
        ok((await page.text('.notice')).includes('damaged'), JSON.stringify(odd));
        await page.clickText('.notice button', 'Dismiss');
      }
      await page.run(`location.hash = values[0]`, link({ editing: 'B', mechanism: { type: 'no-such-thing' } }));
      await page.until(`return !!find(['ap-compare', '.error'])`);
      ok((await page.text('ap-compare', '.error')).includes('no-such-thing'), 'the reason');
      await page.click('ap-header', '[data-part="compare"]');
      equal(await page.document(), held, 'the work stays');
    },
  },
];

export const sampling = [
  {
    name: 'sampled weights stand beside their chances, a draw and the average over N',
    async run(page) {
      await page.run(`${store}.documents.set('/mechanism/alignment', { type: 'hard-sample', samples: 4 })`);
      await page.settled();
      const map = (part) => page.run(`
        const { plane } = find(['ap-sampling', 'figure[data-part="' + values[0] + '"] ap-matrix']);
        return Array.from({ length: plane.rows },
          (_, i) => Array.from({ length: plane.cols }, (_, j) => plane.at(i, j)));`, part);
      const soft = await page.document();
      soft.mechanism.alignment = { type: 'softmax' };
      same(await map('chances'), matrix((await attend(soft)).outputs.weights), 'the chances are the soft result');
      same(await map('average'), matrix((await attend(await page.document())).outputs.weights), 'the average');
      const total = Array.from({ length: 8 }, () => new Array(8).fill(0));
      for (let k = 0; k < 4; k++) {
        const one = await map('draw');
        one.forEach((r) => equal(r.filter((w) => w === 1).length === 1 && r.filter((w) => w === 0).length === 7, true,
          'one key a row'));
        one.forEach((r, i) => r.forEach((w, j) => (total[i][j] += w / 4)));
        await page.click('ap-sampling', '[aria-label="Next draw"]');
      }
      same(total, await map('average'), 'the draws average to the average');
      const far = await page.run(`return Number(find(['ap-sampling', '[data-part="furthest"]']).dataset.value)`);
      await page.fill('256', 'ap-sampling', 'ap-knob', 'input.num');
      const near = await page.run(`return Number(find(['ap-sampling', '[data-part="furthest"]']).dataset.value)`);
      ok(near < far, `more draws come closer: ${near} is not below ${far}`);
      const before = await map('average');
      const { seed } = await page.document();
      await page.click('ap-sampling', '.tools .link');
      ok((await page.document()).seed !== seed, 'another seed');
      ok(JSON.stringify(await map('average')) !== JSON.stringify(before), 'other draws');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await map('average'), before, 'the same seed draws the same');
      ok((await said(page)).includes('REINFORCE'), 'how it learns is said beside the choice');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'whatever is drawn at random shows what was drawn, and notes stand beside their mechanism',
    async run(page) {
      const random = (await page.catalogue()).mechanisms.filter((m) =>
        m.kind === 'alignment' && m.parameters.some((p) =>
        ['uniform', 'bernoulli', 'gumbel'].includes(p.distribution)));
      ok(random.length > 1, 'alignments that draw');
      for (const { id, note } of random) {
        await page.run(`${store}.documents.set('/mechanism/alignment', { type: values[0] })`, id);
        await page.settled();
        if (await page.run(`return ${store}.sessions.error !== undefined`)) continue;
        ok((await page.count('ap-sampling', 'figure')) > 0
          || (await page.run(`return !${
          store}.sessions.result.all('parameters').some((t) => /[.](u|z|noise)$/.test(t.name))`)),
          `${id}: nothing drawn is shown`);
        if (note) ok((await said(page)).includes(note.slice(0, 40)), `${id}: its note`);
      }
    },
  },
];
