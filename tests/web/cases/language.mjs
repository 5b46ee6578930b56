// SPDX-License-Identifier: Apache-2.0
// The small language model that ships: it opens from the gallery, reads a text, writes, and says what was measured.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const facts = JSON.parse(readFileSync(new URL('../../../data/language.json', import.meta.url), 'utf8'));
const percent = (share) => `${(100 * share).toFixed(0)}%`;
const shown = (page, ...chain) => page.until(`return find(values)?.textContent.replace(/\\s+/g, ' ')`, ...chain);
const open = async (page) => {
  await page.click('ap-header', '[data-dialog="presets"]');
  await page.until(`return find(['ap-gallery', 'ap-language-model', '[data-part="open-language"]'])`);
  await page.click('ap-gallery', 'ap-language-model', '[data-part="open-language"]');
  await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
  await page.settled();
};
const text = (page) => page.run(`return find(['ap-pieces', 'textarea']).value`);

export const languageModel = [
  {
    name: 'language: the small model opens, reads a text and goes on with it, and says what was measured',
    async run(page) {
      await open(page);
      const document = await page.document();
      equal(document.parameters, { from: 'language/austen.safetensors' }, 'its weights');
      const told = await shown(page, 'ap-story', '[data-part="language"]');
      for (const share of [facts.right, facts.byPairs, facts.repeated]) ok(told.includes(percent(share)), told);
      ok(told.includes(facts.example.book.replace(/\s+/g, ' ')), told);
      const heads = await shown(page, 'ap-story', '[data-part="looking"]');
      const sure = facts.heads.filter(({ weight }) => weight >= 0.5);
      ok(sure.length > 0 && sure.every(({ weight }) => heads.includes(percent(weight))), heads);
      // A text of the reader's, cut into pieces by the tokenizer that travels with the weights.
      await page.run(`const box = find(['ap-pieces', 'textarea']); box.value = 'Mr. Darcy was';`
        + `box.dispatchEvent(new Event('input'))`);
      await page.until(`return document.querySelector('attention-playground').store.documents.document.inputs.text`
        + `.labels.join('') === 'Mr. Darcy was'`);
      await page.settled();
      // What was measured of its heads is of passages of a book, whatever it reads now.
      equal(await shown(page, 'ap-story', '[data-part="language"]'), told, 'with a text of the reader');
      ok(told.includes('rows of these passages'), told);
      await page.click('ap-pieces', '[data-part="write-many"]');
      await page.until(`return !find(['ap-pieces', '[data-part="stop"]'])`);
      await page.settled();
      const wrote = await text(page);
      ok(wrote.startsWith('Mr. Darcy was') && wrote.length > 40, wrote);
      ok(/[a-z]{3,} [a-z]{2,}/.test(wrote.slice(13)), `words: ${wrote}`);
      // What came with the page needs no file in the link.
      await page.go(await page.run('return location.href'));
      await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
      equal(await text(page), wrote, 'behind the link');
    },
  },
  {
    name: 'language: the parts of the model add up to the logit of a next word, and to the difference of two',
    async run(page) {
      await open(page);
      await page.click('ap-pieces', '[data-part="logit-parts"] summary');
      const said = (words) => page.until(`const sum = find(['ap-logit-parts', '[data-part="sum"]']);
        return sum?.textContent.includes(values[0]) && [Number(sum.dataset.sum), Number(sum.dataset.logit),
          sum.textContent.replace(/\\s+/g, ' ')]`, words);
      const [sum, logit, text] = await said('Logit that the model computed');
      ok(Math.abs(sum - logit) < 0.01, `${sum} for ${logit}`);
      // Four layers of four heads and a feed-forward layer, the embedding, and the biases of the unembedding.
      ok(text.includes(`Sum of all 22 parts: ${sum.toFixed(2)}`), text);
      equal(await page.count('ap-logit-parts', 'li'), 10, 'the largest');
      await page.click('ap-logit-parts', '[data-part="all-parts"]');
      const values = await page.run(`return find(['ap-logit-parts', 'li'], true)
        .map((one) => Number(one.dataset.value))`);
      ok(values.length === 22 && Math.abs(values.reduce((a, b) => a + b) - sum) < 1e-6, values.join());
      // The softmax makes a ratio of probabilities of a difference of logits.
      const [first, second] = await page.run(`return find(['ap-pieces', '.next button'], true).slice(0, 2)
        .map((one) => [one.dataset.id, one.nextElementSibling.nextElementSibling.textContent])`);
      await page.run(`const menu = find(['ap-logit-parts', '[data-part="other"]']); menu.value = values[0];
        menu.dispatchEvent(new Event('change'))`, second[0]);
      const [apart] = await said('Difference of the logits');
      ok(Math.abs(apart - Math.log(Number(first[1]) / Number(second[1]))) < 0.01, `${apart}: ${first}, ${second}`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-logit-parts', 'li button');
      const name = await page.text('ap-logit-parts', 'li button');
      const [module, head] = await page.run(`const { store } = document.querySelector('attention-playground');
        return [store.view.module, store.selection.chosen.head]`);
      equal(name, `Layer ${/layer-(\d)/.exec(module)[1]}, head ${head + 1}`, 'the head that is shown');
    },
  },
  {
    name: 'language: what a part of the diagram shows lies inside what can be seen, over all else',
    async run(page) {
      await open(page);
      const parts = await page.run(`return find(['ap-structure', '.node.module'], true).map((e) => e.dataset.node)`);
      ok(parts.length > 8, parts.join());
      for (const part of parts.slice(-4)) {
        // The last band of the diagram at the lower edge, with no room below it.
        const [x, y] = await page.run(`const node = find(['ap-structure', '[data-node="' + values[0] + '"]']);
          node.scrollIntoView({ block: 'end' });
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const { left, top, width, height } = node.getBoundingClientRect();
          return [left + width / 2, top + height / 2]`, part);
        await page.driver.mouse.move(x, y);
        await page.until(`return !!find(['ap-structure', '.small figure'])`);
        await page.frames(3);
        const hidden = await page.run(`const small = find(['ap-structure', '.small']);
          small.style.pointerEvents = 'auto';
          const seen = find(['attention-playground', '.scroll']).getBoundingClientRect();
          const out = [...small.querySelectorAll('figcaption')].filter((text) => {
            const { left, top, bottom, height } = text.getBoundingClientRect();
            const over = small.getRootNode().elementFromPoint(left + 2, top + height / 2);
            return top < seen.top || bottom > seen.bottom || !small.contains(over);
          }).map((text) => text.textContent.trim());
          small.style.pointerEvents = '';
          return out`);
        equal(hidden, [], part);
      }
    },
  },
  {
    name: 'language: where its file does not arrive the document before stays, and the next press fetches it',
    async run(page) {
      const before = await page.document();
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return find(['ap-gallery', 'ap-language-model', '[data-part="open-language"]'])`);
      await page.run(`const real = window.fetch; window.fetch = (...asked) => { window.fetch = real; `
        + `return Promise.reject(new TypeError('no connection')); }`);
      await page.click('ap-gallery', 'ap-language-model', '[data-part="open-language"]');
      await page.until(`return find(['ap-gallery', 'ap-language-model', '[role="alert"]'])`);
      equal(await page.document(), before, 'the document before');
      await page.click('ap-gallery', 'ap-language-model', '[data-part="open-language"]');
      await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
    },
  },
];
