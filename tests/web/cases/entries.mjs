// SPDX-License-Identifier: Apache-2.0
// What the eleventh stranger stumbled over in the gallery, in Questions, and in what both open.
import { equal, ok } from '../check.mjs';

// The dialog is opened and typed into within one turn: nothing of it can be there yet.
const typeAtOnce = (page, dialog, keys) => page.run(`
  find(['ap-header', '[data-dialog="' + values[0] + '"]'])?.click()
    ?? document.querySelector('attention-playground').dialog(values[0]);
  for (const key of values[1]) {
    const init = { key, bubbles: true, cancelable: true, composed: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', init));
  }`, dialog, keys);

export const entries = [
  {
    name: 'entries: what is typed before the gallery is there is searched for in it, and starts no lecture',
    async run(page) {
      await typeAtOnce(page, 'presets', ['p', 'o', 's', 'x', 'Backspace']);
      await page.until(`return !!find(['ap-gallery', '.find input'])`);
      await page.settled();
      equal(await page.run(`return find(['ap-gallery', '.find input']).value`), 'pos', 'searched for');
      equal(await page.count('ap-lecture'), 0, 'lectures');
      // The field has the focus, so the rest of the word goes there, too.
      await page.driver.keyboard.type('itions');
      await page.settled();
      equal(await page.run(`return find(['ap-gallery']).search`), 'positions', 'all of the word');
      await page.press('Escape');
      await page.until(`return !find(['ap-gallery'])`);
      await page.press('p');
      await page.until(`return !!find(['ap-lecture'])`);
      ok(true, 'the page has its keys again');
    },
  },
  {
    name: 'entries: Questions leads to what the gallery finds for the same words',
    async run(page) {
      await page.click('ap-header', '[data-dialog="learn"]');
      await page.until(`return !!find(['ap-lesson-list', '[data-door]'])`);
      equal(await page.count('ap-lesson-list', '[data-part="gallery"]'), 0, 'nothing is searched for yet');
      for (const word of ['cache', 'embed', 'rope']) {
        await page.run(`const input = find(['ap-lesson-list', 'input']); input.value = values[0];
          input.dispatchEvent(new Event('input')); await find(['ap-lesson-list']).updateComplete`, word);
        await page.until(word === 'embed' ? `return !!find(['ap-lesson-list', '[data-door="embed"]'])`
          : `return find(['ap-lesson-list', '[data-part="gallery"]'])?.textContent.includes(values[0])`, word);
      }
      const said = await page.text('ap-lesson-list', '[data-part="gallery"]');
      await page.click('ap-lesson-list', '[data-part="gallery"]');
      await page.until(`return find(['ap-gallery', '.find input'])?.value === 'rope'`);
      await page.settled();
      const count = (await page.text('ap-gallery', '[role="status"]')).match(/\d+/)[0];
      ok(said.includes(`“rope”: ${count} `), `${said}, and ${count} in the gallery`);
    },
  },
  {
    name: 'entries: a mechanism opens with its name, what it does, a system to try, and words; a window hides some',
    async run(page) {
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '.find input'])`);
      await page.driver.keyboard.type('sliding window');
      await page.settled();
      await page.press('Enter');
      await page.until(`return !find(['ap-gallery']) && !!find(['ap-story', '[data-part="mechanism"]'])`);
      await page.settled();
      const { title, inputs } = await page.document();
      equal(title, 'Sliding window', 'its title');
      equal(await page.text('ap-header', '.preset'), title, 'the header says which it is');
      equal(await page.text('ap-story', 'h2'), title, 'its name above the picture');
      ok((await page.text('ap-story', '[data-part="mechanism"]')).includes('Try this: Open a system'), 'what to try');
      equal(inputs.query.tokens.slice(0, 5).join(' '), 'they see the red car', 'rows are words');
      const hidden = await page.run(`
        const { result } = document.querySelector('attention-playground').store.sessions;
        const { data, shape } = result.find('mask', 'outputs');
        return Array.from({ length: shape[0] }, (_, i) => data.slice(i * shape[1], i * shape[1] + i + 1)
          .filter((x) => x === 0).length);`);
      ok(hidden.at(-1) > 1, `earlier words that a row does not see: ${hidden}`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-story', '[data-part="system-with"]');
      await page.until(`return !!find(['ap-story', '[data-part="system"]'])`);
    },
  },
  {
    name: 'entries: on the first page the words that were chosen are words, there is one loss, and no cell is −0',
    first: true,
    async run(page) {
      await page.driver.mouse.move(700, 400); // the rest of the page comes once somebody turns to it
      await page.run(`document.querySelector('attention-playground').store.view.show({ how: true })`);
      await page.settled();
      await page.until(`return !!find(['ap-view[data-view="decoder.tokens"]', '.chips'])`);
      const chosen = await page.run(
        `return find(['ap-view[data-view="decoder.tokens"]', '.chips'])?.getAttribute('aria-label')`);
      equal(chosen.split(', '), (await page.document()).inputs.target.tokens, 'what it chose');
      const titles = await page.run(`return find(['ap-flow', '.many .title'], true).map((one) => one.textContent)`);
      equal(titles.filter((title) => title.startsWith('Loss')).length, 1, `losses among ${titles}`);
      const cells = await page.run(`return find(['ap-matrix text'], true).map((one) => one.textContent)`);
      equal(cells.filter((text) => text === '−0'), [], 'cells');
    },
  },
];
