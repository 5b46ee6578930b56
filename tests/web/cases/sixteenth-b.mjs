// SPDX-License-Identifier: Apache-2.0
// What the sixteenth stranger stumbled over: costs, figures, several models, words. Each case begins at the first page.
import { ask } from '../ask.mjs';
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const speak = (page, code) => page.run(`const select = find(['ap-language', 'select']);
  select.value = values[0];
  select.dispatchEvent(new Event('change', { bubbles: true }))`, code);

export const sixteenthB = [
  {
    first: true,
    name: 'sixteenth: attention is explained where the page begins, and a search for Boltzmann finds its lesson',
    async run(page) {
      ok((await page.text('ap-story', '[data-part="attention"]')).includes('every English word gets a weight'), 'said');
      await ask(page, 'Boltzmann', 'lookup');
      await speak(page, 'de');
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'query', index: [0, 0] })`);
      await page.until(`return find(['ap-card', '[data-part="role"]'])?.textContent.startsWith('Die Query (Anfrage)')`);
    },
  },
  {
    first: true,
    name: 'sixteenth: a window stands beside all pairs, and what a run computes beside the context is said',
    async run(page) {
      await ask(page, 'sliding window', 'path-length');
      await page.run(`${store}.documents.set('/mechanism/mask', [{ type: 'mask-window', window: 3 }])`);
      await page.click('ap-header', '[data-place="compare"]');
      const counts = await page.until(`const { sides } = find(['ap-growth']) ?? { sides: [] };
        return sides.length === 2 && sides.every(({ grown }) => grown.kept && grown.counts.length === 10)
          && sides.map(({ grown }) => grown.counts.map(({ multiply_adds }) => multiply_adds))`);
      const rises = counts.map((line) => line[8] / line[7]);
      ok(Math.abs(rises[0] - 4) < 0.1 && Math.abs(rises[1] - 2) < 0.1, `square and straight: ${rises}`);
      await page.click('ap-growth', '[data-part="measure"]');
      await page.until(`return !!find(['ap-growth', '[data-part="runs-more"]'])`);
      ok((await page.text('ap-growth', '[data-part="runs-more"]')).includes('of B are those'), 'whose run it is');
      // What is counted is explained once, for both sides.
      equal(await page.count('ap-growth', '[data-part="kept"]'), 1, 'one explanation');
      const kept = await page.text('ap-growth', '[data-part="kept"]');
      ok(/A [\d,]+ instead of [\d,]+ and B [\d,]+ instead of [\d,]+\.$/.test(kept), kept);
      equal(await page.text('ap-growth', '[data-part="sides"]'), 'A All pairs, no mask; B Window', 'the sides');
      await page.click('ap-growth', '[data-part="stop"]').catch(() => undefined);
      await speak(page, 'de');
      await page.dialog('cost');
      const why = await page.until(`const said = find(['ap-kept', '[data-part="refused"]'])?.textContent;
        return said?.includes('später') && said.replaceAll(/\\s+/g, ' ')`);
      ok(/eine Query sieht Keys, die später kommen\. Mit einer kausalen Maske/.test(why), why);
    },
  },
  {
    first: true,
    name: 'sixteenth: a figure of both sides names what differs, has their difference, and says what made it',
    async run(page) {
      await ask(page, 'mask hide', 'causal');
      await page.run(`const { comparison, documents } = ${store};
        documents.set('/mechanism/mask', []); comparison.start(); documents.set('/mechanism/mask', ['mask-causal'])`);
      await page.until(`return !!${store}.comparison.results()`);
      await page.run(`document.querySelector('attention-playground').dialog('take')`);
      await page.until(`return !!find(['ap-picture', '[data-part="both-sides"]'])`);
      await page.click('ap-picture', '[data-part="both-sides"]');
      const [texts, about] = await page.until(`const part = find(['ap-picture']);
        const made = part.made(part.about);
        const texts = made.shapes.flatMap((shape) => (shape.kind === 'text' && shape.bold ? [shape.text] : []));
        return texts.length === 9 && [texts, made.about];`);
      ok(['A, without Causal: Weights', 'B, Causal: Weights', 'B − A: Weights'].every((one) => texts.includes(one)),
        texts.join('; '));
      ok(/^Attention playground \d+\.\d+\.\d+$/.test(about.software) && about.source.includes('#1.')
        && about.description.includes('seed: 7'), JSON.stringify(about));
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'sixteenth: several seeds give a paired difference with its interval, progress, and a file of the runs',
    async run(page) {
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return !!find(['ap-train', '[data-tab="several"]'])`);
      await page.click('ap-train', '[data-tab="several"]');
      equal(await page.count('ap-train', '[data-part="csv"]'), 0, 'no file of the single model here');
      await page.until(`return !!find(['ap-train-several', '[data-part="axis-1"]'])`);
      await page.run(`const menu = find(['ap-train-several', '[data-part="axis-1"]']);
        menu.value = '/seed';
        menu.dispatchEvent(new Event('change'))`);
      await page.until(`return find(['ap-train-several', 'fieldset:nth-child(2) input'], true).length === 10`);
      await page.run(`const steps = find(['ap-train-several', '.steps input']); steps.value = '4';
        steps.dispatchEvent(new Event('change'))`);
      await page.until(`return !find(['ap-train-several', '[data-part="begin-several"]']).disabled`);
      await page.click('ap-train-several', '[data-part="begin-several"]');
      await page.until(`return find(['ap-train-several', '[data-part="progress"]'])?.textContent
        .includes('of 4 models')`);
      for (let k = 0; k < 4; k++) await page.until(`return find(['ap-train-several']).desk.several.finished`)
        .catch((problem) => { if (k === 3) throw problem; });
      const said = await page.until(`return find(['ap-train-several', '[data-part="difference"]'])?.textContent`);
      ok(/on the same seeds, in percentage points.*minus.*to.*2$/s.test(said.trim()), said);
      ok((await page.text('ap-train-several', '[data-part="progress"]')).includes('4 of 4 models finished'), 'the end');
      equal(await page.run(`return find(['ap-train-several', '[data-part="save-runs"]']).disabled`), false, 'a file');
      equal(await page.axe(), [], 'axe');
    },
  },
];
