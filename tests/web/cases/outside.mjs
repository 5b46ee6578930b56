// SPDX-License-Identifier: Apache-2.0
// What an author of teaching pages, who met the page from outside, stumbled over.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';
import { browsers } from '../browsers.mjs';
import { drop } from '../files.mjs';
import { Page } from '../page.mjs';

const store = `document.querySelector('attention-playground').store`;
const json = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const first = json('web/src/state/example.json').document;

export const outside = [
  {
    first: true,
    name: 'outside: a table for a model that reads words leaves its words, and the page says that of numbers',
    async run(page) {
      const table = (numbers) => drop(page, 'x.csv', 'text/csv', Buffer.from(`word,x1,x2\nred,${numbers}\ncar,4,5\n`));
      await table('1,2');
      const said = await page.until(`return find(['ap-bring', '.found .note'])?.textContent`);
      ok(said.includes('36 words') && said.includes('The numbers are not used'), said);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-bring', '[data-use]');
      await page.settled();
      equal((await page.document()).inputs.source, { tokens: ['red', 'car'] }, 'the words alone');
      ok(!(await page.text('ap-inputs')).includes('used unchanged'), 'no word of numbers');
      // A document of before, in which the numbers are.
      await page.run(`${store}.documents.set('/inputs/source/features', { type: 'matrix', matrix: [[1], [2]] })`);
      await page.until(`return find(['ap-inputs'])?.shadowRoot.textContent.includes('the numbers are not used')`);
      await drop(page, 'y.csv', 'text/csv', Buffer.from('1,2\n3,4\n'));
      // Numbers without words open by themselves.
      await page.until(`return find(['ap-bring', '.found .note'])?.textContent.includes('open by themselves')`);
      await page.click('ap-bring', '[data-use]');
      await page.until(`return Object.keys(${store}.documents.document.inputs)[0] === 'query'`);
    },
  },
  {
    name: 'outside: a saved file without its weights leaves the document, and says which weights are missing',
    async run(page) {
      const held = await page.document();
      await drop(page, 'x.json', 'application/json',
        Buffer.from(JSON.stringify({ ...first, parameters: { from: 'own-lost.safetensors' } })));
      await page.click('ap-bring', '[data-use]');
      const said = await page.until(`return find(['ap-bring', '[role="alert"]'])?.textContent`);
      ok(said.includes('“own-lost.safetensors”') && said.includes('neither in the file nor in this browser'), said);
      equal(await page.document(), held, 'the work');
    },
  },
  {
    first: true,
    limit: 480_000,
    name: 'outside: a link says which part of a model is untrained, and carries only what the page does not have',
    async run(page, origin) {
      await page.until(`return !!find(['ap-panel', 'ap-menu'])`);
      const path = await page.run(`return find(['ap-panel', 'ap-menu'], true).map(({ dataset }) => dataset.path)
        .find((one) => one?.endsWith('/score'))`);
      await page.choose(path, 'concat');
      await page.until(`return ${store}.documents.document.parameters.from.startsWith('own-')
        && ${store}.view.notice.some(({ key }) => key === 'newPart')`);
      await page.settled();
      await page.dialog('share');
      await page.until(`return find(['ap-share'])?.shadowRoot.textContent.includes('they come with this page')`);
      const link = await page.run(`return find(['ap-share', '#link']).value`);
      ok(link.includes('/#2.') && link.length < 10_000, `${link.length} characters`);
      const numbers = (one) => one.run(`return [...${store}.sessions.result.all('outputs')
        .find(({ role }) => role === 'weights').data]`);
      const here = await numbers(page);
      const browser = await browsers.chromium();
      try {
        const there = new Page(await browser.open({ origin, width: 1440, height: 900 }), origin);
        await there.go(`${link}).`);
        const said = await there.until(`return find(['.notice'])?.textContent`);
        ok(said.includes('New and untrained') && said.includes('Score (decoder): W'), said);
        const card = await there.until(`const text = find(['ap-card', '[data-part="figures"]'])?.textContent;
          return text?.includes('untrained') && text`);
        ok(card.includes('Score (decoder): W'), card);
        const found = await numbers(there);
        ok(found.every((x, k) => Math.abs(x - here[k]) < 0.01), 'the same map');
        equal([...there.errors, ...there.foreign], [], 'the other browser');
        // One letter of its weights is another.
        const at = link.length - 400;
        const held = await there.document();
        await there.run(`location.hash = values[0]`, new URL(link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A')
          + link.slice(at + 1)).hash);
        await there.until(`return find(['.notice'])?.textContent.includes('damaged')`);
        equal(await there.document(), held, 'the work');
      } finally {
        await browser.close();
      }
    },
  },
  {
    name: 'outside: a document that is too large for the address is there after a reload',
    async run(page) {
      const rows = Array.from({ length: 300 }, (_, i) => Array.from({ length: 100 }, (_, j) =>
        Math.sin(i * 100 + j).toFixed(12)).join());
      await drop(page, 'big.csv', 'text/csv', Buffer.from(rows.join('\n')));
      await page.click('ap-bring', '[data-use]');
      await page.until(`return Object.values(${store}.documents.document.inputs)[0].matrix?.length === 300`);
      await page.settled();
      await page.until(`return location.hash === '' && history.state?.link !== undefined`);
      await page.driver.reload();
      await page.until(`return document.querySelector('attention-playground')?.store
        && Object.values(${store}.documents.document.inputs)[0].matrix?.length === 300`);
      await page.settled();
    },
  },
  {
    first: true,
    view: { width: 640, height: 760 },
    name: 'outside: at 640 pixels the button of the gallery has its name or none',
    async run(page) {
      const cut = await page.run(`const name = find(['ap-header', '.preset span']);
        return name.offsetWidth > 0 && name.scrollWidth > name.clientWidth + 1 && name.clientWidth < 60;`);
      ok(!cut, 'the name is cut off');
      ok((await page.run(`return find(['ap-header', '.preset']).title`)).includes('A trained translator'), 'its title');
    },
  },
  {
    first: true,
    name: 'outside: a training goes on at the pace that was chosen, after a reload too',
    async run(page) {
      await page.click('ap-header', '[data-place="train"]');
      const pace = ['ap-train-bar', 'select'];
      await page.until(`return find(['ap-train-side'])?.desk.training.phase === 'ready'`);
      await page.run(`const select = find(values[0]); select.value = '0'; select.dispatchEvent(new Event('change'))`,
        pace);
      await page.until(`return document.querySelector('attention-playground').resting`);
      await page.driver.reload();
      await page.until(`return find(['ap-train-side'])?.desk.training.pace === 0`);
      equal(await page.run(`return find(values[0]).value`, pace), '0', 'the choice');
    },
  },
];
