// SPDX-License-Identifier: Apache-2.0
// Ways around the page: the skip link, menus with groups and a search, the diagram of the structure.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const focused = (page) => page.run(
  `let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return `
  + `at?.getRootNode().host?.dataset.tensor ?? at?.className ?? null`);

export const ways = [
  {
    name: 'the first Tab offers to skip to the picture, and Enter goes to the weights',
    async run(page) {
      await page.run(`document.activeElement?.blur(); scrollTo(0, 0)`);
      await page.press('Tab');
      equal(await focused(page), 'skip', 'the first stop');
      ok(await page.run(`const box = find(['.skip']).getBoundingClientRect(); return box.top >= 0 && box.left >= 0 && `
        + `box.width > 20`), 'it is seen when it has the focus');
      await page.press('Enter');
      equal(await focused(page), 'weights', 'the keyboard is at the weights');
      await page.press('ArrowRight');
      ok(await page.run(`return ${store}.selection.hover?.tensor === 'weights'`), 'and arrows move there');
    },
  },
  {
    name: 'the second Tab offers to skip to the inputs, and Enter goes to the first of them',
    async run(page) {
      await page.run(`document.activeElement?.blur(); scrollTo(0, 0)`);
      await page.press('Tab');
      await page.press('Tab');
      equal(await page.run(`let at = document.activeElement; while (at?.shadowRoot?.activeElement) `
        + `at = at.shadowRoot.activeElement; return at.dataset.part ?? null`), 'skip-to-inputs', 'the second stop');
      await page.press('Enter');
      ok(await page.run(`return !!document.querySelector('attention-playground').shadowRoot
        .querySelector('ap-inputs').shadowRoot.activeElement`), 'the keyboard is at the inputs');
    },
  },
  {
    name: 'a long menu has groups, opens at the present choice and is searched by typing',
    async run(page) {
      await page.run(`await ${store}.learn()`);
      const path = '/mechanism/type';
      const menu = `ap-menu[data-path="${path}"]`;
      await page.click(menu, 'button');
      ok((await page.count(menu, 'li.group')) > 1, 'groups');
      const all = await page.count(menu, 'li[role="option"]');
      ok(all > 12, `${all} entries`);
      const at = await page.run(`
        const current = find([values[0], 'li[aria-selected="true"]']);
        const [box, list] = [current.getBoundingClientRect(), find([values[0], 'ul']).getBoundingClientRect()];
        return { at: current.classList.contains('at'), seen: box.top >= list.top - 1
          && box.bottom <= list.bottom + 1 }`, menu);
      equal(at, { at: true, seen: true }, 'the present choice');
      const wanted = await page.run(`const last = find([values[0], 'li[role="option"]'], true).filter((e) => `
        + `e.getAttribute('aria-disabled') === 'false').at(-1); return { id: last.dataset.id, title: `
        + `last.querySelector('b').textContent }`, menu);
      await page.driver.keyboard.type(wanted.title.toLowerCase());
      await page.until(`return find([values[0], 'li[role="option"]'], true).length < values[1]`, menu, all);
      equal(await page.run(`return find([values[0], 'li[role="option"]']).dataset.id`, menu), wanted.id,
        'found by its title, first');
      equal(await page.count(menu, 'li.group'), 0, 'what is found stands by how well it fits, across the groups');
      await page.press('Escape');
      equal(await page.count(menu, 'ul'), 0, 'shut');
    },
  },
  {
    name: 'the diagram of the structure opens the controls of the part that is pressed',
    async run(page) {
      await page.click('ap-flow', 'details.structure summary');
      await page.until(`return find(['ap-structure', '.node'], true).length > 3`);
      const parts = await page.run(`return find(['ap-structure', '.node'], true).map((e) => e.dataset.node)`);
      let opened = 0;
      for (const id of parts) {
        await page.run(`${store}.view.show({ control: undefined }); find(['ap-structure', '[data-node="' + `
          + `CSS.escape(values[0]) + '"]']).click()`, id);
        await page.settled();
        const path = await page.run(`return ${store}.view.control?.path ?? null`);
        if (path === null) continue;
        opened++;
        ok(await page.until(`
          let path = values[0];
          while (path && !find(['ap-panel', '[data-path="' + path + '"]'])) path = path.slice(0, path.lastIndexOf('/'));
          const box = path && find(['ap-panel', '[data-path="' + path + '"]']).getBoundingClientRect();
          return box && box.bottom > 0 && box.top < innerHeight;`, path), `the control ${path} is in sight`);
      }
      ok(opened > 1, `${opened} of ${parts.length} parts open a control`);
      // And by keyboard: one tab stop, arrows between the parts.
      equal(await page.run(`return find(['ap-structure', '.node[tabindex="0"]'], true).length`), 1, 'one tab stop');
      await page.run(`find(['ap-structure', '.node[tabindex="0"]']).focus()`);
      const first = await page.run(`return find(['ap-structure']).at`);
      for (const key of ['ArrowDown', 'ArrowRight']) await page.press(key);
      ok((await page.run(`return find(['ap-structure']).at`)) !== first, 'arrows move');
      equal(await page.axe(), [], 'axe');
    },
  },
];
