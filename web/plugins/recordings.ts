// SPDX-License-Identifier: Apache-2.0
// What the engine answered, in web/recorded: tools/record_engine.mjs writes it, the stand-in for the engine reads it.
import { readdirSync, readFileSync } from 'node:fs';
import type { Figures } from '../src/card/figures.ts';
import type { Catalogue, Doc, Engine, Explanation, Mechanism, TensorEntry } from '../src/engine/types.ts';
import { type MechanismWords, translate } from '../src/strings/engine.ts';
import { cataloguePath, engineIsBuilt } from './engine-path.ts';
import { pictures } from './doors.ts';
import { cellKey, type Recording, toBase64 } from './recorded-engine.ts';

const root = new URL('../../', import.meta.url);
const folder = new URL('web/recorded/', root);
const english = new URL('data/catalogue/en/', root);
const read = <T>(url: URL): T => JSON.parse(readFileSync(url, 'utf8')) as T;

// One head, scores of a product, several heads with a mask, models of modules, one query, several maps; by file.
const DOCUMENTS: Record<string, string> = Object.fromEntries(['web/src/state/example', 'examples/bahdanau',
  'examples/luong-global', 'examples/transformer-head', 'examples/models/rnnsearch', 'examples/yang-2016',
  'examples/co-attention', 'systems/memory-network'].map((path) => [path.slice(path.lastIndexOf('/') + 1), path]));
// Wider documents of questions are most of what a recording would weigh.
const MOST_NUMBERS = 2_000;
const MOST_CELLS = 300;

/** Which documents are recorded, by the name of their file. `engine` tells the documents behind the questions. */
export function recordedDocuments(engine: Engine): Record<string, Doc[]> {
  const asked = new Map<string, Doc>();
  pictures({ ...engine, run(document: string) {
    const result = engine.run(document);
    if (result.data.length < MOST_NUMBERS) asked.set(document, JSON.parse(document) as Doc);
    return result;
  } });
  const files = Object.entries(DOCUMENTS).map(([name, path]): [string, Doc[]] => {
    const file = read<Doc & { document?: Doc }>(new URL(`${path}.json`, root));
    return [name, [file.document ?? file]];
  });
  return { questions: [...asked.values()], ...Object.fromEntries(files) };
}

const cellsOf = ({ shape }: TensorEntry): number[][] => shape.reduce<number[][]>((all, size) =>
  all.flatMap((at) => Array.from({ length: size }, (_, k) => [...at, k])), [[]]);

/** What the engine answers for a document, with the explanations of the cells of its scores and weights. */
export function record(engine: Engine, document: Doc): Recording {
  const text = JSON.stringify(document);
  const { directory, data } = engine.run(text);
  const parsed = JSON.parse(directory);
  if (!parsed.ok) throw new Error(`${document.title} cannot be recorded: ${parsed.error.path} ${parsed.error.message}`);
  const explanations: Record<string, Explanation> = {};
  for (const entry of parsed.tensors as TensorEntry[]) {
    const cells = cellsOf(entry);
    if (entry.group !== 'outputs' || !/(^|\.)(scores|weights)$/.test(entry.name) || cells.length > MOST_CELLS) continue;
    for (const at of cells.map((one) => JSON.stringify(one)))
      explanations[cellKey(entry.name, at)] = JSON.parse(engine.explain(text, entry.name, at)) as Explanation;
  }
  return { document, directory: parsed, data: toBase64(data), explanations };
}

/** The recorded documents, by the name of their file. */
export const recordings = (): Record<string, Recording[]> => Object.fromEntries(readdirSync(folder)
  .filter((file) => file.endsWith('.json') && file !== 'catalogue.json' && file !== 'figures.json')
  .map((file) => [file.slice(0, -5), read<Recording[]>(new URL(file, folder))]));

/** What is measured of the first document's model. */
export const recordedFigures = (): Figures => read(new URL('figures.json', folder));

/** The catalogue without the English words of its mechanisms, which are in data/catalogue/en. */
export function withoutWords(catalogue: Catalogue): Catalogue {
  const bare = <T extends object>(one: T): T => ({ ...one, title: '' });
  return { ...catalogue, mechanisms: catalogue.mechanisms.map((one: Mechanism) => ({ ...bare(one), sentence: '',
    note: one.note && '', learns: one.learns && '', knobs: one.knobs.map(bare), slots: one.slots.map(bare) })) };
}

type English = Omit<MechanismWords, 'slots'> & { slots?: Record<string, string | { title: string }> };

/** The recorded catalogue, with its English words as they are now. */
export function recordedCatalogue(): Catalogue {
  const catalogue = read<Catalogue>(new URL('catalogue.json', folder));
  const files = readdirSync(english).filter((file) => !/^(measures|reasons|systems|tasks)\.json$/.test(file));
  const words = files.flatMap((file) => Object.entries(read<Record<string, English>>(new URL(file, english))));
  // A slot's words may have its group beside its title.
  const titled = ({ slots = {}, ...own }: English): MechanismWords => ({ ...own, slots: Object.fromEntries(
    Object.entries(slots).map(([name, said]) => [name, typeof said === 'string' ? said : said.title])) });
  translate(catalogue, { phrases: {},
    mechanisms: Object.fromEntries(words.map(([id, one]) => [id, titled(one)])) });
  return catalogue;
}

/** The catalogue of the built engine; the recorded one if there is none. */
export const usedCatalogue = (): Catalogue =>
  (engineIsBuilt() ? JSON.parse(readFileSync(cataloguePath, 'utf8')) as Catalogue : recordedCatalogue());
