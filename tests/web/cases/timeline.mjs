// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const system = (id) => JSON.parse(
  readFileSync(new URL(`../../../systems/${id}.json`, import.meta.url), 'utf8')).document;
const show = async (page, id) => {
  await page.run(`const { store } = document.querySelector('attention-playground'); store.documents.replace(values[0])`,
    system(id));
  await page.until(`return !!find(['ap-timeline', '.frame'])`);
  await page.settled();
};
const lock = (page) => page.run(`return document.querySelector('attention-playground').store.selection.lock ?? null`);
const largest = (page, tensor, row) => page.run(`
  const t = document.querySelector('attention-playground').store.sessions.result.whole(values[0], 'outputs');
  const n = t.shape.at(-1);
  const row = Array.from(t.data.slice(values[1] * n, (values[1] + 1) * n));
  return row.indexOf(Math.max(...row));`, tensor, row);

export const timelines = [
  {
    name: 'timeline: decoder steps are walked by keyboard, and the card, the image and the scrubber follow',
    async run(page) {
      await show(page, 'show-attend-tell');
      const words = system('show-attend-tell').inputs.caption.tokens;
      equal(await page.run(`return find(['ap-timeline', '.frame b'], true).map((e) => e.textContent)`), words,
        'a frame a word');
      equal(await page.count('ap-timeline', 'canvas[data-frame]'), words.length, 'an image a frame');
      await page.run(`find(['ap-timeline', '.frame']).focus()`);
      await page.press('ArrowRight');
      await page.press('ArrowRight');
      equal((await lock(page)).index, [2, await largest(page, 'decoder.weights', 2)],
        'the third word, where it looks most');
      equal(await page.run(`return find(['ap-timeline', '.frame[aria-current]']).dataset.step`), '2',
        'the frame is marked');
      ok(await page.run(`const f = find(['ap-timeline', '.frame[aria-current]']); return `
        + `f.getRootNode().activeElement === f`), 'and has the focus');
      equal(await page.run(`return find(['ap-timeline', 'input[type=range]']).value`), '2', 'the scrubber follows');
      ok((await page.text('ap-image', '.says')).startsWith('disc attends most to row '),
        await page.text('ap-image', '.says'));
      ok((await page.run(`return find(['ap-image', '.stops span'], true).map((e) => e.textContent).join(' ')`))
        .includes('3'), 'the track has its stop');
      await page.press('End');
      equal((await lock(page)).index[0], words.length - 1, 'the last one');
      await page.run(`const r = find(['ap-timeline', 'input[type=range]']); r.value = '1'; r.dispatchEvent(new `
        + `Event('input'))`);
      await page.settled();
      equal((await lock(page)).index[0], 1, 'scrubbed');
      await page.click('ap-timeline', '[aria-label="Play the steps"]');
      equal((await lock(page)).index[0], 2, 'without motion play is one step');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'timeline: hops are a path over the keys, told in a sentence',
    async run(page) {
      await show(page, 'memn2n');
      const hops = system('memn2n').model.find(({ type }) => type === 'memnet-hop').hops;
      equal(await page.count('ap-timeline', '.frame'), hops, 'a frame a hop');
      const keys = system('memn2n').inputs.source.tokens;
      const most = [];
      for (let k = 0; k < hops; k++) most.push(keys[await largest(page, `hops.weights.${k}`, 0)]);
      const said = await page.text('ap-timeline', '.says');
      // With the full stop: a key may be one letter, which stands in every sentence.
      ok(said.endsWith(` ${new Set(most).size === 1 ? most[0] : most.join(' → ')}.`), said);
      const label = await page.run(`return find(['ap-timeline', 'svg.path']).getAttribute('aria-label')`);
      ok(label.includes(said), 'the path says so too');
      equal(await page.count('ap-timeline', 'svg.path circle'), hops * keys.length, 'a circle a hop and key');
      await page.click('ap-timeline', '.frame[data-step="1"]');
      equal((await lock(page)).tensor, 'hops.weights.1', 'the second hop');
    },
  },
  {
    name: 'timeline: hops over an image are laid over it, on a phone too',
    view: { width: 360, height: 780 },
    async run(page) {
      await show(page, 'san');
      equal(await page.count('ap-timeline', 'canvas[data-frame]'), 2, 'an image a hop');
      equal(await page.run(`return document.scrollingElement.scrollWidth`), 360, 'no sideways scrolling');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'images: of a glimpse the crops are seen, by what the result depends on',
    async run(page) {
      const { model: _, ...glimpse } = { ...system('ram'), mechanism: { type: 'ram-glimpse', k: 3, g: 4 } };
      await page.run(`const { store } = document.querySelector('attention-playground'); `
        + `store.documents.replace(values[0])`, glimpse);
      const seen = await page.until(`return find(['ap-image'])?.slope && [0, 3, 5].map((k) => `
        + `find(['ap-image']).slope.at(k, k))`);
      // Crops of 4, 8 and 16 pixels a side: 1, 1/4 and 1/16 of a pixel's worth.
      equal(seen.map((x) => Math.round(x * 1e4)), [625, 3125, 13125], 'sharp in the middle, coarse around it');
    },
  },
];
