// SPDX-License-Identifier: Apache-2.0
// What the eighteenth stranger stumbled over. Each case begins at the first page.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const several = `find(['ap-train-several']).desk.several`;
const go = (page, place) => page.click('ap-header', `[data-place="${place}"]`);
const askLesson = async (page, id) => {
  await page.run(`document.querySelector('attention-playground').dialog('learn')`);
  await page.until(`return !!find(['ap-lesson-list', '[data-lesson="' + values[0] + '"]'])`, id);
  await page.click('ap-lesson-list', `[data-lesson="${id}"]`);
};

export const eighteenth = [
  {
    first: true,
    name: 'eighteenth: a lesson chosen on Compare comes before the reader, once and again, and Compare comes back',
    async run(page) {
      await go(page, 'compare');
      for (let k = 0; k < 2; k++) {
        await page.until(`return ${store}.view.place === 'compare'`);
        await askLesson(page, 'causal');
        await page.until(`return ${store}.view.place === 'look' && !!find(['ap-lesson', '.do'])`);
        if (k === 0) await go(page, 'compare');
      }
      await page.click('ap-lesson', 'header .icon');
      await page.until(`return ${store}.view.place === 'compare'`);
      await go(page, 'train');
      await askLesson(page, 'not-explanation');
      await page.until(`return !!find(['ap-train', 'ap-lesson'])`);
      await page.run(`globalThis.placesSeen = new Set(); const watch = () => { placesSeen.add(${store}.view.place);
        requestAnimationFrame(watch); }; watch()`);
      await page.click('ap-lesson', 'header .icon');
      await page.settled();
      equal(await page.run(`return [...placesSeen]`), ['train'], 'a lesson left in Train');
    },
  },
  {
    first: true,
    name: 'eighteenth: models and curves of another task are not shown, and a table says what it is of',
    async run(page) {
      await go(page, 'train');
      await page.until(`return !!find(['ap-train', '[data-tab="several"]'])`);
      await page.run(`const menu = find(['ap-train', 'select'], true).find((one) => one.options.length > 5);
        menu.selectedIndex = [...menu.options].findIndex(({ textContent }) => /reverses eight/.test(textContent));
        menu.dispatchEvent(new Event('change'))`);
      await page.click('ap-train', '[data-tab="several"]');
      await page.until(`return /reverses eight/
        .test(find(['ap-train-several'])?.desk.training.begun?.document?.title)`);
      await page.run(`const steps = find(['ap-train-several', '.steps input']); steps.value = '4';
        steps.dispatchEvent(new Event('change'))`);
      await page.until(`return !find(['ap-train-several', '[data-part="begin-several"]']).disabled`);
      await page.click('ap-train-several', '[data-part="begin-several"]');
      for (let k = 0; k < 3; k++) await page.until(`return ${several}.finished`).catch((problem) => {
        if (k === 2) throw problem; });
      equal(await page.count('ap-train-several', '[data-part="before"]'), 0, 'those that were chosen');
      const says = await page.text('ap-train-several', '[data-part="spark-legend"]');
      ok(/all 500 held-out examples, earlier ones from 96 of them/.test(says), says);
      // The same weights on the same examples: one accuracy.
      await page.click('ap-train-several', '[data-part="by-length"]');
      const rows = await page.until(`const { found, done } = find(['ap-train-several', 'ap-train-lengths']);
        return done === undefined && found.length > 0 && found.map(({ points }) => points[0])`);
      const last = await page.run(`return ${several}.cells.map(({ training }) =>
        training.history.measured.at(-1).accuracy)`);
      equal(rows.map(({ accuracy }) => accuracy), last, 'accuracies at the length that was trained');
      equal(rows[0].heldOut, 500, 'held-out examples');
      await page.run(`const menu = find(['ap-train-several', '[data-part="axis-0"]']); menu.value = '/seed';
        menu.dispatchEvent(new Event('change'))`);
      await page.until(`return !!find(['ap-train-several', '[data-part="before"]'])`);
      await askLesson(page, 'not-explanation');
      await page.until(`return find(['ap-train-several'], true).length === 0
        && !!find(['ap-train', '[data-part="play"]'])`);
      await page.until(`return find(['ap-train-curves'])?.desk.training.history.measured.length > 0`);
      equal(await page.count('ap-train-curves', '.line.other'), 0, 'curves of digits beside a translator');
      equal(await page.run(`return find(['ap-train-curves']).desk.runs.all.length`), last.length, 'kept');
    },
  },
];
