// SPDX-License-Identifier: Apache-2.0
// The command line over the documents of a corpus.
import { spawnSync } from 'node:child_process';
import { root } from './release.mjs';

function attend(by, args, input, cwd) {
  return spawnSync(`${root}build/bin/${by}`, args, { input, cwd, encoding: 'utf8', maxBuffer: 1 << 30 });
}

function ended(done, what) {
  if (done.status !== 0) throw new Error(`${what} ended with ${done.status}: ${done.stderr}`);
  return done.stdout.trim().split('\n').map((line) => JSON.parse(line));
}

// A document that names a file of weights is run by itself: only then does the program look beside it.
const namesFile = (document) => document.parameters?.from !== undefined;

function runAlone(document, folder, by) {
  const { status, stdout, stderr } = attend(by, ['run', '-'], JSON.stringify(document), folder);
  return JSON.parse(status === 0 ? stdout : stderr);
}

/** The answer to each document, in order: a result, or { error }. Files of weights are looked for in `folder`. */
export function run(documents, folder, by = 'attend64') {
  const many = documents.filter((document) => !namesFile(document));
  const input = many.map((document) => `${JSON.stringify(document)}\n`).join('');
  const answers = new Map(ended(attend(by, ['run', '--lines'], input, folder), `${by} run --lines`)
    .map((answer, k) => [many[k], answer]));
  return documents.map((document) => answers.get(document) ?? runAlone(document, folder, by));
}

/** Trains, and gives the lines that were printed. */
export const train = (document, options, folder, by = 'attend64') =>
  ended(attend(by, ['train', '-', ...options], JSON.stringify(document), folder), `${by} train`);
