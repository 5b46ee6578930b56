// SPDX-License-Identifier: Apache-2.0
// Lectures that came with a file or a link: a reload comes back to them, and an embed steps between their moments.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const head = JSON.parse(readFileSync(new URL('../../../examples/transformer-head.json', import.meta.url), 'utf8'));
const words = ['one two three', 'one two three four', 'one two three four five'].map((text) => text.split(' '));
const moments = words.map((tokens, k) => ({ name: k === 1 ? '' : `the words ${k + 1}`,
  document: { ...head, inputs: { ...head.inputs, x: { ...head.inputs.x, tokens } } } }));
const lecture = { at: 1, head: 2, moments };
const shown = `const lecture = find(['ap-lecture']);
  return !!lecture?.course && !!find(['ap-lecture', 'ap-heat', 'canvas'])`;
const place = (page) => page.run(`const { course } = find(['ap-lecture']);
  return [course.at, course.moments.length, course.scene.notes[0], course.scene.rows.length]`);
const opens = (page, file) => page.run(`const file = new File([values[0]], 'lecture.json');
  document.querySelector('attention-playground').dialog('bring', { file })`, file);

export const moving = [
  {
    first: true,
    name: 'moments: a reload comes back to the lecture of a file, at the moment and the head that were shown',
    async run(page) {
      await opens(page, JSON.stringify({ ...moments[1].document, lecture }));
      await page.until(`return !!find(['ap-bring', 'button.first:not([disabled])'])`);
      await page.click('ap-bring', 'button.first:not([disabled])');
      await page.until(shown);
      await page.press('ArrowRight');
      await page.press('ArrowDown');
      await page.until(shown);
      equal(await place(page), [2, 3, 'head 4 of 4', 5], 'where the lecture is');
      await page.until(`return document.querySelector('attention-playground').resting`);
      await page.driver.reload();
      await page.until(shown);
      equal(await place(page), [2, 3, 'head 4 of 4', 5], 'and where it is again');
      equal(await page.run(`return document.querySelector('attention-playground').store.documents.document.inputs.x
        .tokens.length`), 4, 'the document of the page');
      // Whoever left the lecture finds the document.
      await page.press('Escape');
      await page.until(`return !find(['ap-lecture'])`);
      await page.until(`return document.querySelector('attention-playground').resting`);
      await page.driver.reload();
      await page.settled();
      await page.frames(20);
      equal(await page.run(`const { documents } = document.querySelector('attention-playground').store;
        return [!!find(['ap-lecture']), documents.document.inputs.x.tokens.length]`), [false, 4],
        'without the lecture');
    },
  },
  ...[[true, 640], [false, 1300], [true, 320]].map(([compact, width]) => ({
    first: true,
    view: { width, height: 900 },
    name: `moments: ${compact ? 'an embed' : 'a whole page that is embedded'} of ${width} px steps between the moments`,
    async run(page, origin) {
      await page.go(`${origin}/embed.html`);
      await page.run(`const embed = document.createElement('attention-playground');
        embed.setAttribute('document', JSON.stringify(values[0]));
        if (values[1]) embed.toggleAttribute('compact', true);
        else embed.setAttribute('height', '880');
        document.body.replaceChildren(embed);`, { ...moments[1].document, lecture }, compact);
      await page.until(`return !!find(['ap-moments', '[data-part="next"]'])`);
      await page.settled();
      const now = () => page.run(`const { store } = document.querySelector('attention-playground');
        return [find(['ap-moments', 'p']).textContent.trim().replace(/\\s+/g, ' '),
          store.sessions.result.find('weights').shape.at(-1), store.selection.chosen.head ?? 0]`);
      equal(await now(), ['Moment 2 2 / 3', 4, 2], 'the moment and the head of the lecture');
      await page.click('ap-moments', '[data-part="next"]');
      equal(await now(), ['the words 3 3 / 3', 5, 2], 'the next one, and the head stays');
      equal(await page.run(`return find(['ap-moments', '[data-part="next"]']).getAttribute('aria-disabled')`), 'true',
        'the last one');
      await page.press('ArrowLeft');
      await page.press('PageUp');
      equal(await now(), ['the words 1 1 / 3', 3, 2], 'by keys');
      await page.press('End');
      await page.press('2');
      equal((await now())[1], 4, 'by number');
      const low = await page.run(`return find(['ap-moments', 'button'], true).map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => width < 44 || height < 44).length`);
      equal(low, 0, 'targets below 44 pixels');
      equal(await page.run(`return document.documentElement.scrollWidth > innerWidth`), false, 'nothing is cut off');
      // A whole page has landmarks of its own; those around a compact embed are its host's.
      const marks = ['landmark-one-main', 'page-has-heading-one', 'region'];
      equal((await page.axe()).filter((one) => !compact || !marks.some((id) => one.startsWith(`${id}:`))), [], 'axe');
    },
  })),
  {
    first: true,
    name: 'moments: the code of an embed carries the moments that were kept, if its author chooses so',
    async run(page) {
      await page.run(`localStorage.setItem('attention-playground.lecture', JSON.stringify(values[0]))`, { moments });
      await page.driver.reload();
      await page.settled();
      await page.dialog('embed');
      await page.until(`return !!find(['ap-embed', '[data-part="lecture"] input'])`);
      const length = () => page.run(`return find(['ap-embed', 'textarea']).value.length`);
      const before = await length();
      await page.click('ap-embed', '[data-part="lecture"] input');
      await page.until(`return find(['ap-embed', 'textarea']).value.length !== values[0]`, before);
      const inside = `const [frame] = find(['ap-embed', 'iframe'], true);
        const embed = frame.contentDocument.querySelector('attention-playground');
        const bar = embed?.shadowRoot?.querySelector('ap-moments');
        return bar?.shadowRoot?.querySelector('p')?.textContent.replace(/\\s+/g, ' ').trim()`;
      await page.until(inside);
      equal(await page.run(inside), 'the words 1 1 / 3', 'the preview begins with the first moment');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-embed', '[data-part="lecture"] input');
      await page.until(`return find(['ap-embed', 'textarea']).value.length === values[0]`, before);
    },
  },
  {
    first: true,
    name: 'moments: an embed without a lecture has no steps',
    async run(page, origin) {
      await page.go(`${origin}/embed.html`);
      await page.until(`return !!find(['ap-compact'])`);
      equal(await page.count('ap-moments'), 0, 'steps');
      ok(!(await page.run(`return performance.getEntriesByType('resource').some(({ name }) =>
        name.includes('moments'))`)), 'nothing of them is fetched');
    },
  },
];
