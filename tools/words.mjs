#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What the engine says and a language has no words for yet, or words for what it said before: node tools/words.mjs
// [de|ar].
// Once the words follow the English again: node tools/words.mjs --follows de ID.. (systems/ID for what is no mechanism;
// all for all).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueLanguages, catalogueWords, wordsBeside } from './catalogue_words.mjs';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path) => JSON.parse(readFileSync(here(path), 'utf8'));
const attend = (what) => {
  const { status, stdout, stderr } =
    spawnSync(process.env.ATTEND ?? here('build/bin/attend'), [what], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`attend ${what}: ${stderr}`);
  return JSON.parse(stdout);
};
// Where a system is simpler than its paper: of both documents, of the untrained one, of the trained one.
const caveatsOf = ({ simplified = [], untrained = [], trained = [] }) => [...simplified, ...untrained, ...trained];
const { mechanisms, measures, systems } = attend('catalogue');
// What each record says, in the order in which its words are kept.
const records = {
  measures: measures.map(({ id, title, sentence, tells }) => ({ id, said: [title, sentence, tells] })),
  tasks: attend('tasks').map(({ id, title, says, shows, forms }) =>
    ({ id, said: [title, says, shows, ...forms.map((form) => form.says)] })),
  systems: systems.map(({ id, title, says }) => ({ id, said: [title, says] })),
  simplified: systems.map((system) => ({ id: system.id, said: caveatsOf(system) }))
    .filter(({ said }) => said.length > 0),
  differs: systems.filter(({ differs = {} }) => Object.keys(differs).length > 0)
    .map(({ id, differs }) => ({ id, said: Object.entries(differs).flat() })),
};
const reasons = wordsBeside('en', 'reasons');
// The page shows these; others stand in errors alone, which are English.
const shown = new Set(mechanisms.flatMap((m) => m.excludes.map(({ reason }) => reason)));
// The words that a language has for a record of one kind: in a list as the record's, in a file of the catalogue.
const beside = (code) => {
  const [measures, tasks, systems] = ['measures', 'tasks', 'systems'].map((name) => wordsBeside(code, name));
  const part = (name) => Object.fromEntries(Object.entries(systems).map(([id, words]) => [id, words[name]]));
  const caveats = Object.fromEntries(Object.entries(systems).map(([id, words]) => [id, caveatsOf(words)]));
  return { measures, tasks, systems, simplified: caveats, differs: part('differs') };
};

// By language and id: of which English the words are, in eight digits.
const followed = read('tools/words.json');
const hash = (said) => createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 8);
const digest = ({ title, sentence, note, learns }) => hash([title, sentence, note, learns]);

const asked = process.argv.slice(2);
if (asked[0] === '--follows') {
  const [, code, ...ids] = asked;
  const known = catalogueWords(code);
  for (const one of mechanisms) {
    if (known[one.id] && (ids.includes(one.id) || ids.includes('all'))) (followed[code] ??= {})[one.id] = digest(one);
  }
  const there = beside(code);
  for (const [kind, list] of Object.entries(records)) {
    for (const { id, said } of list) {
      const key = `${kind}/${id}`;
      if (there[kind][id] && (ids.includes(key) || ids.includes('all'))) (followed[code] ??= {})[key] = hash(said);
    }
  }
  const rows = (words) => Object.entries(words).sort().map(([id, hash]) => `  "${id}": "${hash}"`).join(',\n');
  writeFileSync(here('tools/words.json'),
    `{\n${Object.entries(followed).map(([name, words]) => ` "${name}": {\n${rows(words)}\n }`).join(',\n')}\n}\n`);
  process.exit();
}
for (const code of catalogueLanguages().filter((one) => one !== 'en')) {
  if (asked.length > 0 && !asked.includes(code)) continue;
  const words = catalogueWords(code);
  const without = mechanisms.filter(({ id }) => words[id] === undefined);
  const changed = mechanisms.filter((one) => words[one.id] && followed[code]?.[one.id] !== digest(one));
  const titles = (m, kind) => m[kind].map(({ name, title }) => ({ name, title, own: words[m.id]?.[kind]?.[name] }));
  const all = mechanisms.flatMap((m) => [...titles(m, 'slots'), ...titles(m, 'knobs')]
    .map((one) => ({ ...one, id: m.id })));
  const untitled = all.filter(({ own }) => own === undefined);
  console.log(`${code}: ${mechanisms.length
    - without.length} of ${mechanisms.length} mechanisms, ${changed.length} of them changed in English since; ` +
    `${all.length - untitled.length} of ${all.length} titles`);
  for (const { id, title, sentence } of without) console.log(`  ${id}: ${title}. ${sentence}`);
  for (const { id, title, sentence } of changed) console.log(`  ${id}, changed: ${title}. ${sentence}`);
  for (const { id, name, title } of untitled) console.log(`  ${id}, ${name}: ${title}`);
  for (const { id, note, learns } of mechanisms) {
    const own = words[id] ?? {};
    if (note && !own.note) console.log(`  ${id}, note: ${note}`);
    if (learns && !own.learns) console.log(`  ${id}, learns: ${learns}`);
  }
  const because = wordsBeside(code, 'reasons');
  for (const [id, { sentence }] of Object.entries(reasons))
    if (!because[id] && shown.has(sentence)) console.log(`  reasons/${id}: ${sentence}`);
  const there = beside(code);
  for (const [kind, list] of Object.entries(records)) {
    const lacking = list.filter(({ id }) => there[kind][id] === undefined);
    const old = list.filter(({ id, said }) => there[kind][id] && followed[code]?.[`${kind}/${id}`] !== hash(said));
    console.log(`${code}: ${list.length
      - lacking.length} of ${list.length} ${kind}, ${old.length} of them changed in English since`);
    for (const { id, said } of lacking) console.log(`  ${kind}/${id}: ${said.join(' ')}`);
    for (const { id, said } of old) console.log(`  ${kind}/${id}, changed: ${said.join(' ')}`);
  }
}
