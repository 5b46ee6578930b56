// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { Result } from '../src/engine/result.ts';
import type { Doc, Engine, Json } from '../src/engine/types.ts';
import { HEAD } from '../src/directory/places.ts';
import { draw, type Thumbnail } from '../src/elements/thumbnail.ts';
import { set } from '../src/engine/pointer.ts';
import { engineIsBuilt } from './engine-path.ts';
import { startEngine } from './engine-start.ts';

const lesson = (id: string): Doc =>
  JSON.parse(readFileSync(new URL(`../src/lessons/data/${id}.json`, import.meta.url), 'utf8')).document;
const example = (): Doc =>
  JSON.parse(readFileSync(new URL('../src/state/example.json', import.meta.url), 'utf8')).document;

const changed = (document: Doc, path: string, value: Json | undefined): Doc => {
  set(document, path, value);
  return document;
};

type Run = (document: Doc, chosen?: Record<string, number>) => Thumbnail;

// Wide vectors, whose scores are large; the lesson comes to such a width.
const wide = (): Doc => changed(lesson('divide-by-root-d'), '/inputs/x/features/dim', 64);

/** Which computations stand before each question: the two sides of what it asks, or what its lesson opens with. */
const OF: Record<string, (run: Run) => Thumbnail[]> = {
  root: (run) => oneRow(['dot', 'scaled-dot'].map((score) => run(changed(wide(), '/mechanism/score', score)))),
  softOrHard: (run) => oneRow(['softmax', 'hard-argmax'].map((alignment) =>
    run(changed(lesson('hard-and-soft'), '/mechanism/alignment', alignment)))),
  mask: (run) => [run(lesson('causal'))],
  learn: (run) => [run(changed(example(), '/parameters', undefined)), run(example())],
  heads: (run) => [0, 1, 2, 3].map((head) =>
    run(changed(lesson('heads'), '/mechanism/heads/count', 4), { [HEAD]: head })),
  embed: (run) => [run(example())],
};

// Of maps of one shape the same row: that of the first query.
const oneRow = (maps: Thumbnail[]): Thumbnail[] =>
  maps.map((one) => ({ ...one, rows: 1, cells: btoa(atob(one.cells).slice(0, one.cols)) }));

/** The questions' pictures, computed while building. */
export function doors(): Plugin {
  const name = 'virtual:doors';
  return {
    name: 'doors',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      return `export default ${JSON.stringify(pictures(await startEngine(), !engineIsBuilt()))};`;
    },
  };
}

/** `some`: leaves a question without pictures if one of its documents cannot be computed. */
export function pictures(engine: Engine, some = false): Record<string, Thumbnail[]> {
  const run = (document: Doc, chosen?: Record<string, number>): Thumbnail => {
    const { directory, data } = engine.run(JSON.stringify(document));
    const parsed = JSON.parse(directory);
    if (!parsed.ok) throw new Error(`a question has no picture: ${parsed.error.path} ${parsed.error.message}`);
    const picture = draw(new Result(parsed, data), chosen);
    if (!picture) throw new Error('a question has nothing to draw');
    return picture;
  };
  return Object.fromEntries(Object.entries(OF).map(([id, of]) => {
    try {
      return [id, of(run)];
    } catch (problem) {
      if (some) return [id, []];
      throw problem;
    }
  }));
}
