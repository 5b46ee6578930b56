// SPDX-License-Identifier: Apache-2.0
// What an author of teaching pages, who met the page from outside, stumbled over.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';
import { drop } from '../files.mjs';

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
      await page.until(`return find(['ap-bring', '.found .note'])?.textContent.includes('no words')`);
      equal(await page.count('ap-bring', '[data-use]'), 0, 'nothing to use');
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
];
