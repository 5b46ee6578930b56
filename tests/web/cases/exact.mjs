// SPDX-License-Identifier: Apache-2.0
// What a link says comes back as it was: on the page, in a frame from a plain static host, and in a sandboxed frame.
import { fileURLToPath } from 'node:url';
import { equal, ok } from '../check.mjs';
import { frame, host, plainly, untilIn, visit } from '../hosts.mjs';

const built = fileURLToPath(new URL('../../../build/web', import.meta.url));
const store = `document.querySelector('attention-playground').store`;
const seen = `(() => {
  const store = document.querySelector('attention-playground')?.store;
  if (!store?.sessions.result || store.sessions.busy || store.selection.lock === undefined) return '';
  const { selection, view, comparison } = store;
  return JSON.stringify({ lock: selection.lock, head: selection.chosen.head, view: view.view, walk: view.walk,
    stage: view.stage, table: view.table, large: view.large, compared: comparison.held?.editing });
})()`;

// Head 3, a cell in it, as lines.
async function look(page) {
  await page.click('ap-heads', 'li:nth-child(3) button');
  await page.clickAt(['ap-matrix[data-tensor="weights"]'], 1.5 / 8, 4.5 / 8);
  await page.clickText('.seg button', 'Lines');
  await page.until(`return document.querySelector('attention-playground').resting`);
  return JSON.parse(await page.driver.evaluate(seen));
}

export const exact = [
  {
    name: 'the link is exact: walk, table, enlarged matrix and comparison come back elsewhere',
    async run(page, origin) {
      await page.click('ap-steps', '[aria-label="Next step"]');
      await page.click('ap-steps', '[aria-label="Next step"]');
      await page.table('weights');
      await page.click('ap-flow', '[data-part="enlarge"]');
      await page.click('ap-header', '[data-part="compare"]');
      await page.choose('/mechanism/alignment', 'sparsemax');
      await page.until(`return ${store}.comparison.results() && `
        + `document.querySelector('attention-playground').resting`);
      const before = JSON.parse(await page.driver.evaluate(seen));
      ok(before.walk === 1 && before.table === 'weights' && before.large && before.compared === 'B',
        `what is looked at: ${JSON.stringify(before)}`);
      const url = await page.run('return location.href');
      await page.leave();
      await page.go(url);
      await page.until(`return ${store}.selection.lock !== undefined && ${store}.comparison.results() !== undefined`);
      await page.settled();
      equal(JSON.parse(await page.driver.evaluate(seen)), before, 'what the link shows');
      await page.until(`return document.querySelector('attention-playground').resting`);
      equal(await page.run('return location.href'), url, 'the same link again');
    },
  },
  {
    name: 'an embed from a plain static host shows what its link says, in the frame that the dialog writes',
    async run(page) {
      const plain = await plainly(built);
      const own = `http://127.0.0.1:${plain.address().port}`;
      let site;
      try {
        page.expect(own);
        await page.go(`${own}/`);
        await page.decoder();
        const before = await look(page);
        equal([before.head, before.view], [2, 'lines'], 'what is looked at');
        await page.dialog('embed');
        await page.until(`return !!find(['ap-embed', 'textarea'])`);
        await page.click('ap-embed', '[data-way="frame"]');
        const code = await page.run(`return find(['ap-embed', 'textarea']).value`);
        site = await host({ '/': `<!doctype html><title>course</title>${code}` });
        await visit(page, site);
        const inside = await frame(page, 'embed.html');
        equal(JSON.parse(await untilIn(inside, seen)), before, 'what the frame shows');
      } finally {
        // The frame goes on fetching what its first picture did without: it goes before its host does.
        await page.leave();
        site?.close();
        plain.close();
      }
    },
  },
  {
    name: 'in a sandbox the frame shows what its link says, and where its scripts are refused it says what is missing',
    async run(page, origin) {
      const before = await look(page);
      const link = (await page.run('return location.hash')).slice(1);
      const plain = await plainly(built);
      const own = `http://127.0.0.1:${plain.address().port}`;
      const framed = (site) => `<iframe sandbox="allow-scripts" width="760" height="560" src="${site}/embed.html#${
        link}"></iframe>`;
      const site = await host({ '/': `<!doctype html><title>course</title>${framed(origin)}`,
        '/plain': `<!doctype html><title>course</title>${framed(own)}` });
      page.expect(own);
      try {
        await visit(page, site);
        equal(JSON.parse(await untilIn(await frame(page, 'embed.html'), seen)), before,
          'what the sandboxed frame shows');
        await page.leave();
        await visit(page, site, '/plain');
        const refused = await frame(page, `${own}/embed.html`);
        const words = await untilIn(refused,
          `(() => { const e = document.querySelector('.missing'); return e && getComputedStyle(e).visibility === `
          + `'visible' ? e.textContent : ''; })()`);
        ok(words.includes('allow-same-origin') && words.includes('Access-Control-Allow-Origin'), words);
      } finally {
        await page.leave();
        // What the browser says of the scripts that it refused.
        page.errors = page.errors.filter((text) => !/CORS|ERR_FAILED/.test(text));
        site.close();
        plain.close();
      }
    },
  },
  {
    name: 'a frame whose document lies elsewhere, or nowhere, says so and shows the example',
    async run(page, origin) {
      for (const src of ['http://', 'https://else.where.test/a.json']) {
        await page.leave();
        await page.driver.goto(`${origin}/embed.html#&src=${encodeURIComponent(src)}`);
        await page.until(`return find(['.notice'])?.textContent.includes(values[0])`, src);
        await page.until(`return ${store}.sessions.result !== undefined`);
      }
    },
  },
];
