// SPDX-License-Identifier: Apache-2.0
// What the thirteenth stranger stumbled over: own numbers, pictures of few rows, captions, masks, lessons and code.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const QUERY = { tokens: ['q1', 'q2'], features: { type: 'matrix', matrix: [[1, 0], [0, 2]] } };
const plain = (inputs, mechanism = {}) => ({ schema: 'attention-playground/1', seed: 1, inputs,
  mechanism: { type: 'attention', ...mechanism } });
const drawn = (tokens, dim = 8) => ({ tokens, features: { type: 'embedding', dim } });
const WORDS = 'they see the red car near the house'.split(' ');

async function show(page, document) {
  await page.run(`await ${store}.learn(); ${store}.documents.replace(values[0])`, document);
  await page.settled();
}

const inside = (page, ...chain) => page.run(`const one = find(values[0]);
  return one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1`, chain);

export const thirteenthB = [
  {
    first: true,
    name: 'thirteenth b: matrices are read by their names, and a table and a text of two rows are whole',
    async run(page) {
      await show(page, plain({ query: drawn(WORDS) }));
      await page.click('ap-inputs', '[data-dialog="bring"]');
      await page.until(`return !!find(['ap-bring', 'textarea'])`);
      ok((await page.text('ap-bring', '[data-part="forms"]')).includes('"Q"'), 'the forms are told');
      await page.click('ap-bring', '[data-part="forms"] summary');
      await page.fill('{"Q": [[1, 0], [0, 2]], "K": [[1, 1], [0, 3], [-1, 0.5]], "V": [[10, 0], [0, 20], [5, 5]]}',
        'ap-bring', 'textarea');
      await page.until(`return !!find(['ap-bring', '[data-found="inputs"]'])`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-bring', '[data-use]');
      await page.until(`return !find(['ap-bring'])`);
      await page.settled();
      const context = await page.run(`return [...${store}.sessions.result.find('context').data]`);
      ok(Math.abs(context[0] - 6.46) < 0.01 && Math.abs(context[3] - 18.51) < 0.02, `the context: ${context}`);
      equal(await page.run(`return find(['ap-flow', '.small.rows span'], true).map((one) => one.textContent.trim())`),
        ['v1', 'v2', 'v3'], 'names of the values');
      for (const [view, tag] of [['table', 'ap-table'], ['text', 'ap-text']]) {
        await page.run(`${store}.view.show({ view: values[0] })`, view);
        await page.until(`return !!find(['ap-flow', values[0]])`, tag);
        await page.settled();
        ok(await inside(page, 'ap-flow', '.geometry .sheet'), `${view} is whole`);
      }
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'thirteenth b: a key input added to own numbers begins as the numbers that it stands in for',
    async run(page) {
      await show(page, plain({ query: QUERY }));
      await page.clickText('button', 'Add key input');
      await page.until(`return 'key' in ${store}.documents.document.inputs`);
      const { inputs } = await page.document();
      equal(inputs.key, inputs.query, 'the same rows');
    },
  },
  {
    first: true,
    name: 'thirteenth b: the mask of two rows is seen, and every mask of the menu works or says why not',
    async run(page) {
      await show(page, plain({ query: QUERY }, { mask: ['mask-causal'] }));
      ok(await page.run(`return find(['ap-flow', '.place.mask ap-matrix']).offsetHeight`) > 24,
        'seen');
      await show(page, plain({ query: drawn(WORDS) }));
      const menu = `find(['ap-panel', 'ap-menu'], true).find(({ label }) => label === 'Masks')`;
      const found = await page.run(`const menu = ${menu}; const bad = [];
        for (const item of menu.items()) {
          if (item.refusal !== undefined) continue;
          const { refusal, instead } = await menu.foresee(item);
          if (refusal !== undefined || instead !== undefined) bad.push([item.id, refusal, instead]);
        }
        return bad;`);
      equal(found, [], 'masks that are refused');
      await page.run(`${menu}.dispatchEvent(new CustomEvent('choose', { detail: 'mask-document' }))`);
      await page.settled();
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'no error');
      const weights = await page.run(`return [...${store}.sessions.result.find('weights').data]`);
      equal(weights.filter((x) => x === 0).length, 32, 'two documents of four words');
    },
  },
  {
    first: true,
    name: 'thirteenth b: linear biases added to one head can be seen',
    async run(page) {
      await show(page, plain({ query: drawn(Array(8).fill('a')) }));
      await page.run(`find(['ap-panel', 'ap-menu'], true).find(({ label }) => label === 'Positions')
        .dispatchEvent(new CustomEvent('choose', { detail: 'pos-alibi' }))`);
      await page.settled();
      const weights = await page.run(`return [...${store}.sessions.result.find('weights').data]`);
      ok(weights[0] > 3 * weights[7], `near and far: ${weights[0]} ${weights[7]}`);
      await page.run(`${store}.documents.set('/mechanism/position/0/slopes', undefined)`);
      await page.settled();
      equal(await page.until(`return find(['ap-knob', '[data-part="instead"]'])?.textContent.trim()`),
        'If this is empty, 0.00390625 is used.', 'one number');
    },
  },
  {
    first: true,
    name: 'thirteenth b: formulas of A and B are whole, and nothing stays blank below the title',
    async run(page) {
      const heads = (type, more) => ({ query: 'self-attention', heads: { type, count: 4, ...more } });
      await show(page, plain({ x: drawn(['q1', 'q2']) }, heads('grouped-query', { groups: 2 })));
      await page.run(`${store}.comparison.start()`);
      await page.run(`${store}.documents.set('/mechanism/heads', values[0])`, heads('multi-head').heads);
      await page.until(`return find(['ap-compare', '.formula'], true).length === 2`);
      await page.settled();
      ok(await page.run(`return find(['ap-compare', '.formula'], true)
        .every((one) => one.scrollWidth <= one.clientWidth + 1)`), 'formulas');
      ok(await page.run(`const [a, gap] = find(['ap-compare', 'figure .foot'], true);
        return [...a.children].every((one) => one.getBoundingClientRect().right + 8
          < gap.getBoundingClientRect().left)`), 'the legends are apart');
      const height = () => page.run(`return find(['ap-story']).offsetHeight`);
      await page.run(`${store}.comparison.stop()`);
      await show(page, { ...plain({ x: drawn(WORDS) }, heads('multi-head')), title: 'Multi-head' });
      await page.run(`${store}.documents.set('/seed', 2, 'drag')`);
      await page.settled();
      await page.run(`${store}.documents.endGesture()`);
      await page.settled();
      await page.run(`find(['ap-story']).style.minHeight = '300px'`);
      await page.run(`${store}.documents.set('/mechanism/alignment', 'sparsemax')`);
      await page.settled();
      ok(await height() < 200, `height: ${await height()}`);
    },
  },
  {
    first: true,
    name: 'thirteenth b: a tour whose last step is skipped has its end',
    async run(page) {
      await page.run(`await ${store}.learn(); ${store}.view.show({ lesson: 'tour' })`);
      for (let k = 0; k < 5; k++) {
        await page.until(`return !!find(['ap-lesson', '[data-next]'])`);
        await page.settled();
        await page.click('ap-lesson', '[data-next]');
      }
      await page.until(`return find(['ap-lesson', '.seen'])?.textContent.includes('you know the basics')`);
      equal(await page.count('ap-lesson', '.do.well'), 0, 'it is not called done');
      ok((await page.text('ap-lesson', '[data-next]')).startsWith('Next lesson: '), 'the way on');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-lesson', '[data-leave]');
      await page.until(`return !find(['ap-lesson', 'section'])`);
    },
  },
  {
    name: 'thirteenth b: of a long script the page shows the beginning and its size',
    async run(page) {
      await show(page, plain({ query: drawn(WORDS, 128) },
        { score: 'general', heads: { type: 'multi-head', count: 2 } }));
      await page.dialog('take');
      await page.clickText('button', 'Formula and code');
      await page.until(`return !!find(['ap-code', '[data-pick="pytorch"]'])`);
      await page.click('ap-code', '[data-pick="pytorch"]');
      await page.until(`return !!find(['ap-code', '[data-part="beginning"]'])`);
      ok(/has \d+(\.\d)? MB/.test(await page.text('ap-code', '[data-part="beginning"]')), 'its size');
      ok(await page.run(`return find(['ap-code', 'pre']).textContent.length`) < 25_000, 'the beginning');
      ok(await page.run(`return find(['ap-code']).found.code.length`) > 500_000, 'the file is whole');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'thirteenth b: several at once says how long one training is; additive leads to RNNsearch',
    async run(page) {
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '.find input'])`);
      await page.driver.keyboard.type('additive');
      await page.settled();
      await page.press('Enter');
      await page.until(`return !find(['ap-gallery']) && !!find(['ap-story', '[data-part="system-with"]'])`);
      ok((await page.text('ap-story', '[data-part="system-with"]')).includes('RNNsearch'), 'who introduced it');
      const said = await page.until(`const text = find(['ap-taxonomy'])?.shadowRoot.textContent ?? '';
        return text.includes('coordinates') && text`);
      equal(said.split('At these coordinates').length <= 2, true, 'told once');
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return find(['ap-train-side'])?.desk.training.phase === 'ready'`);
      await page.run(`find(['ap-train-side']).desk.document.training.steps = 2400`);
      await page.click('ap-train', '[data-tab="several"]');
      await page.until(`return !!find(['ap-train-several', '[data-part="all-steps"]'])`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-train-several', '[data-part="all-steps"]');
      await page.until(`return !find(['ap-train-several', '[data-part="fewer"]'])`);
    },
  },
];
