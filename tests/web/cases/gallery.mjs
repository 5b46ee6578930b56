// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { compare, equal, ok } from '../check.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const listed = read('web/presets/gallery.json').flatMap(({ presets }) => presets);
const open = (page) => page.click('ap-header', '[data-dialog="presets"]');
const opened = (page) => page.until(`return !!find(['ap-gallery', '.preset'])`);
const titles = (page) => page.run(`return find(['ap-gallery', '.preset b'], true).map((e) => e.textContent)`);
const pick = (page, title) => page.run(`find(['ap-gallery', '.preset'], true).find((e) => e.querySelector('b').textContent === values[0]).click()`, title);
const LONGEST = 2000;

export const gallery = [
  {
    name: 'gallery: every preset is there',
    async run(page) {
      await open(page);
      await opened(page);
      equal((await titles(page)).toSorted(), listed.map((file) => read(`examples/${file}.json`).title).toSorted(), 'titles');
    },
  },
  {
    name: 'gallery: each preset computes what attend computes, as its picture says, in a short link',
    async run(page, origin) {
      await open(page);
      await opened(page);
      const all = await titles(page);
      ok(all.length > 10, `${all.length} presets`);
      for (const title of all) {
        if (!(await page.run(`return !!find(['ap-gallery'])`))) await open(page);
        await opened(page);
        const picture = await page.run(`
          const preset = find(['ap-gallery', '.preset'], true).find((e) => e.querySelector('b').textContent === values[0]);
          const { rows, cols, cells, domain } = preset.querySelector('ap-thumb').picture;
          return { rows, cols, domain, levels: Array.from(atob(cells), (c) => c.charCodeAt(0)) };`, title);
        await page.run(`const keep = find(['ap-gallery', '.foot input']); if (keep.checked) keep.click()`);
        await pick(page, title);
        await page.settled();
        equal(await page.run(`return document.querySelector('attention-playground').store.sessions.error ?? null`), null, title);
        equal((await page.document()).title, title, 'the title');
        await compare(page, title);
        const data = await page.run(`
          const outputs = document.querySelector('attention-playground').store.sessions.result.all('outputs');
          const weights = outputs.filter((t) => /(^|\\.)weights(\\d*|\\.\\d+)$/.test(t.name));
          const main = weights.find((t) => t.name === 'weights') ?? weights[0] ?? outputs.at(-1);
          return { shape: main.shape, axes: main.axes, first: Array.from(main.data.slice(0, values[0])) };`, picture.cols);
        // Where rows and columns lie last, the first row is the first numbers.
        if (data.shape.length === 2) {
          data.first.forEach((value, j) => {
            const [low, high] = picture.domain;
            const shown = low + (picture.levels[j] / 254) * (high - low);
            ok(picture.levels[j] === 255 || Math.abs(shown - value) <= (high - low) / 200, `${title}: column ${j} is pictured as ${shown}, computed as ${value}`);
          });
        }
        const link = await page.run('return location.href');
        ok(link.length <= LONGEST && link.includes('#1.'), `${title}: a link of ${link.length} characters`);
        await page.click('ap-header', '[aria-label="Undo"]');
      }
    },
  },
  {
    name: 'gallery: undo and redo, edits, reset with the seed that is there',
    async run(page) {
      const before = await page.document();
      await open(page);
      await opened(page);
      await pick(page, 'Sparsemax 2016');
      await page.settled();
      const preset = await page.document();
      ok(preset.title === 'Sparsemax 2016', 'picked');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
      await page.click('ap-header', '[aria-label="Redo"]');
      equal(await page.document(), preset, 'redone');
      await page.clickText('button', 'Draw again');
      const { seed } = await page.document();
      ok(seed !== preset.seed, 'a new draw');
      await page.clickText('.chip', 'Add token');
      await page.driver.keyboard.type('well');
      await page.press('Enter');
      ok((await page.text('ap-header', '.preset')).includes('2 edits'), `the header counts: ${await page.text('ap-header', '.preset')}`);
      await page.clickText('button', 'Reset');
      equal(await page.document(), { ...preset, seed }, 'reset goes back to the preset and keeps the seed');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).inputs.x.tokens.at(-1), 'well', 'reset can be undone');
    },
  },
  {
    name: 'gallery: own words and seed can be kept',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Use your own');
      await page.fill('see that girl run!', 'ap-inputs', 'textarea');
      await open(page);
      await opened(page);
      ok(await page.run(`return find(['ap-gallery', '.foot input']).checked`), 'whoever typed words will want to keep them');
      await pick(page, 'Sparsemax 2016');
      await page.settled();
      const now = await page.document();
      equal([now.inputs.x.tokens, now.seed], [['see', 'that', 'girl', 'run', '!'], 511], 'words and seed');
      await compare(page, 'with own words');
    },
  },
  {
    name: 'gallery: found by author, walked with arrows, axe finds nothing',
    async run(page) {
      await open(page);
      await opened(page);
      equal(await page.axe(), [], 'open');
      await page.driver.keyboard.type('bahdanau 2015 additive');
      await page.settled();
      const left = await titles(page);
      ok(left[0] === 'Bahdanau 2015' && left.length < 8, `found: ${left}`);
      await page.press('ArrowDown');
      await page.press('Enter');
      await page.settled();
      equal((await page.document()).title, 'Bahdanau 2015', 'picked by keyboard');
      equal(await page.count('ap-gallery'), 0, 'shut');
      await open(page);
      await opened(page);
      await page.driver.keyboard.type('no such system');
      await page.settled();
      ok((await page.text('ap-gallery', '.none')).length > 10, 'says that nothing fits');
      await page.press('Escape');
      await page.until(`return !find(['ap-gallery'])`);
    },
  },
];
