// SPDX-License-Identifier: Apache-2.0
import { compare, equal, ok } from '../check.mjs';

const choose = (page, code) => page.run(`
  const select = find(['ap-language', 'select']);
  select.value = values[0];
  select.dispatchEvent(new Event('change'));`, code);
const spoken = (page, code) => page.until(`return document.documentElement.lang === values[0] && document.querySelector('attention-playground').lang === values[0]`, code);
const fits = (page) => page.run(`return document.documentElement.scrollWidth <= innerWidth && find(['.page']).scrollWidth <= innerWidth`);

const inLanguage = (code, direction, title, view) => ({
  name: `the page speaks ${code}, and keeps to it${view ? ', narrow' : ''}`,
  view,
  async run(page, origin) {
    if (view) await page.click('ap-header', '[aria-expanded]');
    await choose(page, code);
    await spoken(page, code);
    await page.settled();
    equal(await page.run(`return getComputedStyle(document.querySelector('attention-playground')).direction`), direction, 'direction');
    equal(await page.text('ap-header', 'h1'), title, 'title');
    equal(await page.axe(), [], 'axe');
    ok(await fits(page), 'fits');
    await page.driver.goto('about:blank');
    await page.go(`${origin}/`);
    await spoken(page, code);
    ok(await fits(page), 'fits after the reload');
    if (!view) await compare(page, 'the numbers');
    equal(await page.run(`return getComputedStyle(find(['ap-flow'])).direction`), 'ltr', 'matrices are read from left to right everywhere');
    await page.run(`localStorage.removeItem('attention-playground.language')`);
  },
});

export const languages = [
  inLanguage('de', 'ltr', 'Attention-Spielplatz'),
  inLanguage('ar', 'rtl', 'ساحة الانتباه'),
  inLanguage('ar', 'rtl', 'ساحة الانتباه', { width: 360, height: 800 }),
];
