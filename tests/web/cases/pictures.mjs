// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { compare, equal, ok } from '../check.mjs';

const company = JSON.parse(readFileSync(new URL('../../../examples/words-that-keep-company.json', import.meta.url),
  'utf8'));
const keepCompany = async (page) => {
  await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, company);
  await page.settled();
};
const weights = ['ap-matrix[data-tensor="weights"]'];

export const pictures = [
  {
    name: 'the choice between pictures stays in its place when the number of heads changes',
    async run(page) {
      const seen = [];
      for (const count of [1, 2, 4, 8, 16, 0]) {
        await page.run(`const { store } = document.querySelector('attention-playground');
          store.documents.set('/mechanism/heads', values[0]);`,
          count === 0 ? undefined : { type: 'multi-head', count });
        await page.settled();
        seen.push(await page.until(`const box = find(['ap-flow', '.switch .seg'])?.getBoundingClientRect();
          const around = find(['ap-flow', '.geometry'])?.getBoundingClientRect();
          return box?.width > 0 && [box.left - around.left, box.top - around.top].map(Math.round).join()`));
      }
      equal(new Set(seen).size, 1, `of 1, 2, 4, 8, 16 heads and of none: ${seen.join('; ')}`);
    },
  },
  {
    name: 'a formula of many lines does not push a phone\'s page aside',
    view: { width: 390, height: 844 },
    async run(page) {
      const { document } = JSON.parse(readFileSync(new URL(`../../../systems/ntm.json`, import.meta.url)));
      await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, document);
      await page.settled();
      const [room, wide] = await page.run(`const at = find(['.scroll']); return [at.clientWidth, at.scrollWidth]`);
      ok(wide <= room, `${wide} in ${room}`);
      await page.run(`find(['ap-flow', 'details.listed']).open = true`);
      await page.settled();
      const [sheet, table] = await page.run(`const at = find(['ap-flow', '.listed .sheet']);
        return [at.clientWidth, at.scrollWidth]`);
      ok(table <= sheet, `the list of parameters: ${table} in ${sheet}`);
    },
  },
  {
    first: true,
    name: 'the first paint shows a computed example, says what to notice in it, and the engine agrees with it',
    async run(page) {
      const notes = () => page.text('ap-margin', 'ul');
      const said = await notes();
      ok(/learned this from 38,400 /.test(await page.text('ap-story', '[data-part="see"]')), 'where it has it from');
      const found = [...said.matchAll(/(\S+) (?:attends (?:mostly )?)?to (\S+) \((\d?\.\d\d)\)/g)].map(([, ...words]) =>
        words.map((word) => word.replace(/[“”]/g, '')));
      ok(found.length === 6, `it says: ${said}`);
      await compare(page, 'example');
      equal(await notes(), said, 'what it says after the engine has run');
      const { source, target } = (await page.document()).inputs;
      const table = await page.table('decoder.weights');
      let row;
      for (const [word, key, value] of found) {
        // "and to", "and a little to": the second key of the same word.
        const second = word === 'and' || word === 'little';
        row = second ? row : table[target.tokens.indexOf(word)];
        ok(row, `no row of ${word}, ${key}`);
        const shown = row[source.tokens.indexOf(key)];
        const larger = row.filter((one) => one > shown).length;
        ok(Math.abs(shown - Number(value)) <= 0.0051 && larger === (second ? 1 : 0),
          `${word} → ${key}: ${shown}, said ${value}, with ${larger} larger in its row`);
      }
    },
  },
  {
    first: true,
    name: 'the card follows the pointer until a click locks it',
    async run(page) {
      await keepCompany(page);
      ok(!(await page.count('ap-card', '.big')), 'nothing is locked at first');
      await page.hoverAt(weights, 3.5 / 9, 1.5 / 9);
      await page.until(`return find(['ap-card', 'h2']).textContent.includes('mother → father')`);
      await page.hoverAt(weights, 8.5 / 9, 6.5 / 9);
      await page.until(`return find(['ap-card', 'h2']).textContent.includes('paris → london')`);
      await page.clickAt(weights, 3.5 / 9, 1.5 / 9);
      await page.hoverAt(weights, 8.5 / 9, 6.5 / 9);
      ok((await page.text('ap-card', 'h2')).includes('mother → father'), 'a locked card stays');
    },
  },
  {
    first: true,
    name: 'words have their vectors: words that are typed have theirs, and the page says what the vectors are',
    async run(page) {
      await keepCompany(page);
      ok((await page.text('ap-inputs', '.input')).includes('co-occurrence'), 'what the vectors are');
      await page.clickText('button', 'Type your own words');
      await page.fill('the king and the queen drank tea', 'ap-inputs', 'textarea');
      equal((await page.document()).inputs.x.features.type, 'words', 'natural for text');
      await compare(page, 'with other words');
      const table = await page.table('weights');
      equal(Math.max(...table[1].filter((w) => w !== null)), table[1][4], 'king looks most at queen');
    },
  },
  {
    name: 'a cell pointed at is explained, and what feeds it lights up',
    async run(page) {
      await page.click('ap-card', '[aria-label="Close"]');
      await page.hoverAt(weights, 0.5 / 8, 6.5 / 8);
      await page.until(`return find(['ap-card', 'h2']).textContent.includes('slept → the')`);
      await page.until(
        `return document.querySelector('attention-playground').store.explanations.lit.some((f) => f.tensor `
        + `=== 'scores')`);
      ok((await page.count('ap-card', '.feed')) > 0, 'the card lists what feeds the cell');
      ok((await page.count('ap-card', 'ap-math')) > 1, 'the card shows formulas');
      const live = await page.text('ap-steps', '.live');
      ok(live.includes('query slept, key the'), `the live line reads ${live}`);
    },
  },
  {
    name: 'a click locks, Escape unlocks, arrows move, and the card agrees with the table',
    async run(page) {
      await page.clickAt(weights, 2.5 / 8, 4.5 / 8);
      equal(await page.text('ap-card', 'h2'), 'Weight so → was', 'title');
      const table = await page.table('weights');
      equal((await page.text('ap-card', '.big')), table[4][2].toFixed(3), 'number');
      await page.clickAt(weights, 2.5 / 8, 4.5 / 8);
      await page.press('ArrowLeft');
      await page.press('Enter');
      equal(await page.text('ap-card', 'h2'), 'Weight so → animal', 'after the arrow');
      await page.press('Escape');
      equal(await page.run(`return document.querySelector('attention-playground').store.selection.lock === undefined`),
        true, 'unlocked');
    },
  },
  {
    name: 'lines, text and table show the same weights, heads can be chosen',
    async run(page) {
      const table = await page.table('weights');
      const above = table.flat().filter((w) => w > 0.004).length;
      await page.clickText('.seg button', 'Lines');
      equal(await page.count('ap-lines', 'path'), above, 'lines drawn');
      await page.clickText('.seg button', 'Text');
      equal(await page.count('ap-text', '.keys button'), 8, 'words');
      await page.clickText('.seg button', 'Table');
      const small = await page.run(`return [...find(['.sheet', 'td:not(.masked)'], true)].length`);
      ok(small > 30, `table view holds ${small} cells`);
      await page.clickText('.seg button', 'Matrix');
      await page.click('ap-heads', 'li:nth-child(3) button');
      const third = await page.table('weights');
      ok(JSON.stringify(third) !== JSON.stringify(table), 'another head, other numbers');
    },
  },
  {
    name: 'the stages can be stepped through',
    async run(page) {
      await page.click('ap-steps', '[aria-label="Next step"]');
      equal(await page.text('ap-steps', '[aria-current]'), 'Features', 'first stage');
      ok((await page.count('.place.later')) > 3, 'later stages wait in grey');
      await page.clickText('ap-steps li button, li button', 'Weights');
      equal(await page.count('.place.weights.later'), 0, 'weights are shown');
      equal(await page.count('.place.context.later'), 1, 'context waits');
    },
  },
  {
    name: 'maps too large to keep are left out, the page says so, and undo brings the words back',
    async run(page) {
      await page.run(`
        const { store } = document.querySelector('attention-playground');
        const rows = 2100;
        const data = Array.from({ length: rows * 4 }, (_, k) => Math.sin(k * 0.7));
        store.documents.change((draft) => {
          draft.inputs = { x: { shape: [rows, 4], data } };
          draft.mechanism = { type: 'attention', query: 'self-attention', score: 'scaled-dot', alignment: 'softmax',
            mask: ['mask-causal'] };
          draft.parameters = {};
        });`);
      await page.settled();
      const { names, fused, warned } = await page.run(`
        const { result } = document.querySelector('attention-playground').store.sessions;
        return { names: result.all('outputs').map((t) => t.name), fused: result.directory.fused,
          warned: result.directory.warnings.map((w) => w.message) }`);
      ok(names.includes('context') && !names.includes('weights'), `outputs are ${names}`);
      equal(fused, 1, 'attentions in the fast kernel');
      ok(warned.some((text) => text.startsWith('weights [2100 2100]')), `warnings are ${warned}`);
      const says = await page.text('ap-map-row', 'p.note');
      ok(/fused kernel/.test(says) && says.includes('2,100 × 2,100'),
        `the page says how, and what is left out: ${says}`);
      await page.run(`document.querySelector('attention-playground').store.documents.undo()`);
      await page.settled();
      ok(await page.run(`return document.querySelector('attention-playground').store.sessions.result.find('weights') `
        + `!== undefined`), 'the weights are back');
    },
  },
];
