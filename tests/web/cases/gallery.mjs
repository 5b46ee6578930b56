// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { compare, equal, ok } from '../check.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const listed = read('web/presets/gallery.json').flatMap(({ presets }) => presets);
const open = (page) => page.click('ap-header', '[data-dialog="presets"]');
// All of every family.
const opened = async (page) => {
  await page.until(`return !!find(['ap-gallery', '.preset[data-kind="system"]'])`);
  await page.run(`for (let k = 0; k < 40; k++) { const more = find(['ap-gallery', `
    + `'[data-all][aria-expanded="false"]']); if (!more) break; more.click(); await `
    + `find(['ap-gallery']).updateComplete; }`);
};
const titles = (page) => page.run(
  `return find(['ap-gallery', '.preset[data-kind="preset"] b'], true).map((e) => e.textContent)`);
const pick = (page, title) => page.run(
  `find(['ap-gallery', '.preset[data-kind="preset"]'], true).find((e) => e.querySelector('b').textContent === `
  + `values[0]).click()`, title);
const LONGEST = 2000;

// The whole gallery is a sweep.
const computed = (which, every, more) => ({
  name: `gallery: ${which} preset computes what attend computes, as its picture says, in a short link`,
  ...more,
  async run(page) {
    await open(page);
    await opened(page);
    const all = await titles(page);
    ok(all.length > 10, `${all.length} presets`);
    let pictured = 0;
    for (const title of all.filter((_, k) => k % every === 0)) {
      if (!(await page.run(`return !!find(['ap-gallery'])`))) await open(page);
      await opened(page);
      const picture = await page.run(`
        const preset = find(['ap-gallery', '.preset[data-kind="preset"]'],
          true).find((e) => e.querySelector('b').textContent === values[0]);
        const { rows, cols, cells, domain } = preset.querySelector('ap-thumb').picture;
        return { rows, cols, domain, levels: Array.from(atob(cells), (c) => c.charCodeAt(0)) };`, title);
      await page.run(`const keep = find(['ap-gallery', '.foot input']); if (keep.checked) keep.click()`);
      await pick(page, title);
      await page.settled();
      equal(await page.run(`return document.querySelector('attention-playground').store.sessions.error ?? null`), null,
        title);
      equal((await page.document()).title, title, 'the title');
      await compare(page, title);
      // The maps of the picture's shape; rows and columns lie last, so the first row is the first numbers.
      const maps = await page.run(`
        const outputs = document.querySelector('attention-playground').store.sessions.result.all('outputs');
        const weights = outputs.filter(({ name }) => /(^|\\.)weights(\\d*|\\.\\d+)$/.test(name));
        return (weights.length > 0 ? weights : outputs.slice(-1))
          .filter(({ shape }) => shape.length === 2 && shape[0] === values[0] && shape[1] === values[1])
          .map(({ name, data }) => ({ name, first: Array.from(data.slice(0, values[1])) }));`,
          picture.rows, picture.cols);
      if (maps.length > 0) {
        pictured++;
        const [low, high] = picture.domain;
        const shown = picture.levels.slice(0, picture.cols).map((level) => low + (level / 254) * (high - low));
        const near = ({ first }) => first.every((value, j) =>
          picture.levels[j] === 255 || Math.abs(shown[j] - value) <= (high - low) / 200);
        ok(maps.some(near), `${title}: its picture has the first row ${shown}, computed are ${JSON.stringify(maps)}`);
      }
      const link = await page.run('return location.href');
      ok(link.length <= LONGEST && link.includes('#1.'), `${title}: a link of ${link.length} characters`);
      await page.click('ap-header', '[aria-label="Undo"]');
    }
    ok(pictured > 0, 'no picture was compared');
  },
});
const each = [computed('every eighth', 8), computed('each', 1, { sweep: true, limit: 1_200_000 })];

