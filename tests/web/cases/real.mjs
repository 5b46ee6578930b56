// SPDX-License-Identifier: Apache-2.0
// The real model: offered, loaded, stopped, shown in two sentences; and all heads of a document.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const part = (name) => `[data-part="${name}"]`;
const fields = `find(['ap-encoder', 'input[data-sentence]'], true)`;

async function invited(page) {
  await page.run(`dispatchEvent(new PointerEvent('pointermove', { clientX: 400, clientY: 300 }))`);
  await page.until(`return find(['ap-invite', '[data-part="open-model"], [data-part="absent"]'])`);
  return (await page.count('ap-invite', part('open-model'))) > 0;
}

async function loaded(page) {
  if (!(await invited(page))) return false;
  await page.click('ap-invite', part('open-model'));
  await page.until(`return find(['ap-encoder', 'ap-large-head', '.stop'], true).length === 2`);
  await page.settled();
  return true;
}

const lessons = new URL('../../../web/src/lessons/data/', import.meta.url);
const lesson = JSON.parse(readFileSync(new URL('real-head.json', lessons), 'utf8'));

export const realModel = [
  {
    first: true,
    name: 'real model: the lesson is done by choosing its heads, and its sentences say what is computed',
    async run(page) {
      if (!(await loaded(page))) return;
      await page.run(`${store}.view.show({ lesson: values[0] })`, lesson.id);
      await page.until(`return find(['ap-lesson', '.do'])`);
      for (const [k, { until: { head: [module, head] } }] of lesson.steps.entries()) {
        await page.settled();
        equal(await page.count('ap-lesson', '.do.well'), 0, `step ${k + 1} is done before anything was done`);
        await page.click('ap-encoder', `[data-side="0"] .head[data-head="${module.slice(-1)}.${head + 1}"]`);
        await page.until(`return find(['ap-lesson', '.do.well'])`);
        if (k < lesson.steps.length - 1) await page.click('ap-lesson', '[data-next]');
      }
      const at = (side, layer, head, row, col) => page.run(`
        const result = values[0] === 0 ? ${store}.sessions.result : find(['ap-encoder']).desk.result(1);
        const { data, shape } = result.find('attention-' + values[1] + '.weights', 'outputs');
        const n = shape.at(-1);
        return data[(values[2] * n + values[3]) * n + values[4]]`, side, layer, head, row, col);
      // What the sentences say, in their order: each within half of its last digit.
      const said = [['.80', 0, 1, 1, 5, 6], ['.80', 1, 1, 1, 5, 6], ['.89', 0, 1, 1, 10, 11], ['.35', 0, 2, 1, 8, 6],
        ['.35', 1, 2, 1, 8, 6], ['.20', 0, 2, 1, 8, 1], ['.20', 1, 2, 1, 8, 1], ['.48', 1, 2, 1, 11, 6],
        ['.11', 0, 2, 1, 11, 6], ['.17', 0, 2, 3, 8, 1], ['.17', 1, 2, 3, 8, 1]];
      const text = lesson.text.en.steps.map(({ done }) => done).join(' ');
      for (const [number, ...place] of said) {
        ok(text.includes(number), `${number} is said`);
        const value = await at(...place);
        ok(Math.abs(value - Number(number)) <= 0.006, `${place.join(' ')}: said ${number}, computed ${value}`);
      }
    },
  },
  {
    first: true,
    name: 'real model: in a window of any width its columns stay as many as they are',
    only: 'chromium',
    view: { width: 1280, height: 800 },
    async run(page) {
      if (!(await invited(page))) return;
      await page.click('ap-invite', part('open-model'));
      await page.until(`return find(['ap-encoder', 'ap-large-head', '.stop'], true).length > 0`);
      for (const width of [1290, 1280, 1270, 1262]) {
        await page.driver.setViewportSize({ width, height: 800 });
        await page.frames(20);
        const seen = await page.run(`const seen = new Set();
          for (let k = 0; k < 30; k++) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
            seen.add(find(['ap-encoder', 'ap-large-head'], true).length);
          }
          return [...seen];`);
        equal(seen.length, 1, `${width} pixels wide: ${seen} columns by turns`);
      }
    },
  },
  {
    first: true,
    name: 'real model: eight computed maps invite to it, and without its package the page says that it is absent',
    async run(page) {
      if (!(await invited(page))) return ok((await page.text('ap-invite', part('absent'))).length > 40, 'absent');
      equal(await page.count('ap-invite', '.maps ap-heat', 'canvas'), 8, 'thumbnails');
      const before = await page.run(
        `return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/real/')).length`);
      equal(before, 0, 'nothing of the model is fetched before somebody asks for it');
    },
  },
  {
    first: true,
    name: 'real model: two sentences, eight maps each, one head in both, and undo leads back',
    async run(page) {
      if (!(await loaded(page))) return;
      equal(await page.run(`return find(['ap-encoder', '.head'], true).length`), 16, 'heads');
      const found = await page.text('ap-encoder', part('found'));
      ok(/river/.test(found) && /money/.test(found) && /\.\d\d/.test(found), found);
      const value = Number(await page.text('ap-encoder-card', part('weight')));
      ok(Math.abs(value - 0.49) < 0.015, `bank to money ${value}`);
      // Another head in one sentence is another head in both.
      await page.click('ap-encoder', '[data-side="0"] .head[data-head="2.3"]');
      await page.settled();
      const chosen = await page.run(
        `return find(['ap-encoder', '.head[aria-pressed="true"]'], true).map((e) => e.dataset.head)`);
      equal(chosen, ['2.3', '2.3'], 'chosen head');
      ok(Math.abs(Number(await page.text('ap-encoder-card', part('weight'))) - 0.13) < 0.015, 'bank to money in 2.3');
      // What works and what fails has computed numbers.
      const cosines = await page.until(`const all = find(['ap-encoder', '[data-pair]'], true)
        .map((e) => Number(e.textContent)); return all.length === 3 && all.every((x) => x > 0) && all`);
      ok(cosines[0] > 0.8 && cosines[1] > 0.85 && cosines[2] > 0.7, `cosines ${cosines}`);
      // A changed word changes the maps of its sentence.
      await page.run(`const [, field] = ${fields}; field.value = 'The bank lent her money';
        field.dispatchEvent(new InputEvent('input', { bubbles: true })); field.dispatchEvent(new Event('change'));`);
      await page.settled();
      await page.until(`return find(['ap-encoder', '[data-side="1"] .chip'], true).some((e) =>
        e.textContent.includes('her'))`);
      await page.run(`${store}.documents.undo()`);
      await page.settled();
      equal(await page.run(`const [, field] = ${fields}; return field.value`), 'The bank lent him money', 'undone');
      // The first sentence is about two words, so it does not speak of another word that stands at their position.
      await page.run(`const [, field] = ${fields}; field.value = 'The dog lent him books';
        field.dispatchEvent(new InputEvent('input', { bubbles: true })); field.dispatchEvent(new Event('change'));`);
      await page.settled();
      equal(await page.run(`return find(['ap-encoder', '[data-part="found"]']).textContent`), 'One word, two sentences',
        'the sentence without its words');
      await page.run(`${store}.documents.undo()`);
      await page.settled();
      equal(await page.axe(), [], 'axe');
      await page.run(`${store}.documents.undo()`);
      await page.settled();
      equal(await page.count('ap-encoder', '.head'), 0, 'the page that was there before');
    },
  },
  {
    first: true,
    name: 'real model: an empty sentence, one token and another script say what they are',
    async run(page) {
      if (!(await loaded(page))) return;
      const type = async (text) => {
        await page.run(`const [field] = ${fields}; field.value = values[0];
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));`, text);
        await page.settled();
      };
      await type('');
      ok((await page.count('ap-encoder', part('take'))) > 0, 'offers a sentence');
      await type('bank');
      ok((await page.text('ap-encoder', '.sentence')).includes('every weight is 1'), 'one');
      await type('日本語 日本語');
      ok((await page.count('ap-encoder', part('foreign'))) > 0, 'foreign');
    },
  },
  {
    name: 'all heads: a trained model of several attentions has a grid, and a head opens from it',
    async run(page) {
      await page.run(`${store}.documents.replace(values[0])`, { schema: 'attention-playground/1', seed: 3,
        inputs: { x: { tokens: ['a', 'b', 'a', 'b'], features: { type: 'embedding', dim: 8 } } },
        model: [1, 2].map((n) => ({ name: `layer-${n}`, type: 'attention', query: 'self-attention',
          heads: { type: 'multi-head', count: 2 }, inputs: { x: n === 1 ? 'x' : 'layer-1' } })) });
      await page.settled();
      await page.until(`return find(['ap-all-heads', '.head'], true).length === 4`);
      await page.run(`find(['ap-all-heads', '[data-measure="induction"]']).click()`);
      await page.settled();
      ok((await page.text('ap-all-heads', part('found'))).includes('nduction'), 'the measure is named');
      await page.click('ap-all-heads', '.head[data-head="layer-2 2"]');
      await page.settled();
      equal(await page.run(`const { view, selection } = ${store}; return [view.module, selection.chosen.head]`),
        ['layer-2', 1], 'opened');
      equal(await page.axe(), [], 'axe');
    },
  },
];
