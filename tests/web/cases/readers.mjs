// SPDX-License-Identifier: Apache-2.0
// What readers, teachers and authors stumbled over: searches in plain words, formulas and figures that are taken home.
import { equal, ok } from '../check.mjs';
import { ask } from '../ask.mjs';
import { open } from '../gallery.mjs';

const store = `document.querySelector('attention-playground').store`;
const causal = { schema: 'attention-playground/1', seed: 1,
  inputs: { x: { tokens: ['a', 'b', 'c'], features: { type: 'embedding', dim: 4 } } },
  mechanism: { type: 'attention', query: 'self-attention', score: 'scaled-dot', mask: ['mask-causal'] } };
const give = async (page, document) => {
  await page.run(`${store}.documents.replace(values[0], null)`, document);
  await page.settled();
};
// What is in a file that the page saves.
const catching = `globalThis.saved = [];
  URL.createObjectURL = (blob) => (saved.push(blob), 'blob:nothing');
  HTMLAnchorElement.prototype.click = function () { saved.at(-1).called = this.download; };`;

export const readers = [
  {
    name: 'readers: plain words find questions, the best first, and the gallery says why it shows an entry',
    async run(page) {
      await page.click('ap-header', '[data-dialog="learn"]');
      await page.until(`return !!find(['ap-lesson-list', 'input'])`);
      const first = async (search) => {
        await page.fill(search, 'ap-lesson-list', 'input');
        await page.until(`return find(['ap-lesson-list']).search === values[0]
          && !!find(['ap-lesson-list', '.hits'])`, search);
        return page.run(`return find(['ap-lesson-list', '.hits button'], true).slice(0, 3).map(({ dataset }) =>
          dataset.lesson ?? dataset.place ?? dataset.door)`);
      };
      ok((await first('backwards')).includes('dead-gradient'), 'backwards');
      ok((await first('who invented attention?')).includes('origins'), 'who invented attention');
      ok((await first('predict')).includes('predict'), 'predict');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-lesson-list', '[data-place="predict"]');
      await page.until(`return !!find(['ap-gallery', 'ap-language-model'])`);
      await page.fill('cross', 'ap-gallery', '.find input');
      await page.until(`return find(['ap-gallery', '.preset'])?.dataset.id === 'decoder-cross'`);
      const said = await page.run(`return find(['ap-gallery', '.preset'], true).map((one) =>
        [one.dataset.id, one.querySelector('[data-part="why"]')?.textContent])`);
      equal(said.find(([id]) => id === 'rnnsearch')?.[1], 'also called “cross-attention”');
      ok(said.every(([, why]) => !why?.includes('ntropy')), JSON.stringify(said));
      // Subtitles are words.
      await page.fill('masked-softmax', 'ap-gallery', '.find input');
      await page.fill('softmax', 'ap-gallery', '.find input');
      await page.until(`return find(['ap-gallery', '.preset'])?.dataset.id === 'softmax'`);
      equal(await page.text('ap-gallery', '.preset .note'), '2015, alignment', 'no id');
    },
  },
  {
    name: 'readers: where attention comes from, with the papers of the catalogue',
    async run(page) {
      await ask(page, 'history', 'origins');
      const papers = () => page.run(`return find(['ap-lesson', '[data-part="sources"] a'], true).map((one) =>
        [one.textContent, one.href])`);
      ok((await papers()).some(([text]) => text === 'Cho et al. 2014'), `${await papers()}`);
      await page.run(`${store}.documents.set('/mechanism/alignment', { type: 'softmax' })`);
      await page.until(`return !!find(['ap-lesson', '.do.well'])`);
      await page.click('ap-lesson', '[data-next]');
      await page.until(`return find(['ap-lesson', '[data-part="sources"]'])?.textContent.includes('Bahdanau')`);
      equal(await papers(), [['Bahdanau, Cho, Bengio 2015', 'https://arxiv.org/abs/1409.0473']], 'the paper');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'readers: LaTeX of a mask is complete, and a matrix is a table with a name',
    async run(page) {
      await give(page, causal);
      await page.run(`document.querySelector('attention-playground').dialog('take', 'code')`);
      const code = await page.until(`return find(['ap-code', '[data-code="latex"]'])?.textContent`);
      ok(/M &= \[\\,j \\le i\\,\]/.test(code) && code.includes('\\operatorname{softmax}_{M}(E)_{ij} &='), code);
      ok(!/Q K\^\{\\top\} &=/.test(code), code);
      await page.run(`find(['ap-dialogs', 'dialog']).close(); ${catching}`);
      await page.run(`${store}.view.show({ lesson: 'causal' })`);
      await page.until(`return !!find(['ap-lesson', '.do'])`);
      await page.settled();
      await page.run(`document.querySelector('attention-playground').dialog('take')`);
      await page.until(`return !!find(['ap-take', '#tab-numbers'])`);
      await page.click('ap-take', '#tab-numbers');
      await page.until(`return !!find(['ap-tensors', '[data-tensor="outputs.weights"] [data-save="tex"]'])`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-tensors', '[data-tensor="outputs.weights"] [data-save="tex"]');
      const [name, text] = await page.until(`return saved[0]?.called && [saved[0].called, await saved[0].text()]`);
      equal(name, 'causal-outputs.weights.tex', 'called by the lesson');
      ok(/\\toprule[\s\S]*\\midrule[\s\S]*1\.000 & 0\.000[\s\S]*\\bottomrule/.test(text), text);
    },
  },
  {
    name: 'readers: the implied map of native sparse attention is explained at once, as the weights that it is',
    async run(page) {
      await open(page, 'Native sparse attention');
      await page.run(`const { selection } = ${store};
        selection.hold({ group: 'outputs', tensor: 'implied', index: [5, 1] })`);
      const latex = await page.until(`return find(['ap-card', 'ap-math'], true).map(({ latex }) => latex)
        .find((latex) => latex?.includes('softmax'))`);
      ok(!latex.includes('i = j'), latex);
      const fed = await page.run(`return ${store}.explanations.explained.answer.feeds.map(({ tensor }) => tensor)`);
      ok(fed.includes('query') && !fed.includes('weights'), `what it is computed from: ${fed}`);
    },
  },
  {
    name: 'readers: words inside formulas are German on a German page',
    async run(page) {
      await give(page, { ...causal, inputs: { query: causal.inputs.x },
        mechanism: { ...causal.mechanism, query: 'query-basic' } });
      await page.run(`const menu = find(['ap-language', 'select']); menu.value = 'de';
        menu.dispatchEvent(new Event('change'))`);
      await page.until(`return document.documentElement.lang === 'de'`);
      const menu = 'ap-menu[data-path="/mechanism/query"]';
      await page.click(menu, 'button');
      await page.until(`return find([values[0], 'li ap-math'], true).some(({ latex }) => latex === values[1])`, menu,
        'Q, K, V \\text{ wie gegeben}');
      equal(await page.run(`return find([values[0], 'li ap-math'], true).map(({ latex }) => latex)
        .filter((latex) => / as given|iff/.test(latex))`, menu), [], 'no English');
    },
  },
];
