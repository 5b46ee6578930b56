// SPDX-License-Identifier: Apache-2.0
// The words of the catalogue in a language (data/catalogue).
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const folder = (code) => new URL(`../data/catalogue/${code}/`, import.meta.url);

export const catalogueLanguages = () => readdirSync(folder('.')).sort();

function read(code, file) {
  const path = new URL(file, folder(code));
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
const BESIDE = ['measures', 'reasons', 'systems', 'tasks'];

/** Those of mechanisms, by id: title, sentence, note, learns, titles of knobs and slots. */
export function catalogueWords(code) {
  const files = readdirSync(folder(code)).filter((file) => file.endsWith('.json'));
  return Object.assign({}, ...files.filter((file) => !BESIDE.includes(file.replace('.json', '')))
    .map((file) => read(code, file)));
}

/** Those of measures, reasons, systems or tasks, by id. */
export const wordsBeside = (code, name) => read(code, `${name}.json`);
