#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The longest tasks of the page's own thread, in Chromium: node tests/web/measure_tasks.mjs [part of a scene's name]
// [--json] [--rounds N] [--site FOLDER]. For each scene (cases/tasks.mjs) it prints the processor time of the longest
// task and how much of it each kind of work takes, so that a busy machine makes no task longer by waiting. Of several
// rounds, each in a fresh browser, the round with the shortest longest task is printed. Nothing is asserted.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { Page } from './page.mjs';
import { scenes } from './scenes.mjs';

const { values: asked, positionals: [part = ''] } = parseArgs({ allowPositionals: true, options: {
  json: { type: 'boolean' }, rounds: { type: 'string', default: '1' },
  site: { type: 'string', default: fileURLToPath(new URL('../../build/web', import.meta.url)) },
} });
const KINDS = 4;
const short = (value) => Math.round(value * 10) / 10;

async function measure({ begin, act }, origin) {
  const browser = await browsers.chromium();
  const driver = await browser.open({ width: 1440, height: 900 });
  const page = new Page(driver, origin);
  try {
    await begin(page, origin);
    const tasks = await driver.workDuring(() => act(page, origin));
    return tasks.toSorted((a, b) => b.took - a.took);
  } finally {
    await page.close();
    await browser.close();
  }
}

const server = await serve(asked.site);
const origin = `http://127.0.0.1:${server.address().port}`;
const rows = [];
for (const scene of scenes.filter(({ name }) => name.includes(part))) {
  const found = [];
  for (let round = 0; round < Number(asked.rounds); round++) found.push(await measure(scene, origin));
  const [tasks] = found.toSorted(([a], [b]) => a.took - b.took);
  rows.push({ scene: scene.name, longest: short(tasks[0].took), next: tasks.slice(1, 3).map(({ took }) => short(took)),
    over50: tasks.filter(({ took }) => took > 50).length,
    work: Object.entries(tasks[0].work).toSorted(([, a], [, b]) => b - a).slice(0, KINDS)
      .map(([name, took]) => `${name} ${short(took)}`) });
  if (!asked.json) console.log(rows.at(-1).scene.padEnd(24), String(rows.at(-1).longest).padStart(6),
    `(${rows.at(-1).next.join(', ')})`, '=', rows.at(-1).work.join(', '));
}
server.close();
if (asked.json) console.log(JSON.stringify(rows, null, 2));
