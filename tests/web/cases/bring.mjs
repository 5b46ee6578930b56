// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { compare, equal, ok } from '../check.mjs';
import { drop, pasteAt, runPython } from '../files.mjs';

const found = (page) => page.until(
  `return find(['ap-bring', '.found'])?.dataset.found ?? find(['ap-bring', '.error'])?.textContent`);
const use = async (page) => {
  await page.click('ap-bring', '[data-use]');
  await page.settled();
};
const byHand = JSON.parse(readFileSync(new URL('../../../examples/i-love-you.json', import.meta.url), 'utf8'));
const x = async (page) => (await page.document()).inputs.x;

export const bring = [
  {
    name: 'bring: a pasted table becomes named rows, and undo brings the words back',
    async run(page) {
      const before = await page.document();
      await pasteAt(page, ['.page'], 'name;a;b\nred;0,5;1\nblue;-1;0,25\n"green; dark";2;3');
      equal(await found(page), 'matrix', 'understood');
      equal(await page.axe(), [], 'axe');
      await page.run(`const { store } = document.querySelector('attention-playground'); `
        + `store.documents.set('/mechanism/heads', undefined)`);
      await use(page);
      equal(await x(page), { tokens: ['red', 'blue', 'green; dark'],
        features: { type: 'matrix', matrix: [[0.5, 1], [-1, 0.25], [2, 3]] } }, 'input');
      await compare(page, 'with a table');
      ok((await page.text('ap-inputs', '.head')).includes('Your own numbers'), 'labelled for what it is');
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
    },
  },
  {
    name: 'bring: numbers pasted where words are typed are not words; words are',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Type your own words');
      await pasteAt(page, ['ap-inputs', 'textarea'], '[[1, 0], [0, 1]]');
      equal(await found(page), 'matrix', 'understood');
      await page.press('Escape');
      await page.until(`return !find(['ap-bring'])`);
      await pasteAt(page, ['.page'], 'Colourless green ideas sleep.');
      equal(await found(page), 'words', 'understood');
      await use(page);
      equal((await x(page)).tokens, ['Colourless', 'green', 'ideas', 'sleep', '.'], 'words');
      await compare(page, 'with pasted words');
    },
  },
  {
    name: 'bring: a .npy file that NumPy wrote',
    async run(page) {
      const base64 = await runPython(`
import base64, io, numpy as np
to = io.BytesIO()
np.save(to, np.asfortranarray(np.arange(128, dtype='>f8').reshape(8, 16) / 100))
print(base64.b64encode(to.getvalue()).decode())`);
      await drop(page, 'x.npy', '', Buffer.from(base64, 'base64'));
      equal(await found(page), 'matrix', 'understood');
      await use(page);
      const { tokens, features } = await x(page);
      equal(tokens[1], 'animal', 'as many rows as words: the words stay');
      equal([features.matrix[0][1], features.matrix[7][15]], [0.01, 1.27], 'numbers');
      await compare(page, 'with .npy');
    },
  },
  {
    name: 'bring: an image becomes regions, honestly labelled',
    async run(page) {
      const base64 = await page.run(`
        const canvas = document.createElement('canvas');
        canvas.width = 80; canvas.height = 60;
        const to = canvas.getContext('2d');
        to.fillStyle = '#ff0000'; to.fillRect(0, 0, 40, 60);
        to.fillStyle = '#0000ff'; to.fillRect(40, 0, 40, 60);
        return canvas.toDataURL('image/png').split(',')[1];`);
      await drop(page, 'flag.png', 'image/png', Buffer.from(base64, 'base64'));
      equal(await found(page), 'matrix', 'understood');
      ok((await page.text('ap-bring', '.found')).includes('not a trained vision model'), 'honest');
      await page.run(`document.querySelector('attention-playground').store.documents.set('/mechanism/heads', `
        + `undefined)`);
      await use(page);
      const { tokens, features } = await x(page);
      equal([tokens.length, tokens[0], tokens[15]], [16, '1.1', '4.4'], 'regions');
      const [first] = features.matrix;
      ok(first[0] > 0.95 && first[2] < -0.95 && features.matrix[3][11] > 0.95,
        `red, then blue: ${first} ${features.matrix[3]}`);
      await compare(page, 'with an image');
    },
  },
  {
    name: 'bring: what cannot be read is said in words, and nothing changes',
    async run(page) {
      const before = await page.document();
      const bad = [['a.csv', '1,2\n3', 'Row 2 has 1'], ['a.csv', 'a,b\n1,2\n3,x', '“x”'],
        ['a.json', '{"a":', 'cannot be read'], ['a.json', '[[1,2],[3]]', 'differ in length'],
        ['a.json', '{"schema":"s","inputs":{},"mechanism":{"__proto__":{}}}', ''], ['a.npy', '\u0093NUMPY', 'npy'],
        ['a.json', '{"shape":[2,2],"data":[1]}', 'does not fit'], ['a.png', 'no image', 'cannot be read']];
      for (const [name, text, word] of bad) {
        await drop(page, name, name.endsWith('png') ? 'image/png' : '', text);
        const said = await page.until(`return find(['ap-bring', '.error'])?.textContent`);
        ok(said.includes(word), `${name}: ${said}`);
        await page.press('Escape');
        await page.until(`return !find(['ap-bring'])`);
      }
      equal(await page.document(), before, 'untouched');
    },
  },
  {
    name: 'bring: features can be one-hot, random or an own matrix, each named for what it is',
    async run(page) {
      const select = 'select[data-path="/inputs/x/features/type"]';
      const become = (type) => page.run(
        `const s = find([values[0]]); s.value = values[1]; s.dispatchEvent(new Event('change'))`, select, type)
        .then(() => page.settled());
      const head = () => page.text('ap-inputs', '.head');
      ok((await head()).includes('not a trained model'), 'random');
      const numbers = await page.run(
        `return Array.from(document.querySelector('attention-playground').store.sessions.result.find('x', `
        + `'inputs').data)`);
      await become('matrix');
      const { matrix } = (await x(page)).features;
      equal(matrix.flat().map(Math.fround), numbers, 'an own matrix begins as what was there');
      ok((await head()).includes('Your own numbers'), 'own');
      await compare(page, 'own matrix');
      await become('one-hot');
      ok((await head()).includes('One-hot'), 'one-hot');
      await compare(page, 'one-hot');
      for (let k = 0; k < 2; k++) await page.click('ap-header', '[aria-label="Undo"]');
      equal((await x(page)).features, { type: 'embedding', dim: 16 }, 'undone');
    },
  },
  {
    name: 'bring: what is asked for beside an input goes into that input',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, byHand);
      await page.settled();
      const rows = { energy: [[2, 1, 0.1], [1, 1, 1], [0, 3, 0]], key: [[1, 0, 0], [0, 1, 0], [1, 1, 1]] };
      for (const [name, matrix] of Object.entries(rows)) {
        await page.click('ap-inputs', `[data-input="${name}"] [data-dialog="bring"]`);
        await page.until(`return !!find(['ap-bring', 'textarea'])`);
        await page.run(`const field = find(['ap-bring', 'textarea']); field.value = values[0];
          field.dispatchEvent(new Event('input'))`, matrix.join('\n'));
        equal(await found(page), 'matrix', 'understood');
        equal(await page.run(`return find(['ap-bring', 'select']).value`), name, 'it says which input');
        await use(page);
      }
      const { inputs } = await page.document();
      equal([inputs.query, inputs.energy.matrix, inputs.key.features.matrix],
        [byHand.inputs.query, rows.energy, rows.key], 'each in its own');
      await page.click('ap-inputs', '[data-input="key"] [data-part="type"]');
      await pasteAt(page, ['ap-inputs', '[data-input="key"] textarea'], '[[1, 0, 0], [0, 1, 0], [0, 0, 1]]');
      equal(await found(page), 'matrix', 'understood');
      equal(await page.run(`return find(['ap-bring', 'select']).value`), 'key', 'pasted there');
    },
  },
  {
    name: 'bring: an element whose inputs are locked takes nothing',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').setAttribute('lock', 'inputs')`);
      await drop(page, 'a.csv', 'text/csv', '1,2\n3,4');
      await page.settled();
      equal(await page.count('ap-bring'), 0, 'no dialog');
    },
  },
];
