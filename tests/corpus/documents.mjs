// SPDX-License-Identifier: Apache-2.0
// Every document that the project ships: examples, models, systems, trained documents, lessons, the page's first one.
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './release.mjs';

const read = (file) => JSON.parse(readFileSync(root + file, 'utf8'));
const filesIn = (folder, ending) => readdirSync(root + folder)
  .filter((file) => file.endsWith(ending)).sort().map((file) => file.slice(0, -ending.length));
const example = (folder, group) => filesIn(folder, '.json')
  .map((file) => ({ name: `${group}/${file}`, document: read(`${folder}/${file}.json`) }));

function lessonDocuments() {
  return filesIn('web/src/lessons/data', '.json').flatMap((file) => {
    const lesson = read(`web/src/lessons/data/${file}.json`);
    const documents = [lesson.document, ...lesson.steps.map((step) => step.document)];
    return documents.flatMap((document, k) =>
      document ? [{ name: `lessons/${file}${k === 0 ? '' : `-${k}`}`, document }] : []);
  });
}

export const shippedDocuments = () => [
  { name: 'page/first', document: read('web/src/state/example.json').document },
  ...example('examples', 'examples'),
  ...example('examples/models', 'models'),
  ...example('examples/trained', 'trained'),
  ...filesIn('systems', '.json')
    .map((file) => ({ name: `systems/${file}`, document: read(`systems/${file}.json`).document })),
  ...lessonDocuments(),
];

export const weightFiles = () => filesIn('examples/trained', '.safetensors').map((file) => `${file}.safetensors`);
