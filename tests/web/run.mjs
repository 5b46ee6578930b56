#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Drives the built page in real browsers: node tests/web/run.mjs [chromium|firefox] [part of a test's name]
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';
import { cases } from './cases/all.mjs';

const asked = process.argv.slice(2);
const chosen = Object.keys(browsers).filter((name) => !asked.some((a) => browsers[a]) || asked.includes(name));
const part = asked.find((a) => !browsers[a]) ?? '';

const server = await serve(fileURLToPath(new URL('../../build/web', import.meta.url)));
const origin = `http://127.0.0.1:${server.address().port}`;

// Whatever a test is about, the page may not complain, call out, or break its policy.
async function tidy(page) {
  const broken = await page.policyBroken();
  const wrong = [
    ...page.errors.map((text) => `console error: ${text}`),
    ...page.foreign.map((url) => `request off the origin: ${url}`),
    ...broken.map((text) => `policy broken: ${text}`),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

// Two windows of each browser share its cases, each with a profile of its own: while one waits for a frame, another computes.
const LANES = 2;

async function attempt(test, browser) {
  let page;
  try {
    const driver = await browser.open({ width: 1440, height: 900, ...test.view });
    page = new Page(driver, origin);
    await page.go(`${origin}/${test.hash ?? ''}`);
    // What most cases speak of; those of the first visit see what everybody sees first.
    if (!test.first && test.hash === undefined) await page.decoder();
    await test.run(page, origin);
    await tidy(page);
  } finally {
    const closed = await Promise.resolve(page?.close()).then(() => page !== undefined, () => false);
    if (!closed) browser.gone = true;
  }
}

function casesIn(name) {
  const idle = [];
  after(() => Promise.all(idle.map((browser) => browser.close())));
  for (const test of cases.filter((c) => c.name.includes(part))) {
    it(`${name}: ${test.name}`, async () => {
      const browser = idle.pop() ?? (await browsers[name]());
      try {
        await attempt(test, browser);
      } finally {
        // A browser that is gone fails one case, not all that follow.
        if (browser.gone) await Promise.resolve(browser.close()).catch(() => {});
        else idle.push(browser);
      }
    });
  }
}

describe('the built page', { concurrency: chosen.length }, () => {
  after(() => server.close());
  for (const name of chosen) describe(name, { concurrency: LANES }, () => casesIn(name));
});
