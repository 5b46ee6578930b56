// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';
import { mistakes, solutions } from '../solutions.mjs';

const folder = new URL('../../../web/src/lessons/data/', import.meta.url);
const all = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
// Those that are done by training, or with the real model, have cases of their own (train.mjs, real.mjs).
const ids = all.filter(({ place, model }) => place === undefined && !model).map(({ id }) => id);

const begin = async (page, id) => {
  await page.run(`document.querySelector('attention-playground').store.view.show({ lesson: values[0] })`, id);
  await page.until(`return find(['ap-lesson'])?.lesson === values[0] && !!find(['ap-lesson', '.do'])`, id);
  await page.settled();
};
const done = (page) => page.run(`return find(['ap-lesson', '.do.well']) !== undefined`);
const apply = (page, doing) => page.run(`
  const { store } = document.querySelector('attention-playground');
  for (const one of Array.isArray(values[0]) && typeof values[0][0] === 'object' ? values[0] : [values[0]]) {
    if (Array.isArray(one)) store.documents.set(one[0], one[1]);
    else if (one.hold) store.selection.hold(one.hold);
    else if (one.view) store.view.show({ view: one.view });
    else if (one.undo) store.documents.undo();
  }`, doing);

// How far the top of this lies below the top of the column that scrolls.
const below = (page, ...chain) => page.run(`
  const column = find(['.middle > .scroll']);
  return find(values[0]).getBoundingClientRect().top - column.getBoundingClientRect().top;`, chain);
const scrollDown = async (page) => {
  await page.until(`const column = find(['.middle > .scroll']); column.scrollTop = 400; return column.scrollTop > 150`);
  await page.frames(2);
};

