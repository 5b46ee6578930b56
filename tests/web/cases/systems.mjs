// SPDX-License-Identifier: Apache-2.0
import { equal, ok } from '../check.mjs';

export const systems = [
  {
    name: 'systems: each opens, is computed, and says its paper, what to know and what to try',
    async run(page) {
      const all = (await page.catalogue()).systems;
      ok(all.length > 70, `${all.length} systems`);
      for (const { id, document, paper } of all) {
        await page.run(`document.querySelector('attention-playground').store.documents.replace(values[0])`, document);
        await page.settled();
        equal(await page.run(`return document.querySelector('attention-playground').store.sessions.error ?? null`),
          null, id);
        const told = await page.until(`return find(['ap-story', '[data-part="system"]'])?.textContent`);
        ok(told.includes(paper.authors) && told.includes('To know:'), `${id}: ${told}`);
        ok((await page.count('ap-flow', 'ap-matrix')) > 0, `${id}: a picture`);
        equal(await page.run(`return document.scrollingElement.scrollWidth - innerWidth`), 0,
          `${id}: nothing is wider than the page`);
      }
    },
  },
];
