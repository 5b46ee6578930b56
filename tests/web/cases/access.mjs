// SPDX-License-Identifier: Apache-2.0
import { equal, ok } from '../check.mjs';

const views = {
  'wide': { width: 1440, height: 900 },
  'wide and dark': { width: 1440, height: 900, dark: true },
  'medium': { width: 1100, height: 800 },
  'small': { width: 800, height: 900 },
  'narrow': { width: 360, height: 800 },
  'narrow and dark': { width: 360, height: 800, dark: true },
};

// Nothing may reach past the edge of the window sideways.
const fits = (page) => page.run(
  `return document.documentElement.scrollWidth <= innerWidth && find(['.page']).scrollWidth <= innerWidth`);

const states = [
  ['at first', async () => undefined],
  ['unlocked', async (page) => page.click('ap-card', '[aria-label="Close"]')],
  ['in lines', async (page) => page.clickText('.seg button', 'Lines')],
  ['as text', async (page) => page.clickText('.seg button', 'Text')],
  ['as a table', async (page) => page.clickText('.seg button', 'Table')],
];

const dialogs = ['presets', 'learn', 'share', 'embed', 'take', 'bring'];
const opened = async (page, name) => {
  await page.run(`await document.querySelector('attention-playground').dialog(values[0])`, name);
  await page.until(`return find(['dialog[open] .in > *', 'button, input, `
    + `textarea'])?.getBoundingClientRect().height > 0`);
  await page.settled();
};
// A dialog neither reaches past the edge nor has parts that do.
const dialogFits = (page) => page.run(`
  const dialog = find(['dialog[open]']);
  const box = dialog.getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && dialog.scrollWidth <= dialog.clientWidth + 1;`);

const store = `document.querySelector('attention-playground').store`;

export const access = [
  {
    name: 'access: lines are walked by the keyboard, query by query and from the largest weight on, and heard',
    async run(page) {
      await page.run(`${store}.selection.hold(undefined); ${store}.view.show({ view: 'lines' })`);
      await page.until(`return !!find(['ap-lines', '.stop'])`);
      await page.run(`find(['ap-lines', '.stop']).focus()`);
      const wanted = await page.run(`const { result } = ${store}.sessions; const t = result.find('weights');
        const cols = t.shape.at(-1); const row = [...t.data.slice(cols, 2 * cols)];
        return row.map((value, j) => [value, j]).sort((a, b) => b[0] - a[0]).map(([, j]) => j);`);
      const at = () => page.run(`return ${store}.selection.hover?.index.slice(-2)`);
      await page.press('ArrowDown');
      await page.press('ArrowDown');
      equal(await at(), [1, wanted[0]], 'down: the largest weight of the second query');
      await page.press('ArrowRight');
      equal(await at(), [1, wanted[1]], 'right: the second largest');
      ok((await page.text('ap-steps', '.live')).length > 3, 'the live line says it');
      ok((await page.run(`return find(['ap-lines', '.stop']).getAttribute('aria-label')`)).includes('→'),
        'and so does the name of what has the focus');
      await page.press('Enter');
      equal(await page.run(`return ${store}.selection.lock?.index.slice(-2)`), [1, wanted[1]], 'Enter locks');
      ok((await page.text('ap-live', '[role="status"]')).trim().endsWith(', locked'), 'and says so');
      await page.press('Escape');
      equal(await page.run(`return ${store}.selection.lock ?? null`), null, 'Escape unlocks');
      equal(await page.axe(), [], 'axe');
    },
  },
  ...[['medium', { width: 1024, height: 768 }], ['narrow', { width: 390, height: 844 }]].map(([name, view]) => ({
    name: `access: what is locked stays above the sheet, ${name}`,
    view,
    first: true,
    async run(page) {
      await page.until(`return !!${store}.sessions.result`);
      await page.run(`const t = ${store}.sessions.result.tensors.find((one) => one.role === 'weights');
        ${store}.selection.hold({ group: t.group, tensor: t.name, index: [1, 2] });`);
      const hidden = `const sheet = find(['ap-sheet']); const matrix = find(['ap-flow', 'ap-matrix[data-tensor]'], true)
        .find((e) => e.dataset.tensor === ${store}.selection.lock.tensor);
        return matrix.getBoundingClientRect().bottom - sheet.getBoundingClientRect().top`;
      await page.until(`return !!find(['ap-sheet', '.grip']) && (() => { ${hidden} })() <= 0`);
    },
  })),
  ...['wide', 'wide and dark', 'narrow', 'narrow and dark'].map((name) => ({
    name: `axe finds nothing in any dialog, and all fit: ${name}`,
    view: views[name],
    async run(page) {
      for (const dialog of dialogs) {
        await opened(page, dialog);
        equal(await page.axe(), [], dialog);
        ok(await dialogFits(page), `${dialog} reaches past the edge`);
        await page.press('Escape');
        await page.until(`return !find(['dialog[open]'])`);
      }
    },
  })),
  ...Object.entries(views).map(([name, view]) => ({
    name: `axe finds nothing, and all fits: ${name}`,
    view,
    async run(page) {
      for (const [state, enter] of states) {
        await enter(page);
        await page.settled();
        equal(await page.axe(), [], state);
        ok(await fits(page), `${state}: something reaches past the edge`);
      }
    },
  })),
  {
    name: 'axe finds nothing: an open menu, an error, the narrow controls',
    async run(page) {
      await page.click('ap-menu[data-path="/mechanism/alignment"]', 'button');
      equal(await page.axe(), [], 'menu');
      await page.press('Escape');
      await page.fill('-3', 'ap-knob[data-path="/mechanism/heads/count"]', 'input.num');
      equal(await page.axe(), [], 'error');
    },
  },
  {
    name: 'axe finds nothing: the narrow controls',
    view: { width: 360, height: 800 },
    async run(page) {
      await page.click('ap-header', '[aria-label="Show controls"]');
      equal(await page.axe(), [], 'mechanism');
      await page.clickText('.tabs button', 'Inputs');
      equal(await page.axe(), [], 'inputs');
      ok(await fits(page), 'something reaches past the edge');
    },
  },
];
