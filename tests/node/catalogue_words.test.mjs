// SPDX-License-Identifier: Apache-2.0
// The check of the words that each build makes (cmake/words.cmake), run on a copy with one thing wrong: it stops and
// names the file and the id.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'words-'));
before(() => {
  for (const folder of ['data/catalogue', 'src/catalogue', 'src/evaluation', 'src/training/tasks', 'systems'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
});
after(() => rmSync(copy, { recursive: true }));

// What it says in one line, empty where all is right. CMake breaks its messages into lines.
function checked() {
  const { status, stderr, error } =
    spawnSync('cmake', ['-P', join(root, 'cmake/words.cmake')], { cwd: copy, encoding: 'utf8' });
  assert.equal(error, undefined);
  assert.equal(status === 0, stderr === '');
  return stderr.replace(/\s+/g, ' ');
}

// The copy with another text in one file while `work` is done.
function withText(path, change, work) {
  const file = join(copy, path);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, change(before));
  try {
    work();
  } finally {
    writeFileSync(file, before);
  }
}
const withWords = (path, change, work) => withText(path, (text) => {
  const words = JSON.parse(text);
  change(words);
  return JSON.stringify(words);
}, work);

test('the words as they are have nothing wrong', () => assert.equal(checked(), ''));

for (const [path, id] of [['scores', 'additive'], ['measures', 'bleu'], ['tasks', 'task-copy'],
  ['reasons', 'no-query']]) {
  const english = `data/catalogue/en/${path}.json`, german = `data/catalogue/de/${path}.json`;
  test(`${path}: an id that there is not is named, in English and in German`, () => {
    for (const file of [english, german]) {
      withWords(file, (words) => (words['no-such-id'] = { title: 'X' }), () =>
        assert.match(checked(), new RegExp(`${file} has words for "no-such-id"`)));
    }
  });
  test(`${path}: an id without English words is named; without German words it stays English`, () => {
    withWords(english, (words) => delete words[id], () =>
      assert.match(checked(), new RegExp(`${english} lacks words for "${id}"`)));
    withWords(german, (words) => delete words[id], () => assert.equal(checked(), ''));
  });
  test(`${path}: a file that is no JSON, or no object, is named`, () => {
    for (const file of [english, german]) {
      withText(file, (text) => text.replace(':', ''), () =>
        assert.match(checked(), new RegExp(`${file} is not JSON`)));
      withText(file, () => '[]', () => assert.match(checked(), new RegExp(`${file} should be an object`)));
    }
  });
}

test('words of a system that there is not are named', () => {
  withWords('data/catalogue/ar/systems.json', (words) => (words['no-such-id'] = { title: 'X' }), () =>
    assert.match(checked(), /data\/catalogue\/ar\/systems.json has words for "no-such-id"/));
});

test('a new mechanism and a new reason without words are named', () => {
  const file = join(copy, 'src/catalogue/scores/brand_new.cpp');
  writeFileSync(file, '// nothing\n');
  assert.match(checked(), /data\/catalogue\/en\/scores.json lacks words for "brand-new"/);
  rmSync(file);
  withText('src/catalogue/outputs/weights_as_output.cpp', (text) => `${text}auto one = "brand-new"_reason;\n`, () =>
    assert.match(checked(), /data\/catalogue\/en\/reasons.json lacks words for "brand-new"/));
});

test('a family whose English words are missing is named', () => {
  mkdirSync(join(copy, 'src/catalogue/brand_news'));
  assert.match(checked(), /data\/catalogue\/en lacks brand_news.json/);
  rmSync(join(copy, 'src/catalogue/brand_news'), { recursive: true });
});
