// SPDX-License-Identifier: Apache-2.0
import { equal, ok } from '../check.mjs';

// All of them are a sweep; these are of every kind.
const EVERY = 12;

const opening = (name, which, more) => ({
  name,
  ...more,
  async run(page) {
    const all = (await page.catalogue()).systems;
    ok(all.length > 70, `${all.length} systems`);
    for (const { id, document, paper } of all.filter(which)) {
      await page.run(`document.querySelector('attention-playground').store.documents.replace(values[0])`, document);
      await page.settled();
      equal(await page.run(`return document.querySelector('attention-playground').store.sessions.error ?? null`), null,
        id);
      const told = await page.until(`return find(['ap-story', '[data-part="system"]'])?.textContent`);
      ok(told.includes(paper.authors) && told.includes('What to notice:'), `${id}: ${told}`);
      ok((await page.count('ap-flow', 'ap-matrix')) > 0, `${id}: a picture`);
      equal(await page.run(`return document.scrollingElement.scrollWidth - innerWidth`), 0,
        `${id}: nothing is wider than the page`);
    }
  },
});

export const systems = [
  opening('systems: every twelfth opens, is computed, and says its paper, what to know and what to try',
    (_, k) => k % EVERY === 0),
  opening('systems: each opens, is computed, and says its paper, what to know and what to try', () => true,
    { sweep: true, limit: 1_200_000 }),
];