export const lessons = [
  {
    name: 'another system that is opened ends a lesson, which begins anew when it is asked for again',
    only: 'chromium',
    async run(page) {
      await begin(page, 'tour');
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '.preset[data-kind="preset"]'])`);
      await page.click('ap-gallery', '.preset[data-kind="preset"]');
      await page.until(`return !find(['ap-lesson']) && !find(['ap-gallery'])`);
      await page.settled();
      const opened = (await page.document()).title;
      await begin(page, 'tour');
      ok(!(await done(page)), 'nothing of it is done');
      await page.click('ap-lesson', 'header .icon');
      await page.settled();
      equal((await page.document()).title, opened, 'leaving brings back what was open before it');
    },
  },
  {
    name: 'what is asked for from further down comes into sight: a lesson, a comparison, another document',
    async run(page) {
      await scrollDown(page);
      await page.run(`document.querySelector('attention-playground').store.comparison.start()`);
      await page.settled();
      await page.until(`return !!find(['ap-compare', '.maps'])`);
      ok((await below(page, 'ap-compare')) >= 0, 'the comparison begins in sight');
      await page.run(`document.querySelector('attention-playground').store.comparison.stop()`);
      await page.settled();
      await scrollDown(page);
      await begin(page, ids[0]);
      ok((await below(page, 'ap-lesson', 'section')) >= 0, 'so does the lesson');
      await page.run(`document.querySelector('attention-playground').store.view.show({ lesson: undefined })`);
      await page.settled();
      const other = JSON.parse(readFileSync(new URL('../../../systems/memn2n.json', import.meta.url), 'utf8')).document;
      await page.until(`return !!find(['ap-story'])`);
      await scrollDown(page);
      await page.run(`document.querySelector('attention-playground').store.documents.replace(values[0])`, other);
      await page.settled();
      ok((await below(page, 'ap-story')) >= 0, 'and another document');
    },
  },
  {
    name: 'every lesson can be done, and is not done before',
    async run(page) {
      equal(Object.keys(solutions).sort(), ids.sort(), 'a solution for each');
      for (const id of ids) {
        await begin(page, id);
        equal(await page.run(`return document.querySelector('attention-playground').store.sessions.error?.message`),
          null, `${id} computes`);
        if (mistakes[id]) {
          await apply(page, mistakes[id]);
          await page.settled();
          ok(!(await done(page)), `${id}: done by a mistake`);
        }
        for (const [k, doing] of solutions[id].entries()) {
          const early = await done(page);
          // A later step may find its work done already; the first never.
          if (k === 0) ok(!early, `${id}: done before anything was done`);
          await apply(page, doing);
          await page.settled();
          await page.until(`return find(['ap-lesson', '.do.well']) !== undefined`).catch(async () => {
            throw new Error(`${id}, step ${k
              + 1} stays open: ${await page.text('ap-lesson',
              'dl')} ${await page.run(`return `
              + `document.querySelector('attention-playground').store.sessions.error?.message`)}`);
          });
          if (k < solutions[id].length - 1) {
            await page.click('ap-lesson', '[data-next]');
            await page.settled();
          }
        }
      }
      const kept = await page.run(`return JSON.parse(localStorage.getItem('attention-playground.lessons'))`);
      equal(kept.sort(), ids, 'all are remembered');
    },
  },
  {
    first: true,
    hash: '#lesson=heads&step=2',
    name: 'lessons: an address opens a step, its card copies that address, and what is unknown is said',
    async run(page, origin) {
      await page.until(`return !!find(['ap-lesson', '.do'])`);
      await page.settled();
      const { steps } = all.find(({ id }) => id === 'heads').text.en;
      ok((await page.text('ap-lesson', '.do')).endsWith(steps[1].do), 'the second step');
      ok((await page.text('ap-lesson', '[data-part="without"]')).startsWith('The link opened this step'), 'it says so');
      await page.run(`navigator.clipboard.writeText = async (text) => void (globalThis.copied = text);`);
      await page.click('ap-lesson', '[data-part="copy-link"]');
      equal(await page.run(`return globalThis.copied`), `${origin}/#lesson=heads&step=2`, 'copied');
      equal(await page.text('ap-lesson', '[data-part="copy-link"]'), 'Copied', 'the button');
      equal(await page.axe(), [], 'axe');
      // Another step of the same lesson, one that there is not, and a lesson that there is not.
      const go = async (hash) => {
        await page.run(`location.hash = values[0]`, hash);
        await page.settled();
      };
      await go('#lesson=heads.');
      await page.until(`return find(['ap-lesson', '.do'])?.textContent.includes(values[0])`, steps[0].do);
      equal(await page.count('ap-lesson', '[data-part="without"]'), 0, 'from the beginning');
      await page.run(`navigator.clipboard.writeText = async () => { throw new Error('refused'); };`);
      await page.click('ap-lesson', '[data-part="copy-link"]');
      await page.until(`return find(['ap-lesson', '.address'])?.value === values[0]`, `${origin}/#lesson=heads`);
      await go('#lesson=heads&step=9');
      await page.until(`return !!find(['ap-lesson', '[data-part="unknown"]'])`);
      equal(await page.text('ap-lesson', '[data-part="unknown"]'),
        'This lesson has no step 9. It has 2 steps and begins here.', 'the step');
      await go('#lesson=nobody-knows');
      await page.until(`return !!find(['ap-lesson-list', '[data-part="unknown"]'])`);
      ok((await page.text('ap-lesson-list', '[data-part="unknown"]')).includes('“nobody-knows”'), 'the lesson');
      ok(await page.count('ap-lesson-list', '[data-lesson]') > 20, 'all lessons are offered');
    },
  },
  {
    name: 'the tour, by hand; leaving brings one’s own work back',
    async run(page) {
      await page.fill('4242', 'ap-knob[data-path="/seed"]', 'input.num');
      await page.click('ap-header', '[data-dialog="learn"]');
      await page.until(`return !!find(['ap-lesson-list', 'button'])`);
      equal(await page.axe(), [], 'the list');
      await page.click('ap-lesson-list', '[data-lesson="tour"]');
      await page.until(`return !!find(['ap-lesson', '.do'])`);
      equal(await page.run(`return document.querySelector('attention-playground').getAttribute('data-point')`), 'flow',
        'outlined');
      await page.clickAt(['ap-matrix[data-tensor="weights"]'], 0.1, 0.95);
      await page.until(`return find(['ap-lesson', '.do.well']) !== undefined`);
      equal(await page.axe(), [], 'a step done');
      await page.click('ap-lesson', '[data-next]');
      ok(!(await done(page)), 'the second step is open');
      await page.clickAt(['ap-matrix[data-tensor="scores"]'], 0.1, 0.95);
      await page.until(`return find(['ap-lesson', '.do.well']) !== undefined`);
      await page.click('ap-lesson', 'header .icon');
      await page.until(`return find(['ap-lesson']) === undefined`);
      equal((await page.document()).seed, 4242, 'what was there');
    },
  },
  {
    name: 'a lesson goes on at another place, as far as it was, and a masked cell says why it is 0',
    async run(page) {
      await begin(page, 'causal');
      await page.clickAt(['ap-matrix[data-tensor="weights"]'], 0.9, 0.1);
      await page.settled();
      const told = await page.run(`return find(['ap-card', '[data-part="hidden"]'])?.textContent`);
      ok(told?.includes('exactly 0'), `the card says ${told}`);
      equal(await page.run(`return find(['ap-card', '[data-part="made"]']) === undefined`), true,
        'no sentence of the alignment that holds for other cells only');
      await page.click('ap-lesson', '[data-next]');
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return find(['ap-train']) !== undefined`);
      await page.settled();
      equal(await page.run(`return document.querySelector('attention-playground').store.view.place`), 'train',
        'the place that was asked for');
      ok(await page.run(`return find(['ap-lesson', '.do']) !== undefined`), 'the lesson is there too');
      await page.click('ap-header', '[data-place="look"]');
      await page.until(`return find(['ap-flow']) !== undefined`);
      await page.click('ap-lesson', 'header .icon');
      await page.until(`return find(['ap-lesson']) === undefined`);
    },
  },
  {
    name: 'questions: those asked most come first, a search finds others by their words, and each leads on',
    async run(page) {
      await page.click('ap-header', '[data-dialog="learn"]');
      await page.until(`return !!find(['ap-lesson-list', '[data-door]'])`);
      const listed = `[...find(['ap-lesson-list']).shadowRoot.querySelectorAll('[data-lesson]')]`;
      const all = await page.run(`return ${listed}.length`);
      await page.run(`const input = find(['ap-lesson-list', 'input']); input.value = 'convolution';
        input.dispatchEvent(new Event('input'))`);
      await page.until(`return ${listed}.length < ${all}`);
      const some = await page.run(`return ${listed}.map((one) => one.dataset.lesson)`);
      ok(some.includes('conv-equivalence') && !some.includes('tour'), `found are ${some}`);
      await page.run(`const input = find(['ap-lesson-list', 'input']); input.value = 'watch';
        input.dispatchEvent(new Event('input'))`);
      await page.until(`return !!find(['ap-lesson-list', '[data-door="learn"]'])`);
      await page.click('ap-lesson-list', '[data-door="learn"]');
      await page.until(`return find(['ap-train']) !== undefined`);
      equal(await page.run(`return find(['ap-dialogs', 'dialog']) === undefined`), true, 'the dialog is shut');
    },
  },
  {
    name: 'a lesson on a narrow page',
    view: { width: 360, height: 800 },
    async run(page) {
      await begin(page, 'never-zero');
      equal(await page.axe(), [], 'narrow');
      ok(await page.run(`return document.documentElement.scrollWidth <= innerWidth && find(['.page']).scrollWidth <= `
        + `innerWidth`), 'fits');
    },
  },
];
