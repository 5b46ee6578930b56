#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Drives the built page in real browsers: node tests/web/run.mjs [chromium|firefox] [part of a test's name]; without
// words
// Chromium, all but the sweeps.
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Failure } from './failure.mjs';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';
import { cases, core } from './cases/all.mjs';

const asked = process.argv.slice(2);
// A plain `./test` sets ATTEND_CORE and drives the core in Chromium, `./test browsers` all cases but the sweeps;
// `./test --all` drives every browser and the sweeps over the whole catalogue too, which take the better part of an
// hour.
const everything = process.env.ATTEND_ALL !== undefined;
const named = Object.keys(browsers).filter((name) => asked.includes(name));
const chosen = named.length > 0 ? named : everything ? Object.keys(browsers) : ['chromium'];
const part = asked.find((a) => !browsers[a]) ?? '';
const coreOnly = process.env.ATTEND_CORE !== undefined;
const askedFor = ({ sweep }) => everything || part !== '' || !sweep;
const wanted = (one) => one.name.includes(part) && askedFor(one) && (!coreOnly || core.has(one));

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

// Two windows of each browser share its cases, each with a profile of its own: while one waits for a frame, another
// computes.
const LANES = 2;

// A case that hangs fails by itself, and the next one begins. Sweeps over the whole catalogue say how long they may
// take.
const LIMIT = 240_000;

async function attempt(test, browser, name) {
  let page;
  const limit = test.limit ?? LIMIT;
  const clock = {};
  const late = new Promise((_, refuse) =>
    (clock.timer = setTimeout(() => refuse(new Error(`not done after ${limit / 1000} s`)), limit)));
  try {
    await Promise.race([drive(test, browser, (made) => (page = made)), late]);
  } catch (problem) {
    throw await new Failure(name, page, problem).kept();
  } finally {
    clearTimeout(clock.timer);
    const closed = await Promise.resolve(page?.close()).then(() => page !== undefined, () => false);
    if (!closed) browser.gone = true;
  }
}

async function drive(test, browser, tell) {
  const driver = await browser.open({ origin, width: 1440, height: 900, ...test.view });
  const page = new Page(driver, origin);
  tell(page);
  await page.go(`${origin}/${test.hash ?? ''}`);
  // What most cases speak of; those of the first visit see what everybody sees first.
  if (!test.first && test.hash === undefined) await page.decoder();
  await test.run(page, origin);
  await tidy(page);
}

function casesIn(name) {
  const idle = [];
  after(() => Promise.all(idle.map((browser) => browser.close())));
  for (const test of cases.filter((one) => wanted(one) && (one.only ?? name) === name)) {
    it(`${name}: ${test.name}`, async () => {
      const browser = idle.pop() ?? (await browsers[name]());
      try {
        await attempt(test, browser, `${name}-${test.name}`);
      } catch (problem) {
        browser.gone = true;
        throw problem;
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
