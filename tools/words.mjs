#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What the engine says and a language has no words for yet, or words for what it said before: node tools/words.mjs
// [de|ar].
// Once the words follow the English again: node tools/words.mjs --follows de ID.. (systems/ID for what is no mechanism;
// all for all).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path) => JSON.parse(readFileSync(here(path), 'utf8'));
const attend = (what) => {
  const { status, stdout, stderr } =
    spawnSync(process.env.ATTEND ?? here('build/bin/attend'), [what], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`attend ${what}: ${stderr}`);
  return JSON.parse(stdout);
};
const { mechanisms, measures, systems } = attend('catalogue');
// What each record says, in the order in which its words are kept.
const records = {
  measures: measures.map(({ id, title, sentence, tells }) => ({ id, said: [title, sentence, tells] })),
  tasks: attend('tasks').map(({ id, title, says, shows }) => ({ id, said: [title, says, shows] })),
  systems: systems.map(({ id, title, says }) => ({ id, said: [title, says] })),
  simplified: systems.filter(({ simplified = [] }) => simplified.length > 0)
    .map(({ id, simplified }) => ({ id, said: simplified })),
  differs: systems.filter(({ differs = {} }) => Object.keys(differs).length > 0)
    .map(({ id, differs }) => ({ id, said: Object.entries(differs).flat() })),
};
const titles = [...new Set(mechanisms.flatMap((m) => [...m.slots, ...m.knobs].map((one) => one.title)))].sort();
const reasons = new Set(mechanisms.flatMap((m) => m.excludes.map(({ reason }) => reason)));

// By language and id: of which English the words are, in eight digits.
const followed = read('tools/words.json');
const hash = (said) => createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 8);
const digest = ({ title, sentence, note, learns }) => hash([title, sentence, note, learns]);

const asked = process.argv.slice(2);
if (asked[0] === '--follows') {
  const [, code, ...ids] = asked;
  const { mechanisms: known } = read(`web/src/strings/engine/${code}.json`);
  for (const one of mechanisms) {
    if (known[one.id] && (ids.includes(one.id) || ids.includes('all'))) (followed[code] ??= {})[one.id] = digest(one);
  }
  const beside = read(`web/src/strings/records/${code}.json`);
  for (const [kind, list] of Object.entries(records)) {
    for (const { id, said } of list) {
      const key = `${kind}/${id}`;
      if (beside[kind][id] && (ids.includes(key) || ids.includes('all'))) (followed[code] ??= {})[key] = hash(said);
    }
  }
  const rows = (words) => Object.entries(words).sort().map(([id, hash]) => `  "${id}": "${hash}"`).join(',\n');
  writeFileSync(here('tools/words.json'),
    `{\n${Object.entries(followed).map(([name, words]) => ` "${name}": {\n${rows(words)}\n }`).join(',\n')}\n}\n`);
  process.exit();
}
for (const file of readdirSync(here('web/src/strings/engine'))) {
  const code = file.replace('.json', '');
  if (asked.length > 0 && !asked.includes(code)) continue;
  const words = read(`web/src/strings/engine/${file}`);
  const without = mechanisms.filter(({ id }) => words.mechanisms[id] === undefined);
  const changed = mechanisms.filter((one) => words.mechanisms[one.id] && followed[code]?.[one.id] !== digest(one));
  const untitled = titles.filter((title) => words.titles[title] === undefined);
  console.log(`${code}: ${mechanisms.length
    - without.length} of ${mechanisms.length} mechanisms, ${changed.length} of them changed in English since; ` +
    `${titles.length - untitled.length} of ${titles.length} titles`);
  for (const { id, title, sentence } of without) console.log(`  ${id}: ${title}. ${sentence}`);
  for (const { id, title, sentence } of changed) console.log(`  ${id}, changed: ${title}. ${sentence}`);
  for (const title of untitled) console.log(`  ${title}`);
  for (const { id, note, learns } of mechanisms) {
    const [, , ownNote, ownLearns] = words.mechanisms[id] ?? [];
    if (note && !ownNote) console.log(`  ${id}, note: ${note}`);
    if (learns && !ownLearns) console.log(`  ${id}, learns: ${learns}`);
  }
  for (const reason of reasons) if (words.phrases[reason] === undefined) console.log(`  ${reason}`);
  const beside = read(`web/src/strings/records/${file}`);
  for (const [kind, list] of Object.entries(records)) {
    const lacking = list.filter(({ id }) => beside[kind][id] === undefined);
    const old = list.filter(({ id, said }) => beside[kind][id] && followed[code]?.[`${kind}/${id}`] !== hash(said));
    console.log(`${code}: ${list.length
      - lacking.length} of ${list.length} ${kind}, ${old.length} of them changed in English since`);
    for (const { id, said } of lacking) console.log(`  ${kind}/${id}: ${said.join(' ')}`);
    for (const { id, said } of old) console.log(`  ${kind}/${id}, changed: ${said.join(' ')}`);
  }
}
