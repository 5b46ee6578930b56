#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What the engine says and a language has no words for yet: node tools/words.mjs [de|ar]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { status, stdout, stderr } = spawnSync(process.env.ATTEND ?? here('build/bin/attend'), ['catalogue'], { encoding: 'utf8', maxBuffer: 1 << 28 });
if (status !== 0) throw new Error(`attend catalogue: ${stderr}`);
const { mechanisms } = JSON.parse(stdout);
const titles = [...new Set(mechanisms.flatMap((m) => [...m.slots, ...m.knobs].map((one) => one.title)))].sort();
const reasons = new Set(mechanisms.flatMap((m) => m.excludes.map(({ reason }) => reason)));

const asked = process.argv.slice(2);
for (const file of readdirSync(here('web/src/strings/engine'))) {
  const code = file.replace('.json', '');
  if (asked.length > 0 && !asked.includes(code)) continue;
  const words = JSON.parse(readFileSync(here(`web/src/strings/engine/${file}`), 'utf8'));
  const without = mechanisms.filter(({ id }) => words.mechanisms[id] === undefined);
  const untitled = titles.filter((title) => words.titles[title] === undefined);
  console.log(`${code}: ${mechanisms.length - without.length} of ${mechanisms.length} mechanisms, ${titles.length - untitled.length} of ${titles.length} titles`);
  for (const { id, title, sentence } of without) console.log(`  ${id}: ${title}. ${sentence}`);
  for (const title of untitled) console.log(`  ${title}`);
  for (const { id, note, learns } of mechanisms) {
    const [, , ownNote, ownLearns] = words.mechanisms[id] ?? [];
    if (note && !ownNote) console.log(`  ${id}, note: ${note}`);
    if (learns && !ownLearns) console.log(`  ${id}, learns: ${learns}`);
  }
  for (const reason of reasons) if (words.phrases[reason] === undefined) console.log(`  ${reason}`);
}
