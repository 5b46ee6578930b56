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
    name: 'entries: on the first page no cell is −0',
    first: true,
    async run(page) {
      await page.driver.mouse.move(700, 400); // the rest of the page comes once somebody turns to it
      await page.run(`document.querySelector('attention-playground').store.view.show({ how: true })`);
      await page.settled();
      const cells = await page.run(`return find(['ap-matrix text'], true).map((one) => one.textContent)`);
      equal(cells.filter((text) => text === '−0'), [], 'cells');
    },
  },
  {
    name: 'entries: on a phone written words have equal gaps, and the map follows below what is typed',
    only: 'chromium',
    first: true,
    view: { width: 360, height: 740, touch: true },
    async run(page) {
      await page.run(`Object.assign(document.querySelector('attention-playground'), { open: true, tab: 'inputs' })`);
      await page.until(`return !!find(['ap-inputs', '[data-part="type"]'])`);
      await page.run(`find(['ap-inputs', '[data-part="type"]']).click()`);
      await page.until(`return !!find(['ap-inputs', 'textarea'])`);
      await page.driver.keyboard.type('we love the cat');
      await page.settled();
      await page.until(`return find(['ap-inputs', '.word'], true).map((one) => one.textContent.trim()).join(' ')
        .startsWith('nous aimons le')`);
      // The letters of a word, without the space before them.
      const edges = await page.run(`return find(['ap-inputs', '.word'], true).map((one) => {
        const [text] = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
        const range = document.createRange();
        range.setStart(text, text.data.length - text.data.trimStart().length);
        range.setEnd(text, text.data.trimEnd().length);
        const { left, right } = range.getBoundingClientRect();
        return [left, right]; })`);
      const gaps = edges.slice(1).map(([left], k) => left - edges[k][1]);
      ok(Math.max(...gaps) - Math.min(...gaps) < 1.5, `gaps between words: ${gaps}`);
      const rows = await page.run(`return find(['ap-flow[bare]'])?.getBoundingClientRect().top`);
      ok(rows < 600, `the map begins at ${rows}`);
      ok(await page.run(`return find(['ap-flow', '*'], true).some((one) => one.textContent.trim() === 'aimons')`),
        'it is that of what was typed');
      equal(await page.count('ap-inputs', 'textarea:focus'), 1, 'one types on');
    },
  },
  {
    name: 'entries: Arabic notes begin at one edge, a field shows its whole number, and masked cells look alike',
    first: true,
    async run(page) {
      await page.driver.mouse.move(700, 400);
      await page.run(`const select = find(['ap-language', 'select']); select.value = 'ar';
        select.dispatchEvent(new Event('change', { bubbles: true }))`);
      await page.until(`return document.querySelector('attention-playground').lang === 'ar'`);
      await page.settled();
      const edges = await page.until(`const all = find(['ap-margin', 'button'], true);
        return all.length > 2 && all.map((one) => Math.round(one.getBoundingClientRect().right))`);
      equal(new Set(edges).size, 1, `right edges of the notes: ${edges}`);
      await page.decoder();
      await page.run(`const { documents } = document.querySelector('attention-playground').store;
        documents.change((draft) => {
          draft.mechanism.score = { type: 'scaled-dot', scale: 0.1768 };
          draft.mechanism.mask = ['mask-causal'];
          draft.inputs.x.tokens = Array.from({ length: 24 }, (_, k) => 'w' + k);
        })`);
      await page.settled();
      const cut = await page.until(`const all = find(['ap-knob', '.num'], true).filter((one) => /1768/.test(one.value));
        return all.length > 0 && all.map((one) => one.scrollWidth - one.clientWidth)`);
      ok(Math.max(...cut) <= 0, `so much of a number is cut: ${cut}`);
      await page.run(`find(['ap-heads-overview', 'details']).open = true`);
      // Above the diagonal: hatches on bare paper, as in the large map.
      const alphas = await page.until(`const canvas = find(['ap-all-heads', 'ap-heat', 'canvas']);
        if (!canvas?.width) return false;
        const { width, height } = canvas;
        const { data } = canvas.getContext('2d').getImageData(width * 0.6, 0, width * 0.4, height * 0.4);
        const seen = new Set(data.filter((_, k) => k % 4 === 3));
        return seen.size > 0 && [...seen];`);
      ok(alphas.includes(0) && alphas.length > 1, `masked cells are flat: ${alphas}`);
    },
  },
];
