// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { catalogueWords } from '../../../tools/catalogue_words.mjs';
import { compare, equal, ok } from '../check.mjs';
import { host, untilIn, visit } from '../hosts.mjs';
import { Page } from '../page.mjs';

const choose = (page, code) => page.run(`
  const select = find(['ap-language', 'select']);
  select.value = values[0];
  select.dispatchEvent(new Event('change'));`, code);
const spoken = (page, code) =>
  page.until(`return document.documentElement.lang === values[0] && `
  + `document.querySelector('attention-playground').lang === values[0]`, code);
const fits = (page) => page.run(
  `return document.documentElement.scrollWidth <= innerWidth && find(['.page']).scrollWidth <= innerWidth`);

const inLanguage = (code, direction, title, view) => ({
  name: `the page speaks ${code}, and keeps to it${view ? ', narrow' : ''}`,
  view,
  async run(page, origin) {
    if (view) await page.click('ap-header', '[aria-expanded]');
    await choose(page, code);
    await spoken(page, code);
    await page.settled();
    equal(await page.run(`return getComputedStyle(document.querySelector('attention-playground')).direction`),
      direction, 'direction');
    equal(await page.text('ap-header', 'h1'), title, 'title');
    equal(await page.axe(), [], 'axe');
    ok(await fits(page), 'fits');
    await page.leave();
    await page.go(`${origin}/`);
    await spoken(page, code);
    ok(await fits(page), 'fits after the reload');
    if (!view) await compare(page, 'the numbers');
    equal(await page.run(`return getComputedStyle(find(['ap-flow'])).direction`), 'ltr',
      'matrices are read from left to right everywhere');
  },
});

// What the engine says, in the page's language; what there are no words for is marked as English.
const engine = (code, slot, score, matrix, cell) => ({
  name: `the catalogue and the matrices speak ${code}`,
  async run(page) {
    const labels = () => page.run(`return find(['ap-panel', '.label'], true).map((e) => e.textContent.trim())`);
    const before = await labels();
    // Words for what is not in the catalogue would never be said.
    const words = catalogueWords(code);
    const english = (await page.catalogue()).mechanisms;
    equal(Object.keys(words).filter((id) => !english.some((m) => m.id === id)), [], 'mechanisms that are not there');
    await choose(page, code);
    await spoken(page, code);
    await page.settled();
    ok((await labels()).includes(slot), `labels: ${await labels()}`);
    equal(await page.run(`return find(['ap-menu[data-path="/mechanism/score"]']).text`), score, 'the chosen score');
    ok((await page.run(`return find(['ap-flow']).shadowRoot.textContent`)).includes(matrix), 'the name of a matrix');
    ok((await page.text('ap-steps', '.live')).includes(cell), `the live line: ${await page.text('ap-steps', '.live')}`);
    await page.click('ap-menu[data-path="/mechanism/score"]', 'button');
    const items = await page.run(`return find(['ap-menu[data-path="/mechanism/score"]', 'li[data-id]'], true).map((li) `
      + `=> [li.querySelector('b').textContent, li.lang, li.dataset.id])`);
    const { mechanisms } = await page.catalogue();
    const said = new Map(mechanisms.map((m) => [m.id, m]));
    for (const [title, lang, id] of items)
      equal([title, lang], [said.get(id).title, words[id] ? '' : 'en'], id);
    equal(await page.axe(), [], 'axe');
    await page.press('Escape');
    // The page has words for this objection of the engine, so nothing of it is marked as English.
    await page.fill('-3', 'ap-knob[data-path="/mechanism/heads/count"]', 'input.num');
    const [objection, quoted] = await page.run(`
      const shown = find(['ap-knob[data-path="/mechanism/heads/count"]', '.error']);
      return [shown.textContent, shown.querySelectorAll('[lang="en"]').length];`);
    equal(quoted, 0, objection);
    ok(objection.includes(words['multi-head'].knobs.count) && objection.includes('-3'), objection);
    await page.fill('2', 'ap-knob[data-path="/mechanism/heads/count"]', 'input.num');
    await choose(page, 'en');
    await spoken(page, 'en');
    await page.settled();
    equal(await labels(), before, 'English again');
  },
});

const sideBySide = {
  name: 'two elements on one page speak two languages, side by side, and each keeps to its own',
  async run(page, origin) {
    const site = await host({ '/':
      `<!doctype html><html lang="en"><title>host</title><script type="module" src="${
      origin}/package/element.js"></script>
      <attention-playground compact lang="de"></attention-playground>
      <section lang="ar"><attention-playground compact></attention-playground></section>
      <attention-playground compact></attention-playground>` });
    try {
      await visit(page, site);
      const said = `(() => {
        const all = [...document.querySelectorAll('attention-playground')];
        all.forEach((e) => e.scrollIntoView());
        if (!all.every((e) => e.store?.sessions.result && !e.store.sessions.busy
          && e.shadowRoot.querySelector('ap-compact')?.shadowRoot
            .querySelector('ap-flow')?.shadowRoot.querySelector('.seg'))) return '';
        return JSON.stringify(all.map((e) => {
          const inner = e.shadowRoot.querySelector('ap-compact').shadowRoot;
          return [e.lang, getComputedStyle(e).direction,
            inner.querySelector('ap-flow').shadowRoot.querySelector('.seg button').textContent,
            inner.querySelector('ap-choice')?.shadowRoot.textContent.trim().split(/\\s{2,}/)[0]];
        })); })()`;
      const wanted = [['de', 'ltr', 'Matrix'], ['ar', 'rtl', 'مصفوفة'], ['en', 'ltr', 'Matrix']];
      const heads = (text) => JSON.parse(text).map((one) => one.slice(0, 3));
      await untilIn(page.driver, `(${said}).includes('مصفوفة')`);
      equal(heads(await untilIn(page.driver, said)), wanted, 'each its own');
      const titles = JSON.parse(await untilIn(page.driver, said)).map((one) => one[3]);
      ok(new Set(titles).size === 3, `what the engine says too: ${titles}`);
      // What happens in one leaves the others as they are.
      await page.driver.evaluate(
        `document.querySelectorAll('attention-playground')[1].store.documents.set('/inputs/source/tokens', ['I', `
        + `'you']), 0`);
      await untilIn(page.driver,
        `document.querySelectorAll('attention-playground')[1].store.sessions.result.all('outputs').find((t) => t.role `
        + `=== 'weights').shape.at(-1) === 2`);
      equal(heads(await untilIn(page.driver, said)), wanted, 'after a change');
    } finally {
      site.close();
    }
  },
};

