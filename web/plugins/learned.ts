// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { HEAD } from '../src/directory/places.ts';
import { Result } from '../src/engine/result.ts';
import { LANGUAGE } from '../src/engine/language.ts';
import { readWeights } from '../src/files/weights.ts';
import { mapThumbnail, type Thumbnail } from '../src/elements/thumbnail.ts';
import type { Learned, Record as Recorded, Tried } from '../src/learned/types.ts';
import { giveWeights, startEngine } from './engine-start.ts';
import { weights } from './language.ts';

const ALL = 'virtual:learned';
const FILES = 'virtual:learned-files';
const record = new URL('../../data/learned.json', import.meta.url);
const paces = new URL('../../data/learned-pace.json', import.meta.url);
const folder = new URL('../../examples/trained/systems/', import.meta.url);

interface File {
  name: string;
  url: string;
  content: Uint8Array;
}

interface Shipped extends File {
  recorded: Recorded;
}

const recordedAll = (): [id: string, recorded: Recorded][] => Object.entries(JSON.parse(readFileSync(record, 'utf8')));

const named = (id: string, content: Uint8Array | string, ending: string): string =>
  `learned/${id}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${ending}`;

/** The documents of those that did not learn their task, which have no weights to hold them. */
function documents(): Map<string, { url: string; content: string }> {
  return new Map(recordedAll().filter(([, { left }]) => left).map(([id]) => {
    const content = JSON.stringify(JSON.parse(readFileSync(new URL(`${id}.json`, folder), 'utf8')));
    return [id, { url: named(id, content, 'json'), content }];
  }));
}

function languageFile(): File {
  const content = new Uint8Array(readFileSync(weights));
  return { name: LANGUAGE, url: named('austen', content, 'safetensors'), content };
}

function shipped(): Map<string, Shipped> {
  return new Map(recordedAll().filter(([, { left }]) => !left).map(([id, recorded]) => {
    const file = new URL(`${id}.safetensors`, folder);
    if (!existsSync(file)) throw new Error(`data/learned.json names ${id}, which has no weights in ${folder.pathname}`);
    const content = new Uint8Array(readFileSync(file));
    return [id, { name: `systems/${id}.safetensors`, url: named(id, content, 'safetensors'), content, recorded }];
  }));
}

// The map that the sentences are about, on the pinned example, computed from the bytes that the page will fetch.
async function thumbnailOf({ name, content, recorded: { map } }: Shipped): Promise<Thumbnail | undefined> {
  const engine = await startEngine();
  giveWeights(engine, name, content);
  const document = JSON.parse(readWeights(content).metadata['document']!);
  const { directory, data } = engine.run(JSON.stringify({ ...document, parameters: { from: name } }));
  const parsed = JSON.parse(directory);
  if (!parsed.ok) throw new Error(`${name} has no picture: ${parsed.error.path} ${parsed.error.message}`);
  const result = new Result(parsed, data);
  const tensor = map && result.all('outputs').find((one) => one.name === map.map);
  return tensor && mapThumbnail(result, tensor, { [HEAD]: map.head });
}

/**
 * The systems that ship trained: their weights, written beside the page under names that change with their bytes, and
 * what tools/train_gallery.mjs measured. Of those that did not learn their task only the document ships. `ships`: false
 * for the npm package of this project, which is to stay small.
 */
export function learned(ships = true): Plugin {
  const files = ships ? shipped() : new Map<string, Shipped>();
  const forms: ReturnType<typeof documents> = ships ? documents() : new Map();
  // The language model is no system, and its weights travel as theirs do.
  const stored: File[] = ships ? [...files.values(), languageFile()] : [];
  const beside = [...stored, ...forms.values()];
  const pace: { [id: string]: number } = JSON.parse(readFileSync(paces, 'utf8'));
  const all = async (): Promise<{ [id: string]: Learned }> => {
    const made: { [id: string]: Learned } = {};
    for (const [id, file] of files) {
      const { of: _, losses: __, whole: ___, left: ____, ...told } = file.recorded;
      made[id] = { ...told, perSecond: pace[id], weights: file.name, thumbnail: await thumbnailOf(file) };
    }
    return made;
  };
  const tried = (): { [id: string]: Tried } => Object.fromEntries(recordedAll().filter(([, { left }]) => left)
    .map(([id, { task, taskTitle, steps, measured }]) =>
      [id, { task, taskTitle, steps, measured, perSecond: pace[id], document: forms.get(id)?.url }]));
  return {
    name: 'learned',
    resolveId: (id) => (id === ALL || id === FILES ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${ALL}`) return `export default ${JSON.stringify(await all())};\n${
        ''}export const tried = ${JSON.stringify(tried())};`;
      if (id !== `\0${FILES}`) return undefined;
      return `export default ${JSON.stringify(Object.fromEntries(stored.map(({ name, url }) =>
        [name, url])))};`;
    },
    generateBundle() {
      for (const { url, content } of beside) this.emitFile({ type: 'asset', fileName: url, source: content });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const found = beside.find(({ url }) => request.url?.split('?')[0] === `/${url}`);
        if (!found) return next();
        const type = found.url.endsWith('json') ? 'json' : 'octet-stream';
        response.setHeader('Content-Type', `application/${type}`);
        response.end(found.content);
      });
    },
  };
}
