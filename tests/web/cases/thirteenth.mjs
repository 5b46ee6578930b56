// SPDX-License-Identifier: Apache-2.0
// What the thirteenth stranger stumbled over.
import { equal, ok } from '../check.mjs';
import { open } from '../gallery.mjs';

const store = `document.querySelector('attention-playground').store`;

export const thirteenth = [
  {
    first: true,
    name: 'thirteenth: differential heads show the maps of the head that is chosen',
    async run(page) {
      await open(page, 'differential');
      const shown = () => page.run(`return Object.fromEntries(find(['ap-flow', 'ap-matrix[data-tensor]'], true)
        .filter(({ plane }) => plane.held.length === 3).map(({ plane }) => [plane.tensor.name, plane.held[0]]))`);
      await page.until(`return find(['ap-heads', 'li button'], true).length === 2`);
      await page.run(`find(['ap-heads', 'li button'], true)[1].click()`);
      await page.settled();
      const second = await shown();
      equal([second.query, second.key, second.scores, second.weights], [2, 2, 2, 1], 'the first map of head 2');
      ok((await page.text('ap-measures', 'h3')).startsWith('Head 2'), 'the summary');
      await page.run(`find(['ap-heads', '[data-part="maps"] button'], true)[1].click()`);
      await page.settled();
      const other = await shown();
      equal([other.query, other.key, other.scores, other.weights], [3, 3, 3, 1], 'its second map');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'thirteenth: the largest weight is that of the head on show, which is named',
    async run(page) {
      await open(page, 'grouped-query');
      for (const head of [0, 2]) {
        await page.run(`${store}.selection.choose('head', values[0])`, head);
        await page.settled();
        const said = await page.text('ap-story', '[data-part="see"]');
        const [, name, value] = /^In head (\d).*\((\.\d+)\)\.$/.exec(said) ?? [];
        equal(Number(name), head + 1, said);
        const most = await page.run(`const { result } = ${store}.sessions;
          const { data, shape: [, m, n] } = result.find('weights'); const words = result.labels('query m')
            ?? result.directory.labels.m; const own = [...data.slice(values[0] * m * n, (values[0] + 1) * m * n)];
          return Math.max(...own.filter((one, k) => words[Math.floor(k / n)] !== words[k % n]))`, head);
        ok(Math.abs(Number(value) - most) < 0.006, `${said} ${most}`);
      }
    },
  },
  {
    first: true,
    name: 'thirteenth: Cost counts what a mechanism keeps with a causal mask, by its own name, and adds the mask',
    async run(page) {
      await open(page, 'mla');
      await page.dialog('cost');
      await page.until(`return !!find(['ap-kept', '[data-part="kept"]'])`);
      const said = (await page.text('ap-kept', '[data-part="refused"]')).replaceAll(/\s+/g, ' ');
      ok(said.startsWith('“Multi-head latent attention” cannot') && said.includes('With a causal mask it can'), said);
      const bytes = await page.run(`return find(['ap-kept', 'td[data-bytes]']).dataset.bytes`);
      await page.click('ap-kept', '[data-part="add-causal"]');
      await page.until(`return !find(['ap-kept', '[data-part="refused"]'])
        && !!find(['ap-kept', '[data-part="kept"]'])`);
      equal(await page.run(`return ${store}.documents.document.mechanism.mask`), ['mask-causal'], 'the mask');
      equal(await page.run(`return find(['ap-kept', 'td[data-bytes]']).dataset.bytes`), bytes, 'the same numbers');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'thirteenth: numbers of words have no scale',
    async run(page) {
      const tokens = `find(['ap-flow', 'figure'], true).filter((one) =>
        one.querySelector('ap-matrix[data-tensor="decoder.tokens"]'))`;
      await page.until(`return ${tokens}.length === 1`);
      equal(await page.run(`return ${tokens}[0].querySelectorAll('ap-legend').length`), 0, 'scales');
    },
  },
];
