// SPDX-License-Identifier: Apache-2.0
import { compare, equal, ok } from '../check.mjs';

const tokens = async (page) => (await page.document()).inputs.x.tokens;

export const editing = [
  {
    name: 'a sentence can be typed',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Type your own words');
      await page.fill('see that girl run!', 'ap-inputs', 'textarea');
      equal(await tokens(page), ['see', 'that', 'girl', 'run', '!'], 'tokens');
      await compare(page, 'typed sentence');
    },
  },
  {
    name: 'a space that is typed before the page has drawn the word stays in the box',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Type your own words');
      const kept = await page.run(`const box = find(['ap-inputs', 'textarea']);
        for (const text of ['see that', 'see that ']) {
          box.value = text;
          box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        }
        for (let k = 0; k < 3; k++) await new Promise((resolve) => requestAnimationFrame(resolve));
        return box.value;`);
      equal([kept, await tokens(page)], ['see that ', ['see', 'that']], 'box and tokens');
      await page.chord('Control', 'z');
      equal(await page.run(`return find(['ap-inputs', 'textarea']).value.trim() === values[0]`,
        (await tokens(page)).join(' ')), true, 'what is undone goes from the box');
    },
  },
  {
    name: 'chips can be added, edited, moved and deleted',
    async run(page) {
      await page.clickText('.chip', 'Add token');
      await page.driver.keyboard.type('well');
      await page.press('Enter');
      equal((await tokens(page)).at(-1), 'well', 'added');
      await page.run(`find(['ap-tokens', '.chip'], true)[0].focus()`);
      await page.chord('Alt', 'ArrowRight');
      equal((await tokens(page)).slice(0, 2), ['animal', 'the'], 'moved');
      await page.run(`find(['ap-tokens', '.chip'], true)[0].focus()`);
      await page.press('F2');
      await page.driver.keyboard.type('cat');
      await page.press('Enter');
      equal((await tokens(page))[0], 'cat', 'edited');
      await page.run(`find(['ap-tokens', '.chip'], true)[1].focus()`);
      await page.press('Delete');
      equal((await tokens(page)).slice(0, 2), ['cat', 'was'], 'deleted');
      await compare(page, 'edited tokens');
    },
  },
  {
    name: 'undo, redo and reset',
    async run(page) {
      const before = await page.document();
      await page.fill('77', 'ap-knob[data-path="/seed"]', 'input.num');
      equal((await page.document()).seed, 77, 'seed');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
      await compare(page, 'undone');
      await page.click('ap-header', '[aria-label="Redo"]');
      equal((await page.document()).seed, 77, 'redone');
      await compare(page, 'redone');
      await page.clickText('button', 'Draw again');
      const { seed } = await page.document();
      ok(seed !== 77, 'a new draw');
      await page.run(`document.querySelector('attention-playground').store.documents.set('/mechanism/heads', `
        + `undefined)`);
      await page.clickText('button', 'Reset');
      equal(await page.document(), { ...before, seed }, 'reset keeps the seed');
    },
  },
  {
    name: 'a parameter cell can be set; a computed cell refuses and says why',
    async run(page) {
      const name = await page.run(`return `
        + `document.querySelector('attention-playground').store.sessions.result.all('parameters')[0].name`);
      const place = [`ap-matrix[data-tensor="${name}"]`];
      await page.clickAt(place, 0.01, 0.01);
      await page.press('F2');
      await page.driver.keyboard.type('2.5');
      await page.press('Enter');
      equal((await page.document()).parameters[name].flat(2)[0], 2.5, 'first cell');
      await compare(page, 'with a parameter given');
      await page.clickAt(['ap-matrix[data-tensor="scores"]'], 0.05, 0.05);
      await page.press('F2');
      ok((await page.text('.notice')).includes('This value is computed'), 'the reason is shown');
    },
  },
  {
    name: 'an input cell can be set, and the words come back',
    async run(page) {
      await page.clickAt(['ap-matrix[data-tensor="x"]'], 0.01, 0.05);
      await page.press('F2');
      await page.driver.keyboard.type('-3');
      await page.press('Enter');
      equal((await page.document()).inputs.x.features.matrix[0][0], -3, 'cell');
      await compare(page, 'with a matrix');
      await page.clickText('button', 'Back to words');
      equal((await page.document()).inputs.x.features, { type: 'embedding', dim: 16 }, 'features');
      equal((await tokens(page))[0], 'the', 'words');
    },
  },
];
