#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Drives the built page in real browsers: node tests/web/run.mjs [chromium|firefox] [part of a test's name]
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
let passed = 0;
let failed = 0;

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

function runAll(name) {
  const waiting = cases.filter((c) => c.name.includes(part));
  return Promise.all(Array.from({ length: Math.min(LANES, waiting.length) }, () => runLane(name, waiting)));
}

async function runLane(name, waiting) {
  let browser = await browsers[name]();
  for (let test = waiting.shift(); test; test = waiting.shift()) {
    const started = performance.now();
    let page;
    let problem;
    try {
      const driver = await browser.open({ width: 1440, height: 900, ...test.view });
      page = new Page(driver, origin);
      await page.go(`${origin}/${test.hash ?? ''}`);
      await test.run(page, origin);
      await tidy(page);
    } catch (thrown) {
      problem = thrown;
    }
    const closed = await Promise.resolve(page?.close()).then(() => page !== undefined, () => false);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (problem === undefined) {
      passed++;
      console.log(`ok   ${name}: ${test.name} (${seconds} s)`);
    } else {
      failed++;
      console.log(`FAIL ${name}: ${test.name} (${seconds} s)\n${String(problem?.stack ?? problem).replace(/^/gm, '     ')}`);
    }
    // A browser that is gone fails one case, not all that follow.
    if (!closed) {
      await Promise.resolve(browser.close()).catch(() => {});
      browser = await browsers[name]();
    }
  }
  await browser.close();
}

await Promise.all(chosen.map(runAll));
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
