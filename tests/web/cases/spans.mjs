// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const { document } = JSON.parse(readFileSync(new URL('../../../systems/han.json', import.meta.url), 'utf8'));
const show = async (page) => {
  await page.run(`const { store } = document.querySelector('attention-playground'); store.documents.replace(values[0])`,
    document);
  await page.until(`return !!find(['ap-spans', '.gap'])`);
  await page.settled();
};
const held = async (page) => (await page.document()).model[0].spans;
const rows = (page) => page.run(
  `return document.querySelector('attention-playground').store.sessions.result.whole('document.word.weights', `
  + `'outputs').shape[0]`);
const type = async (page, text) => {
  await page.run(`const i = find(['ap-spans', 'input']); i.value = values[0]; i.dispatchEvent(new Event('change'))`,
    text);
  await page.settled();
};

export const spans = [
  {
    name: 'spans: a border is moved by keys, dragged, set and taken away, and the levels follow',
    async run(page) {
      await show(page);
      equal(await page.count('ap-spans', '.gap[aria-checked="true"]'), 2, 'three sentences');
      await page.run(`find(['ap-spans', '.gap[data-at="5"]']).focus()`);
      await page.press('ArrowRight');
      equal(await held(page), [[0, 6], [6, 11], [11, 16]], 'moved by a key');
      ok(await page.run(`const g = find(['ap-spans', '.gap[data-at="6"]']); return `
        + `g.getRootNode().activeElement === g`), 'the focus goes along');
      const [from, to] = [await page.spot('ap-spans', '.gap[data-at="6"]'),
        await page.spot('ap-spans', '.gap[data-at="3"]')];
      await page.driver.mouse.move(from.x, from.y);
      await page.driver.mouse.down();
      await page.driver.mouse.move(to.x, to.y, { steps: 6 });
      await page.driver.mouse.up();
      await page.settled();
      equal(await held(page), [[0, 3], [3, 11], [11, 16]], 'dragged');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await held(page), [[0, 6], [6, 11], [11, 16]], 'a drag is one step of undo');
      await page.click('ap-spans', '.gap[data-at="2"]');
      equal(await rows(page), 4, 'a border more: four rows of weights');
      await page.run(`find(['ap-spans', '.gap[data-at="11"]']).focus()`);
      await page.press('Enter');
      equal(await rows(page), 3, 'joined');
      await page.click('ap-spans', '[data-part="automatic"]');
      equal((await held(page)) ?? null, null, 'by full stops again');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'spans: what overlaps, leaves a gap or passes the end is said at the field, and can be fitted',
    async run(page) {
      await show(page);
      for (const [text, kind] of [['0-6 5-16', 'overlap'], ['0-5 6-16', 'gap'], ['0-5 5-20', 'past']]) {
        await type(page, text);
        equal(await page.run(`return find(['ap-spans', '.error'])?.dataset.fault`), kind, text);
        ok(await page.run(`return !!document.querySelector('attention-playground').store.sessions.error`),
          'the engine refuses it too');
      }
      await page.click('ap-spans', '[data-part="fit"]');
      equal(await held(page), [[0, 5], [5, 16]], 'fitted');
      equal(await rows(page), 2, 'computed');
      await type(page, 'five words');
      ok((await page.text('ap-spans', '.error')).includes('Enter pairs such as'), 'says what to enter');
      // Fewer words than the parts hold.
      await page.run(`const { store } = document.querySelector('attention-playground'); store.documents.change((d) => `
        + `d.inputs.text.tokens.splice(10))`);
      await page.settled();
      equal(await page.run(`return find(['ap-spans', '[data-fault]'])?.dataset.fault`), 'past',
        'words were taken away');
    },
  },
];
