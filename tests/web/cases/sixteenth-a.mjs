// SPDX-License-Identifier: Apache-2.0
// What the sixteenth stranger stumbled over.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const lessonAt = (page, id) => page.run(`${store}.view.show({ lesson: values[0] })`, id)
  .then(() => page.until(`return find(['ap-lesson', '.do'])`)).then(() => page.settled());
const change = async (page, edit) => {
  await page.run(`${store}.documents.change((draft) => { ${edit} })`);
  await page.settled();
};
const seen = (page) => page.run(`const said = find(['ap-lesson', '.seen']);
  return said && [said.hasAttribute('data-changed'), said.textContent]`);
const offered = async (page) => {
  await page.run(`dispatchEvent(new PointerEvent('pointermove', { clientX: 400, clientY: 300 }))`);
  await page.until(`return find(['ap-invite', '[data-part="open-model"], [data-part="absent"]'])`);
  return (await page.count('ap-invite', '[data-part="open-model"]')) > 0;
};
const type = async (page, side, text) => {
  await page.run(`const field = find(['ap-encoder', 'input[data-sentence]'], true)[values[0]]; field.value = values[1];
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }))`, side, text);
  await page.settled();
};

export const sixteenthA = [
  {
    first: true,
    name: 'sixteenth: the real model comes as a whole, also after the computation was unfolded',
    async run(page) {
      if (!(await offered(page))) return;
      await page.click('ap-flow', '[data-part="how"]');
      await page.until(`return ${store}.view.how`);
      await page.click('ap-invite', '[data-part="open-model"]');
      // What is typed while the model loads is what it reads.
      await page.until(`return find(['ap-encoder', 'input[data-sentence]'], true).length === 2`);
      await type(page, 0, 'Der Hund jagt die Katze');
      await page.until(`return find(['ap-encoder', 'ap-large-head', '.stop'], true).length === 2`);
      await page.settled();
      equal([await page.count('ap-encoder-back'), await page.count('ap-invite'), await page.count('ap-story')],
        [0, 0, 0], 'nothing of the page before');
      const pieces = await page.run(`return find(['ap-encoder']).desk.cut(0).pieces.join('')`);
      equal(pieces.replaceAll('▁', ' ').trim(), 'Der Hund jagt die Katze', 'what the model reads');
      // Most of these words have no stem that the model knows.
      const said = await page.text('ap-encoder', '[data-side="0"] [data-part="splinters"]');
      ok(/: [345] of 5, such as/.test(said), said);
      equal(await page.count('ap-encoder', '[data-side="1"] [data-part="splinters"]'), 0, 'English words are whole');
      await page.run(`find(['ap-encoder']).desk.locked.value = undefined`);
      await page.frames(2);
      equal(await page.text('ap-encoder', '[data-part="found"]'), 'Two sentences without a common word', 'the heading');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'sixteenth: a lesson claims nothing that the page no longer shows, and gives numbers as they are',
    async run(page) {
      await lessonAt(page, 'causal');
      await change(page, `draft.inputs.x.tokens[4] = 'green'`);
      await page.until(`return find(['ap-lesson', '.do.well'])`);
      const [, before] = await seen(page);
      ok(before.includes('did not change in any digit'), before);
      await change(page, `draft.mechanism.mask = []`);
      await page.until(`return find(['ap-lesson', '.seen[data-changed]'])`);
      ok(!(await seen(page))[1].includes('did not change'), 'the sentence is gone');
      const moved = Number(await page.text('ap-lesson', '[data-reading="0"]'));
      ok(moved > 0.01, `the first three results moved by ${moved}`);
      await page.run(`${store}.documents.undo()`);
      await page.until(`const said = find(['ap-lesson', '.seen']); return said && !said.hasAttribute('data-changed')`);
      equal((await seen(page))[1], before, 'undo brings it back');
      await lessonAt(page, 'path-length');
      await change(page, `draft.mechanism.mask[0].window = 6`);
      await page.until(`return find(['ap-lesson', '.do.well'])`);
      // Counted here from the weights that are shown.
      const [least, above] = await page.run(`const { data } = ${store}.sessions.result.find('weights', 'outputs');
        const rows = Array.from({ length: 12 }, (_, i) => data.slice(12 * i, 12 * i + 12).filter((x) => x > 0).length);
        return [Math.min(...rows), rows.reduce((a, b) => a + b, 0)]`);
      const [, said] = await seen(page);
      for (const part of [`at least ${least} of the 12 words`, `${above} of the 144 weights`])
        ok(said.includes(part), `${part}: ${said}`);
      await change(page, `draft.mechanism.mask = []`);
      await page.until(`return find(['ap-lesson', '.seen[data-changed]'])`);
    },
  },
  {
    first: true,
    name: 'sixteenth: leaving a lesson brings back what was seen before it, with the locked score',
    async run(page) {
      await page.run(`dispatchEvent(new PointerEvent('pointermove', { clientX: 400, clientY: 300 }))`);
      await page.click('ap-flow', '[data-part="how"]');
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'decoder.scores', index: [1, 1] })`);
      await page.settled();
      const drawn = () => page.run(`return [...find(['ap-flow', 'ap-matrix'], true)].map((one) =>
        one.dataset.tensor).sort().join(' ')`);
      const before = await drawn();
      ok(before.includes('decoder.scores'), before);
      await lessonAt(page, 'causal');
      ok(!(await drawn()).includes('decoder'), 'the lesson shows its own');
      await page.click('ap-lesson', 'header .icon');
      await page.settled();
      await page.until(`return ${store}.view.how && ${store}.selection.lock?.tensor === 'decoder.scores'`);
      await page.settled();
      equal(await drawn(), before, 'the matrices');
      ok((await page.text('ap-card', 'h2')).startsWith('Score'), 'the card');
    },
  },
  {
    first: true,
    name: 'sixteenth: the controls of the first page stay, and its formulas use the letters of the picture',
    async run(page) {
      const knobs = () => page.run(`return find(['ap-panel', 'ap-knob'], true).map((one) => one.dataset.path)`);
      const before = await knobs();
      await page.run(`dispatchEvent(new PointerEvent('pointermove', { clientX: 400, clientY: 300 }))`);
      await page.click('ap-flow', '[data-part="how"]');
      const hold = async (tensor) => {
        await page.run(`${store}.selection.hold({ group: 'outputs', tensor: values[0], index: [1, 1] })`, tensor);
        await page.settled();
        await page.until(`return find(['ap-told', '.feed'], true).length > 0`);
      };
      await hold('decoder.context');
      await page.until(`return ${store}.book.whole`);
      equal(await knobs(), before, 'the controls');
      equal(await page.run(`return find(['ap-card', 'section ap-math'])?.latex`), 'C = A\\, V', 'the context');
      await page.until(`return find(['ap-told', '.feed'], true).some((one) => one.textContent.includes('Values'))`);
      await hold('decoder.scores');
      await page.until(`return find(['ap-told', '.feed ap-math'], true).some(({ latex }) => latex === 'H')`);
      equal(await page.run(`return find(['ap-card', 'section ap-math'])?.latex`), 'E = H\\, w^{\\top}', 'the score');
    },
  },
  {
    first: true,
    name: 'sixteenth: the strip of stages follows what was chosen last',
    async run(page) {
      await page.run(`dispatchEvent(new PointerEvent('pointermove', { clientX: 400, clientY: 300 }))`);
      await page.click('ap-flow', '[data-part="how"]');
      const hold = async (tensor) => {
        await page.run(`${store}.selection.hold({ group: 'outputs', tensor: values[0], index: [1, 1] })`, tensor);
        await page.settled();
      };
      const now = () => page.text('ap-steps', '[aria-current]');
      await hold('decoder.scores');
      equal(await now(), 'Scores', 'the locked cell');
      await page.run(`find(['ap-steps', 'li button'], true).find((one) => one.textContent === 'Context').click()`);
      await page.settled();
      equal(await now(), 'Context', 'the stage that was pressed');
      await page.until(`const { top, bottom } = find(['ap-flow', 'ap-matrix[data-tensor="decoder.context"]'])
        .getBoundingClientRect(); return top >= 0 && bottom <= innerHeight`);
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'decoder.scores', index: [2, 1] })`);
      await page.settled();
      await page.until(`return find(['ap-steps', '[aria-current]'])?.textContent === 'Scores'`);
    },
  },
  {
    name: 'sixteenth: Compare says how far the contexts are apart, and its forms stay to be chosen from',
    async run(page) {
      const tokens = ['they', 'see', 'the', 'red', 'car', 'near'];
      await page.run(`${store}.documents.replace(values[0]); ${store}.view.show({ place: 'compare' })`,
        { schema: 'attention-playground/1', seed: 5, inputs: { x: { tokens, features: { type: 'embedding', dim: 8 } } },
          mechanism: { type: 'attention', query: 'self-attention', core: { type: 'linear' } } });
      await page.until(`return find(['ap-implied', '[data-part="contexts"]'])`);
      const choose = ['ap-efficient', '[data-part="choose"]'];
      // What both contexts are apart is computed here once more, from the maps that are drawn.
      const [said, largest] = await page.run(`const { maps, given } = find(['ap-implied']).study;
        const value = given.value.data, width = value.length / maps.cols;
        let largest = 0;
        for (let i = 0; i < maps.rows; i++) for (let c = 0; c < width; c++) {
          let gap = 0;
          for (let j = 0; j < maps.cols; j++)
            gap += (maps.b[i * maps.cols + j] - maps.a[i * maps.cols + j]) * value[j * width + c];
          largest = Math.max(largest, Math.abs(gap));
        }
        return [Number(find(['ap-implied', '[data-part="contexts"]']).dataset.largest), largest];`);
      ok(largest > 0.001 && Math.abs(said - largest) < 1e-5, `contexts: said ${said}, computed ${largest}`);
      // The menu is still there, and finds a form by a word of what is said of it.
      await page.click(...choose, 'button');
      await page.run(`const field = find([...values[0], 'input']); field.value = 'random';
        field.dispatchEvent(new Event('input'))`, choose);
      await page.until(`const found = find([...values[0], 'li[data-id]'], true); return found.length > 0
        && found.length < 20`, choose);
      await page.press('Escape');
      await page.click(...choose, 'button');
      await page.click(...choose, 'li[data-id="performer"]');
      await page.until(`return find(['ap-efficient', 'h2']).textContent.includes('Performer')
        && find(['ap-implied', 'ap-heat'], true).length === 3`);
      equal((await page.document()).mechanism.core.type, 'performer', 'another form');
    },
  },
];
