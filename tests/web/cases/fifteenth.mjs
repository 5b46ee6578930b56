// SPDX-License-Identifier: Apache-2.0
// What the fifteenth stranger stumbled over.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const speak = (page, code) => page.run(`const select = find(['ap-language', 'select']);
  select.value = values[0];
  select.dispatchEvent(new Event('change', { bubbles: true }))`, code);

export const fifteenth = [
  {
    name: 'fifteenth: a number that is kept says what it was before, and paper shows the whole page',
    async run(page) {
      const before = await page.text('ap-card', '.big');
      await page.run(`const { documents } = ${store}; documents.change((draft) => {
        draft.mechanism.alignment.temperature = 2; })`);
      await page.until(`return find(['ap-card', '[data-part="earlier"]'])?.textContent === values[0]`,
        `before: ${before}`);
      await page.driver.emulateMedia?.({ media: 'print' });
      const [seen, hidden] = await page.run(`return [find(['ap-flow']).getBoundingClientRect().bottom,
        find(['ap-header']).getBoundingClientRect().height]`);
      const high = await page.run(`return document.querySelector('attention-playground').offsetHeight`);
      ok(high >= seen && hidden === 0, `${high} pixels for ${seen}, controls ${hidden}`);
    },
  },
  {
    name: 'fifteenth: paper shows the page of a phone, even while its menu is open',
    view: { width: 360, height: 740 },
    async run(page) {
      await page.click('ap-header', '[aria-expanded]');
      await page.until(`return !find(['ap-flow'])`);
      // What a browser does before it prints: it waits for no frame, only for what follows at once.
      const pixels = await page.run(`dispatchEvent(new Event('beforeprint'));
        for (let k = 0; k < 99; k++) await undefined;
        const canvases = find(['ap-flow', 'ap-matrix', 'canvas'], true);
        dispatchEvent(new Event('afterprint'));
        return canvases.map(({ width }) => width);`);
      ok(pixels.length > 3 && pixels.some((width) => width !== 300), `drawn matrices: ${pixels}`);
    },
  },
  {
    first: true,
    name: 'fifteenth: a sentence about the cost changes with the language as a whole',
    async run(page) {
      await speak(page, 'de');
      await page.click('ap-header', '[data-place="compare"]');
      const said = `[...find(['ap-efficient', '[data-part="refused"]'], true)].map((one) => one.textContent).join('')`;
      await page.until(`return ${said}.includes('das Dokument')`);
      await speak(page, 'en');
      await page.until(`return ${said}.includes('the document')`);
      ok(!(await page.run(`return ${said}`)).includes('Dokument'), 'no word of the other language');
    },
  },
  {
    name: 'fifteenth: a question finds what some of its words name',
    async run(page) {
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.fill('which mask leaks the future', 'ap-gallery', 'input[role="searchbox"]');
      await page.until(`return find(['ap-gallery', '[data-part="part"]'])
        && find(['ap-gallery', 'button[data-kind]'], true).length > 0`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'fifteenth: a link can give each reader another seed',
    async run(page, origin) {
      await page.run(`document.querySelector('attention-playground').dialog('share')`);
      await page.click('ap-share', '[data-part="new-seed"]');
      const link = await page.until(`const field = find(['ap-share', '#link']);
        return field.value.endsWith('&seed=new') && field.value`);
      const seeds = [];
      for (let k = 0; k < 2; k++) {
        await page.leave();
        await page.go(link.replace(/^[^#]*/, `${origin}/`));
        await page.until(`return ${store}.documents.document.inputs.x !== undefined`);
        seeds.push((await page.document()).seed);
      }
      ok(seeds[0] !== seeds[1], `${seeds}`);
    },
  },
];
