// SPDX-License-Identifier: Apache-2.0
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { isObject, join } from '../engine/pointer.ts';
import { isTrained } from '../state/writer.ts';
import { strings } from '../strings/en.ts';
import type { Thumbnail } from '../elements/thumbnail.ts';

export interface Preset {
  document: Doc;
  thumbnail: Thumbnail | undefined;
}

export interface PresetGroup {
  group: string;
  presets: Preset[];
}

/** Every setting by its path. A list of plain values is one setting, and so is a matrix. */
function settings(value: Json, path: string, found: Map<string, string>): Map<string, string> {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) settings(inner, path + join(key), found);
  } else if (Array.isArray(value) && value.some(isObject)) {
    value.forEach((inner, k) => settings(inner, path + join(k), found));
  } else {
    found.set(path, JSON.stringify(value));
  }
  return found;
}

// What a text is written as, in a document of a model of another program.
const TEXT = /^\/inputs\/[^/]+\/(data|labels|shape)$/;

// What gradients are shown of, and that they are: one press sets all of it.
const GRADIENT = /^\/gradient\//;

// A bare id and an object with that type are the same choice; the numbers of a text, their words and their count are
// one text.
function choices(document: Doc): Map<string, string> {
  const found = settings(document, '', new Map());
  found.delete('/title');
  for (const [path, text] of [...found]) {
    if (TEXT.test(path)) {
      found.delete(path);
      const one = `${path.slice(0, path.lastIndexOf('/'))}/text`;
      found.set(one, `${found.get(one) ?? ''} ${text}`);
    }
    if (GRADIENT.test(path)) {
      found.delete(path);
      found.set('/gradient', `${found.get('/gradient') ?? ''} ${text}`);
    }
    if (!path.endsWith('/type')) continue;
    found.delete(path);
    found.set(path.slice(0, -'/type'.length), text);
  }
  return found;
}

const REPLACED = /\/(score|alignment|aggregate)(\/.*)?$/;
const MODEL = /^\/(mechanism|model|tie)(\/|$)/;
const ANSWERED = /^\/(mechanism|model|tie|parameters|seed|inputs)(\/|$)/;

/** The words of a trained model's answers, by their paths: the inputs that its modules take as their targets. */
function answers({ model }: Doc): Set<string> {
  const modules = (Array.isArray(model) ? model : []) as JsonObject[];
  return new Set(modules.flatMap(({ inputs }) => isObject(inputs) && typeof inputs['target'] === 'string'
    ? [join('inputs', inputs['target'], 'tokens')] : []));
}

/** How many edits lead from one document to another, whatever their titles; what follows from an edit is none. */
export function differences(one: Doc, other: Doc): number {
  const [a, b] = [choices(one), choices(other)];
  const all = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  // A choice brings its own settings, and takes those of the choice before it away; a core also takes away what it
  // replaces.
  const edits = all.filter((path) => (a.has(path) && b.has(path))
    || !all.some((choice) => path.startsWith(`${choice}/`)
      || (REPLACED.test(path) && choice === path.replace(REPLACED, '/core'))));
  if (!isTrained(other)) return edits.length;
  // The file of its weights follows its model, and its answer follows both and the words that it reads.
  const own = answers(other);
  const modelled = edits.some((path) => MODEL.test(path));
  const asked = edits.some((path) => ANSWERED.test(path) && !own.has(path));
  return edits.filter((path) => !(own.has(path) && asked) && !(path === '/parameters/from' && modelled)).length;
}

/** What a preset is made of, in the catalogue's words. */
export function madeOf(book: Book, document: Doc): string {
  const module = book.module(document);
  const chosen = book.choices(document).filter(({ value }) => value !== null).map(({ mechanism }) => mechanism?.title);
  const own = module && module.slots.length === 0 ? [module.title] : [];
  const titles = [...new Set([...own, ...chosen])].filter((title) => title !== undefined);
  return titles.length > 0 ? titles.join(strings.comma) : (module?.title ?? '');
}

/** A preset with the words of another document, as far as their inputs have the same names. */
export function withWordsOf(preset: Doc, mine: Doc): Doc {
  const made = structuredClone(preset);
  if (mine['seed'] !== undefined) made['seed'] = mine['seed'];
  for (const [name, input] of Object.entries(made.inputs)) {
    const own = mine.inputs[name];
    if (!own) continue;
    if (Array.isArray(input['tokens']) && Array.isArray(own['tokens']))
      input['tokens'] = structuredClone(own['tokens']);
    else made.inputs[name] = structuredClone(own);
  }
  return made;
}
