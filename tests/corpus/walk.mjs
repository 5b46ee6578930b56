// SPDX-License-Identifier: Apache-2.0
// Opens links in a browser, one after the other, and tells what they show.
import { inflateRawSync } from 'node:zlib';
import { browsers } from '../web/browsers.mjs';
import { serve } from '../../tools/serve.mjs';
import { Page } from '../web/page.mjs';
import { root } from './release.mjs';
import { shown, trained } from './shown.mjs';

const READY = `find(['ap-train-bar'])?.desk?.training?.phase === 'ready'`;

export async function openSite(site = `${root}build/web`) {
  const server = await serve(site);
  const browser = await browsers.chromium();
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    async page() {
      const driver = await browser.open({ origin, width: 1440, height: 900 });
      return new Page(driver, origin);
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** Opens what stands behind the page's address, in a language, as somebody who gets the link does. */
export async function open(page, origin, { path, language }) {
  // The language is a choice that the browser remembers; a frame's address says its own.
  await page.driver.addInitScript(
    `try { localStorage.setItem('attention-playground.language', '${language}'); } catch {}`);
  await page.driver.goto('about:blank');
  await page.go(`${origin}${path}`);
  const wanted = documentIn(path);
  // The page shows its first document until it has read the link.
  if (wanted) await page.until(`const { store } = document.querySelector('attention-playground') ?? {};
    const { title, inputs } = store?.documents.document ?? {};
    return JSON.stringify([title, inputs]) === JSON.stringify([values[0].title, values[0].inputs])
      && !store.sessions.busy`, wanted);
}

function documentIn(path) {
  const packed = /#1\.([\w-]+)/.exec(path)?.[1];
  return packed && JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString());
}

/** What is shown once the page has come to rest. */
export async function look(page) {
  await page.settled();
  const place = await page.run(`return document.querySelector('attention-playground').store.view.place`);
  if (place === 'train') await page.until(`return ${READY}`);
  else await page.until(`return document.querySelector('attention-playground').resting`);
  await page.frames(3);
  // What is far from the window is neither made nor drawn until it comes near; on paper everything is.
  await page.run(`return Promise.all(find(['ap-on-demand'], true).map((one) => one.make()))`);
  await page.settled();
  await page.run(`dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))`);
  await page.frames(3);
  const found = await page.run(`return (${shown})()`);
  return place === 'train' ? { ...found, training: await page.run(`return (${trained})()`) } : found;
}