export const gallery = [
  {
    name: 'gallery: every preset is there',
    async run(page) {
      await open(page);
      await opened(page);
      equal((await titles(page)).toSorted(), listed.map((file) => read(`examples/${file}.json`).title).toSorted(),
        'titles');
    },
  },
  ...each,
  {
    first: true,
    name: 'gallery: a reload still counts the edits, and Reset leads back to where one set out from',
    async run(page) {
      const shown = () => page.text('ap-header', '.preset');
      const [start, title] = [await page.document(), await shown()];
      await page.run(`await document.querySelector('attention-playground').store.learn()`);
      await page.choose('/model/3/attention/alignment', 'sparsemax');
      equal(await shown(), `${title} · 1 edit`, 'before');
      await page.until(`return document.querySelector('attention-playground').resting`);
      await page.driver.reload();
      await page.settled();
      equal(await shown(), `${title} · 1 edit`, 'after the reload');
      await page.clickText('button', 'Reset');
      equal(await page.document(), start, 'where it set out from');
      equal(await shown(), title, 'no edit is left');
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
      ok((await page.text('ap-header', '.preset')).includes('2 edits'),
        `the header counts: ${await page.text('ap-header', '.preset')}`);
      await page.clickText('button', 'Reset');
      equal(await page.document(), { ...preset, seed }, 'reset goes back to the preset and keeps the seed');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).inputs.x.tokens.at(-1), 'well', 'reset can be undone');
    },
  },
  {
    name: 'gallery: what is opened is seen from its beginning, also again; whoever only returns stays where they were',
    async run(page) {
      const column = `find(['.middle > .scroll'])`;
      // The browser's own anchor would move the column when what is above changes its height.
      const down = () => page.run(`${column}.style.overflowAnchor = 'none'; ${column}.scrollTop = 150;
        return ${column}.scrollTop`);
      const top = () => page.run(`return ${column}.scrollTop`);
      const focus = () => page.run(`return document.querySelector('attention-playground').shadowRoot.activeElement
        ?.localName`);
      const llama = async () => {
        await open(page);
        await opened(page);
        await page.run(`find(['ap-gallery', '.preset[data-kind="system"]'], true)
          .find((e) => e.querySelector('b').textContent === 'Llama').click()`);
        await page.until(`return !find(['ap-gallery'])`);
        await page.settled();
      };
      equal(await down(), 150, 'scrolled down');
      await llama();
      equal([await top(), await focus()], [0, 'main'], 'opened');
      await down();
      await open(page);
      await page.press('Escape');
      equal([await top(), await focus()], [150, 'ap-header'], 'the gallery was only looked at');
      await llama();
      equal([await top(), await focus()], [0, 'main'], 'the same system opened again');
      await down();
      await page.chord('Control', 'z');
      ok((await page.document()).title !== 'Llama', 'undone');
      equal(await top(), 150, 'undo returns to a document that the reader knows');
    },
  },
  {
    name: 'gallery: own words and seed can be kept',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Type your own words');
      await page.fill('see that girl run!', 'ap-inputs', 'textarea');
      await open(page);
      await opened(page);
      ok(await page.run(`return find(['ap-gallery', '.foot input']).checked`),
        'whoever typed words will want to keep them');
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
      await page.run(`find(['ap-gallery', '.find input']).focus()`);
      await page.driver.keyboard.type('bahdanau 2015 additive');
      await page.settled();
      const left = await titles(page);
      ok(left.includes('Bahdanau 2015') && left.length < listed.length, `found: ${left}`);
      const first = await page.run(`return find(['ap-gallery', '.preset b']).textContent`);
      const system = (await page.catalogue()).systems.find(({ title }) => title === first);
      ok(system, `systems come first, found ${first}`);
      await page.press('ArrowDown');
      ok((await page.text('ap-gallery', '.detail')).includes(system.paper.authors), 'what it is stands beside');
      await page.press('Enter');
      await page.settled();
      equal((await page.document()).title, first, 'picked by keyboard');
      ok((await page.text('ap-story', '[data-part="system"]')).includes('What to notice:'), 'told above the picture');
      equal(await page.count('ap-gallery'), 0, 'shut');
      await open(page);
      await opened(page);
      await page.run(`find(['ap-gallery', '.find input']).focus()`);
      await page.driver.keyboard.type('qqq xyzzy');
      await page.settled();
      ok((await page.text('ap-gallery', '.none')).length > 10, 'says that nothing fits');
      await page.press('Escape');
      await page.until(`return !find(['ap-gallery'])`);
    },
  },
  {
    name: 'gallery: facets narrow down, count what is left, and say which one to give up',
    async run(page) {
      await open(page);
      await opened(page);
      const systems = () => page.run(`return find(['ap-gallery', '.preset[data-kind="system"]'], true).length`);
      const count = (facet, value) =>
        page.run(`return Number(find(['ap-gallery', '[data-facet="' + values[0] + '"] [data-value="' + values[1] + '"] `
        + `i']).textContent)`, facet, value);
      const all = (await page.catalogue()).systems;
      const additive = all.filter(({ computed }) =>
        computed.some(({ name, value }) => name === 'scoring' && value?.split(', ').includes('additive'))).length;
      equal(await systems(), all.length, 'all');
      equal(await count('score', 'additive'), additive, 'additive');
      await page.click('ap-gallery', '[data-facet="score"] [data-value="additive"]');
      equal(await systems(), additive, 'only these are left');
      const left = await count('task', 'image');
      await page.click('ap-gallery', '[data-facet="task"] [data-value="image"]');
      equal(await systems(), left, 'as many as it said');
      ok(await page.run(`return find(['ap-gallery', '[data-facet="query"] .value i'], true).some((e) => e.textContent `
        + `=== '0')`), 'none is hidden at zero');
      await page.run(`find(['ap-gallery', '[data-facet="structure"] .value'], true).find((e) => `
        + `e.querySelector('i').textContent === '0').click()`);
      await page.settled();
      ok((await page.text('ap-gallery', '.none')).startsWith('No system matches all of these choices.'),
        'nothing is left');
      await page.click('ap-gallery', '[data-part="nearest"]');
      ok((await systems()) > 0, 'one choice less brings some back');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'gallery: what stands at the coordinates of the document at hand',
    async run(page) {
      const { document } = JSON.parse(readFileSync(new URL('../../../systems/han.json', import.meta.url), 'utf8'));
      await page.run(`document.querySelector('attention-playground').store.documents.replace(values[0])`,
        { ...document, title: 'Mine' });
      await page.settled();
      await open(page);
      await opened(page);
      await page.click('ap-gallery', '[data-part="here"]');
      const found = await page.run(`return find(['ap-gallery', '.preset[data-kind="system"]'], true).map((e) => `
        + `e.dataset.id)`);
      ok(found.includes('han') && found.length < 10, `found: ${found}`);
      ok((await page.text('ap-gallery', '[data-facet="here"]')).includes('exactly these coordinates'), 'said');
    },
  },
  {
    name: 'gallery: mechanisms are found by searching, each opens with its own example',
    async run(page) {
      await open(page);
      await opened(page);
      await page.run(`find(['ap-gallery', '.find input']).focus()`);
      await page.driver.keyboard.type('sinkhorn');
      await page.settled();
      await page.run(`find(['ap-gallery', '.preset[data-kind="mechanism"]']).click()`);
      await page.until(`return !find(['ap-gallery'])`);
      await page.settled();
      ok(JSON.stringify(await page.document()).includes('sinkhorn'), 'its example');
      equal(await page.run(`return document.querySelector('attention-playground').store.sessions.error ?? null`), null,
        'computed');
    },
  },
  {
    name: 'gallery: what is called as was searched for stands first, and Enter opens it',
    async run(page) {
      await open(page);
      await opened(page);
      await page.run(`find(['ap-gallery', '.find input']).focus()`);
      await page.driver.keyboard.type('linear attention');
      await page.settled();
      equal(await page.run(`return find(['ap-gallery', '.preset'], true)[0].dataset.id`), 'linear', 'first');
      await page.press('Enter');
      await page.until(`return !find(['ap-gallery'])`);
      await page.settled();
      equal((await page.document()).mechanism.core.type, 'linear', 'opened');
    },
  },
  {
    name: 'gallery: on a phone a press tells, and a button opens',
    view: { width: 360, height: 780 },
    async run(page) {
      await page.run(`await document.querySelector('attention-playground').dialog('presets')`);
      await opened(page);
      await page.run(`find(['ap-gallery', '.preset[data-id="han"]']).click()`);
      await page.settled();
      ok((await page.text('ap-gallery', '.detail')).includes(read('systems/han.json').paper.authors), 'told');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-gallery', '[data-open]');
      await page.until(`return !find(['ap-gallery'])`);
      equal((await page.document()).title, 'Hierarchical attention network', 'opened');
    },
  },
  {
    name: 'gallery: on a phone what was opened is seen, where the controls lay over the picture',
    view: { width: 390, height: 844 },
    async run(page) {
      await page.click('button.summary[slot="change"]');
      equal([await page.count('ap-panel'), await page.count('ap-flow')], [1, 0], 'the controls');
      await page.run(`await document.querySelector('attention-playground').dialog('presets')`);
      await opened(page);
      await page.run(`find(['ap-gallery', '.preset[data-id="han"]']).click()`);
      await page.click('ap-gallery', '[data-open]');
      await page.until(`return !find(['ap-gallery'])`);
      await page.settled();
      equal([await page.count('ap-panel'), await page.count('ap-flow')], [0, 1], 'the picture');
    },
  },
  {
    name: 'gallery: a search knows what papers and systems are called, and says what is not here',
    async run(page) {
      await open(page);
      await opened(page);
      const first = async (text) => {
        await page.fill(text, 'ap-gallery', '.find input');
        return page.run(`return find(['ap-gallery', '.preset'], true).map((one) => one.dataset.kind + ' ' `
          + `+ one.dataset.id)`);
      };
      equal((await first('ViT'))[0], 'system vit', 'a system before the part of it that has its name');
      ok((await first('attention is all you need')).includes('system transformer'), 'the title of a paper');
      ok((await first('seq2seq')).length > 3, 'a common name');
      for (const name of ['BART', 'mT5']) {
        ok((await first(name)).length > 0, `${name}: what is nearest`);
        ok((await page.text('ap-gallery', '[data-part="absent"]')).includes(`“${name}” is not in this gallery`), name);
      }
      equal((await first('sparsemax')).length > 0 && await page.count('ap-gallery', '[data-part="absent"]'), 0, 'here');
    },
  },
];
