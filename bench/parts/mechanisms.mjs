// SPDX-License-Identifier: Apache-2.0
// Every mechanism of the catalogue by way of the document engine, and how its time and memory grow with the rows.
export const sizes = [32, 64, 128, 256];
const patience = 4000; // milliseconds: a mechanism that takes longer is not tried at the next size
const short = 20; // milliseconds of one measurement: there are many

// By which power the last doubling of the rows went.
const power = (a, b, field) => (a?.[field] && b?.[field] ? Math.log2(b[field] / a[field]) : undefined);

export async function mechanisms(browser, { rounds, works, note }) {
  const page = await browser.page(note);
  const ids = await page.evaluate(async () => {
    globalThis.documents = await import('/bench/page/documents.mjs');
    return globalThis.documents.startDocuments('/build/web/engine/index.js');
  });
  const chosen = ids.filter((id) => works.length === 0 || works.some((part) => id.includes(part)));
  const rows = chosen.map((id) => ({ id, at: {} }));
  const count = Math.min(rounds, 5);
  for (let round = 0; round < count; round++) {
    note(`mechanisms: round ${round + 1} of ${count}`);
    for (const { id, at } of rows) {
      for (const n of sizes) {
        const before = at[n / 2];
        if (before && (before.failed || before.best > patience / 8)) continue;
        const found = await page.evaluate(([name, size, time]) => globalThis.documents.timeDocument(name, size, time),
          [id, n, short]);
        if (found.failed) at[n] ??= found;
        else if (!at[n]?.best || found.best < at[n].best) at[n] = found;
      }
    }
  }
  await page.close();
  return { rows: rows.map(({ id, at }) =>
    ({ id, at, time: power(at[128], at[256], 'best'), memory: power(at[128], at[256], 'bytes') })) };
}
