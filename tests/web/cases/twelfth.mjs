// SPDX-License-Identifier: Apache-2.0
// What the twelfth stranger stumbled over.
import { equal, ok, patiently } from '../check.mjs';
import { open } from '../gallery.mjs';

const store = `document.querySelector('attention-playground').store`;

export const twelfth = [
  {
    first: true,
    name: 'twelfth: a score without projections is read from one query and one key, and a step is told in letters',
    async run(page) {
      await open(page, 'scaled dot');
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'scores', index: [2, 1] })`);
      const lit = (name) => page.until(`const { lit } = ${store}.explanations;
        const found = lit.find(({ tensor }) => tensor === values[0]);
        return found && [...new Set(found.cells.map(([row]) => row))];`, name);
      equal(await lit('query'), [2], 'the row of the query');
      equal(await lit('key'), [1], 'the row of the key');
      const [step] = await page.run(`return ${store}.explanations.explained.answer.feeds.map(({ tensor }) => tensor)`);
      await page.run(`${store}.selection.hold({ group: 'steps', tensor: values[0], index: [2, 1] })`, step);
      await page.settled();
      for (const chain of [['ap-card', 'h2'], ['ap-live', 'span']]) {
        const said = await page.text(...chain);
        ok(!said.includes('\\'), `${chain}: ${said}`);
      }
      ok((await page.text('ap-live', 'span')).startsWith('row 3, column 2'), 'where it is, counted from 1');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'twelfth: the gallery finds the lessons about induction and about a head that is removed',
    async run(page) {
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '.find input'])`);
      for (const [search, lesson] of [['ablation', 'heads-that-differ'], ['induction', 'induction']]) {
        await page.run(`const input = find(['ap-gallery', '.find input']); input.value = values[0];
          input.dispatchEvent(new Event('input'));`, search);
        await page.until(`return !!find(['ap-gallery', '[data-lesson="' + values[0] + '"]'])`, lesson);
      }
      await page.click('ap-gallery', '[data-lesson="induction"]');
      await page.until(`return !!find(['ap-train', 'ap-lesson', '.do'])`);
      await page.until(`return find(['ap-train-side'])?.desk.training.phase === 'ready'`);
      await page.run(`const { training } = find(['ap-train-side']).desk; training.pace = 0; training.play();`);
      await patiently(2, () => page.until(`return !!find(['ap-lesson', '.do.well'])`));
    },
  },
  {
    first: true,
    name: 'twelfth: tasks that do not fit a model are disabled with their reason',
    async run(page) {
      await page.click('ap-header', '[data-place="train"]');
      const select = `find(['ap-train-side', 'select[data-part="task"]'])`;
      await page.until(`return find(['ap-train-side'])?.desk.training.phase === 'ready'`);
      await page.run(`${select}.value = 'reverse'; ${select}.dispatchEvent(new Event('change'))`);
      await page.until(`const { training } = find(['ap-train-side']).desk;
        return training.phase === 'ready' && training.trained.title.includes('reverses')`);
      await page.run(`${select}.focus()`);
      const said = await page.until(`return [...${select}.options].find(({ value, disabled }) =>
        disabled && value === 'task:task-induction')?.textContent.replace(/\\s+/g, ' ').trim()`);
      ok(/the model writes 8 words, the answer has 1$/.test(said), said);
      ok(await page.run(`return [...${select}.options].some(({ value, disabled }) =>
        !disabled && value === 'task:task-sort')`), 'others are offered');
    },
  },
  {
    name: 'twelfth: a figure of a paper is filled, and the choice of matrices is kept',
    async run(page) {
      await page.dialog('take');
      await page.until(`return !!find(['ap-picture', '[data-tensor]'])`);
      const chosen = () => page.run(`return find(['ap-picture', '[data-tensor][aria-pressed="true"]'], true)
        .map((one) => one.dataset.tensor)`);
      for (const name of await chosen()) if (name !== 'weights')
        await page.click('ap-picture', `[data-tensor="${name}"]`);
      equal(await chosen(), ['weights'], 'one matrix');
      await page.press('Escape');
      await page.until(`return !find(['ap-picture'])`);
      await page.dialog('take');
      await page.until(`return !!find(['ap-picture', '[data-tensor]'])`);
      equal(await chosen(), ['weights'], 'it is kept');
    },
  },
  {
    first: true,
    name: 'twelfth: all heads are in sight and have the names of the structure, which their layers lead to',
    async run(page) {
      await page.run(`${store}.documents.replace(values[0])`, { schema: 'attention-playground/1', seed: 3,
        inputs: { x: { tokens: ['a', 'b', 'c', 'd', 'e'], features: { type: 'embedding', dim: 16 } } },
        model: [0, 1].map((n) => ({ name: `layer-${n}`, type: 'transformer-block', attention: { type: 'attention',
          query: 'self-attention', mask: ['mask-causal'], heads: { type: 'multi-head', count: 8 } },
        inputs: { x: n === 0 ? 'x' : 'layer-0' } })) });
      await page.until(`return find(['ap-all-heads', '.head'], true).length === 16`);
      await page.settled();
      const beyond = await page.run(`const { right } = find(['ap-all-heads']).getBoundingClientRect();
        return find(['ap-all-heads', '.head'], true).filter((one) => one.getBoundingClientRect().right > right + 1)
          .length`);
      equal(beyond, 0, 'heads that are cut off');
      ok((await page.text('ap-all-heads', '[data-part="found"]')).includes('layer '), 'the best one');
      ok((await page.text('ap-all-heads', '[data-measure="induction"]')).includes('No token occurs twice'), 'a reason');
      equal(await page.text('ap-all-heads', '[data-layer="layer-1.attention"]'), 'layer 1', 'as the structure says');
      await page.click('ap-all-heads', '[data-layer="layer-1.attention"]');
      await page.until(`return ${store}.view.module === 'layer-1.attention'`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'twelfth: a refused number is told in the words of the page, and undo in its field takes the message away',
    async run(page) {
      await page.run(`${store}.documents.set('/mechanism/heads', { type: 'grouped-query', count: 4, groups: 2 })`);
      await page.settled();
      const field = ['ap-panel', 'ap-knob[data-knob="groups"]', 'input.num'];
      const found = await page.run(`const all = find(['ap-panel', 'ap-knob'], true);
        const one = all.find(({ knob }) => knob.name === 'groups'); one?.setAttribute('data-knob', 'groups');
        return !!one;`);
      ok(found, 'the knob');
      await page.fill('3', ...field);
      const said = await page.until(`return find(['ap-knob[data-knob="groups"]', '#problem'])?.textContent.trim()`);
      ok(said.startsWith('“Key heads” must divide “Query heads” (4 here) without a remainder; 3 does not'), said);
      await page.run(`${store}.documents.undo()`);
      await page.settled();
      await page.fill('abc', ...field);
      await page.until(`return find(['ap-knob[data-knob="groups"]', '#problem'])?.textContent.includes('abc')`);
      await page.click(...field);
      await page.chord('Control', 'z');
      await page.until(`return !find(['ap-knob[data-knob="groups"]', '#problem'])`);
    },
  },
  {
    first: true,
    name: 'twelfth: after undo the keyboard is still on the page',
    async run(page) {
      await open(page, 'softmax');
      await page.chord('Control', 'z');
      await page.until(`const { activeElement } = find(['ap-header'])?.getRootNode() ?? {};
        return activeElement?.localName === 'main'`);
    },
  },
  {
    first: true,
    name: 'twelfth: linear biases open with several heads, and the panel says their slopes',
    async run(page) {
      await open(page, 'alibi');
      equal(await page.run(`return ${store}.sessions.result.find('weights').shape[0]`), 4, 'heads');
      const said = await page.until(`return find(['ap-knob', '[data-part="instead"]'])?.textContent.trim()`);
      ok(said.includes('0.25') && said.includes('0.00390625'), said);
      equal(await page.axe(), [], 'axe');
    },
  },
];
