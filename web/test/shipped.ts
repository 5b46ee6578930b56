// SPDX-License-Identifier: Apache-2.0
// Every document that ships with the page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Doc } from '../src/engine/types.ts';
import { parse } from '../src/state/parse.ts';
import type { Lesson } from '../src/lessons/types.ts';

export const root = join(import.meta.dirname, '../..');

const filesIn = (folder: string): string[] => readdirSync(join(root, folder)).filter((file) => file.endsWith('.json'));
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

// As the page opens it.
function opened(value: unknown): Doc {
  const found = parse(JSON.stringify(value));
  if (!('document' in found)) throw new Error(found.problem);
  return found.document;
}

const named = (path: string, document: unknown): [string, Doc] => [path, opened(document)];

/** By where they come from. */
export const shipped: ReadonlyMap<string, Doc> = new Map([
  ...filesIn('systems').map((file) =>
    named(`systems/${file}`, (read(`systems/${file}`) as { document: Doc }).document)),
  ...['examples', 'examples/models', 'examples/trained'].flatMap((folder) =>
    filesIn(folder).map((file) => named(`${folder}/${file}`, read(`${folder}/${file}`)))),
  ...filesIn('web/src/lessons/data').flatMap((file) => {
    const { document, steps, model } = read(`web/src/lessons/data/${file}`) as Lesson;
    // The real model's weights are made when the page is built: browser cases have that document.
    if (model) return [];
    return [document, ...steps.map((step) => step.document)].flatMap((one, k) =>
      (one === undefined ? [] : [named(`lessons/${file} ${k}`, one)]));
  }),
]);
