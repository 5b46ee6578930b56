// SPDX-License-Identifier: Apache-2.0
// Walks the visits through the page, and writes down the link, what it shows where it is opened, and the files saved.
import { catchSaved, saved as lastSaved } from '../web/files.mjs';
import { look, open, openSite } from './walk.mjs';
import { take } from './visits.mjs';

// Every so many visits the document is saved as a file too.
const SAVED_EVERY = 6;

async function prepared(page, origin, visit, document) {
  await open(page, origin, { path: '/', language: visit.language });
  await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, document);
  await page.settled();
  await page.run(`return (${take})(values[0])`, visit.does);
  await page.until(`return document.querySelector('attention-playground').resting`);
  const hash = await page.run(`return location.hash`);
  if (!hash.startsWith('#1.')) throw new Error(`${visit.name}: the address says ${hash.slice(0, 40)}`);
  return hash;
}

async function savedFile(page, name) {
  await page.dialog('share');
  await page.until(`return !!find(['ap-share', '#link'])`);
  await catchSaved(page);
  await page.click('ap-share', '[data-save="document"]');
  const file = await lastSaved(page);
  return { name, file: file.name, text: file.text };
}

/**
 * `link` and `saved` are called with each record as it is made; visits that `known` names were recorded by a run that
 * was stopped.
 */
export async function record(visits, documents, { known, link, saved }) {
  const site = await openSite();
  try {
    for (const [k, visit] of visits.entries()) {
      if (known.has(visit.name)) continue;
      const page = await site.page();
      const hash = await prepared(page, site.origin, visit, visit.document ?? documents.get(visit.from));
      if (k % SAVED_EVERY === 0 && visit.does.place === undefined) saved(await savedFile(page, visit.name));
      await page.close();
      const path = visit.frame === undefined ? `/${hash}` : `/embed.html${hash}${visit.frame}`;
      const opened = await site.page();
      await open(opened, site.origin, { path, language: visit.language });
      const shows = await look(opened);
      await opened.close();
      link({ name: visit.name, language: visit.language, path, shows });
      process.stdout.write(`${k + 1} of ${visits.length}, ${visit.name}: ${shows.pictures.length} pictures\n`);
    }
  } finally {
    await site.close();
  }
}
