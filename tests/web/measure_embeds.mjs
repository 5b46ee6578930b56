#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// How high the frame of each preset has to be: node tests/web/measure_embeds.mjs [NAME..]. It opens the frames in
// Chromium in columns of several widths, and writes web/presets/heights.json, from which the oEmbed answers are built.
// Build the page before.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { browsers } from './browsers.mjs';
import { frameOf, heightIn } from './frames.mjs';
import { Page } from './page.mjs';

const WIDTHS = [320, 480, 640, 760, 960];
const at = (path) => new URL(`../../${path}`, import.meta.url);
const list = at('web/presets/heights.json');
const asked = process.argv.slice(2);
const presets = JSON.parse(readFileSync(at('web/presets/gallery.json'), 'utf8')).flatMap((group) => group.presets);
const names = ['', ...presets];

const server = await serve(fileURLToPath(at('build/web')));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await browsers.chromium();
const before = asked.length > 0 ? JSON.parse(readFileSync(list, 'utf8')) : {};
const found = {};
for (const name of names) {
  if (asked.length > 0 && !asked.includes(name)) {
    found[name] = before[name];
    continue;
  }
  const page = new Page(await browser.open({ origin, width: WIDTHS.at(-1), height: 800 }), origin);
  await page.driver.goto(origin + frameOf(name));
  found[name] = [];
  for (const width of WIDTHS) found[name].push([width, await heightIn(page, width)]);
  console.log(name || 'the example', found[name].join(' '));
  await page.close();
}
await browser.close();
server.close();
const lines = Object.entries(found).map(([name, heights]) => ` ${JSON.stringify(name)}: ${JSON.stringify(heights)}`);
writeFileSync(list, `{\n${lines.join(',\n')}\n}\n`);