// The file of the built page that has these words.
const fileWith = (text) => {
  const assets = new URL('../../../build/web/assets/', import.meta.url);
  const found = readdirSync(assets).filter((name) =>
    name.endsWith('.js') && readFileSync(new URL(name, assets), 'utf8').includes(text));
  equal(found.length, 1, `files with "${text}"`);
  return found[0];
};

// Words of the catalogue that do not load leave it in English; words of the page that do not load leave the page so.
const unread = {
  name: 'a language whose words do not load: English stands there, and the page goes on',
  only: 'chromium',
  async run({ driver }, origin) {
    // The service worker would have the files already.
    const context = await driver.context().browser().newContext({ serviceWorkers: 'block' });
    const page = new Page(await context.newPage(), origin);
    await page.driver.setViewportSize({ width: 1440, height: 900 });
    const menu = 'ap-menu[data-path="/mechanism/score"]';
    const unbroken = async () => {
      equal(await page.run(`return find(['[role="alertdialog"], dialog[open]'], true).length`), 0, 'no dialog');
      ok(await page.run(`return find(['ap-flow']).shadowRoot.querySelector('.seg') !== null`), 'the view is there');
      // What the browser says of a request that it was told to break off is no error of the page.
      page.errors = page.errors.filter((text) => !/ERR_FAILED|Failed to fetch/.test(text));
      equal(page.errors, [], 'errors');
    };
    // A lesson quotes its title.
    const german = new RegExp(fileWith(catalogueWords('de')['scaled-dot'].sentence));
    const arabic = new RegExp(fileWith('ساحة الانتباه'));
    await page.driver.route(german, (route) => route.abort());
    await page.driver.route(arabic, (route) => route.abort());
    await page.go(`${origin}/`);
    await page.decoder();
    const english = (await page.catalogue()).mechanisms.find(({ id }) => id === 'scaled-dot').title;
    await choose(page, 'de');
    await spoken(page, 'de');
    await page.settled();
    equal(await page.text('ap-header', 'h1'), 'Attention-Spielplatz', 'the words of the page are German');
    equal(await page.run(`return find(['${menu}']).text`), english, 'those of the catalogue English');
    await page.click(menu, 'button');
    const marks = await page.run(`return find(['${menu}', 'li[data-id]'], true).map((li) => li.lang)`);
    ok(marks.length > 20 && marks.every((lang) => lang === 'en'), `and marked: ${marks}`);
    equal(await page.axe(), [], 'axe');
    await page.press('Escape');
    await unbroken();
    await choose(page, 'ar');
    await page.until(`return find(['ap-language', 'select']).value === 'de'`);
    equal(await page.run(`return [document.documentElement.lang, document.documentElement.dir]`), ['de', 'ltr'],
      'without Arabic words the page stays as it was');
    await unbroken();
    await context.close();
  },
};

export const languages = [
  unread,
  sideBySide,
  engine('de', 'Ausrichtung', 'Skaliertes Skalarprodukt', 'Gewichte', 'Gewicht'),
  engine('ar', 'المحاذاة', 'الجداء الداخلي المقيّس', 'الأوزان', 'وزن'),
  inLanguage('de', 'ltr', 'Attention-Spielplatz'),
  inLanguage('ar', 'rtl', 'ساحة الانتباه'),
  inLanguage('ar', 'rtl', 'ساحة الانتباه', { width: 360, height: 800 }),
  {
    first: true,
    name: 'numbers in fields and the counts beside them are as German writes them',
    async run(page) {
      await choose(page, 'de');
      await spoken(page, 'de');
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return !!find(['ap-train-shown', '[data-part="learned"] ap-heat'])`);
      equal(await page.run(`return find(['ap-train-hand', 'input']).value`), '0,9', 'a weight set by hand');
      const side = await page.text('ap-train-side', 'section');
      ok(/Zurückgehalten\s*500 Beispiele\s/.test(side) && !/Beispielen/.test(side), side);
      // What is typed with a comma is that number, and stands there as it was typed.
      await page.fill('0,25', 'ap-train-hand', 'input');
      equal(await page.run(`const one = find(['ap-train-hand']);
        return [one.weight, one.shadowRoot.querySelector('input').value]`), [0.25, '0,25'], 'typed');
      // The numbers in the cells are a picture, which is drawn again.
      const drawn = () => page.run(`return find(['ap-train-shown', '[data-part="learned"] ap-heat', 'canvas'])
        .toDataURL()`);
      const german = await drawn();
      await choose(page, 'en');
      await spoken(page, 'en');
      await page.settled();
      ok(await drawn() !== german, 'the cells have points');
      await choose(page, 'de');
      await spoken(page, 'de');
      await page.settled();
      ok(await drawn() === german, 'and commas again');
    },
  },
];
