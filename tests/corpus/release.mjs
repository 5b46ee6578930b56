// SPDX-License-Identifier: Apache-2.0
// Where the corpus of a release lies, and its files.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const folderOf = (version) => `${root}tests/corpus/${version}/`;
/** Every release that has a corpus. */
export const releases = () => readdirSync(`${root}tests/corpus`, { withFileTypes: true })
  .filter((one) => one.isDirectory()).map(({ name }) => name);

/** The records of a file, one per line. */
export const lines = (file) =>
  readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));

/**
 * Why something of the corpus is different today: { "documents/systems/bert": "..." }. Such a record must still open;
 * its numbers are not compared. A reason for something that has not changed fails the tests.
 */
export const reasons = (version) => JSON.parse(readFileSync(`${folderOf(version)}changed.json`, 'utf8'));
