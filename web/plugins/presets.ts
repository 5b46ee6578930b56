// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type { Preset, PresetGroup } from '../src/gallery/presets.ts';
import { draw, type Thumbnail } from '../src/elements/thumbnail.ts';
import { Result } from '../src/engine/result.ts';
import type { Located } from '../src/engine/types.ts';
import { startEngine } from './engine-start.ts';

const list = new URL('../presets/gallery.json', import.meta.url);
const example = (file: string) => new URL(`../../examples/${file}.json`, import.meta.url);

const systems = new URL('../../systems/', import.meta.url);

// The gallery's documents with what each computes, small: the page fetches them when it is opened.
export function presets(): Plugin {
  const name = 'virtual:presets';
  return {
    name: 'presets',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const engine = await startEngine();
      const groups = JSON.parse(readFileSync(list, 'utf8')) as { group: string; presets: string[] }[];
      const leftOut: string[] = [];
      const leave = (what: string, { path = '', message = 'nothing to draw' }: Partial<Located> = {}) =>
        void leftOut.push(`${what}${path && ` ${path}`}: ${message}`);
      const compute = (file: string): Preset[] => {
        const document = JSON.parse(readFileSync(example(file), 'utf8'));
        const { directory, data } = engine.run(JSON.stringify(document));
        const parsed = JSON.parse(directory);
        if (parsed.ok) return [{ document, thumbnail: draw(new Result(parsed, data)) }];
        // An engine built with fewer mechanisms still makes a page; the tests count the presets.
        leave(`preset ${file}`, parsed.error);
        return [];
      };
      const made: PresetGroup[] = groups.map(({ group, presets }) => ({ group, presets: presets.flatMap(compute) }));
      // Of systems only the pictures: their documents come with the catalogue.
      const thumbnails: Record<string, Thumbnail> = {};
      for (const file of readdirSync(systems).filter((one) => one.endsWith('.json'))) {
        const { id, document } = JSON.parse(readFileSync(new URL(file, systems), 'utf8'));
        const { directory, data } = engine.run(JSON.stringify(document));
        const parsed = JSON.parse(directory);
        const picture = parsed.ok ? draw(new Result(parsed, data)) : undefined;
        if (picture) thumbnails[id] = picture;
        else leave(`the picture of system ${file}`, parsed.error);
      }
      if (leftOut.length > 0) this.warn(`${leftOut.length} left out; the first is ${leftOut[0]}`);
      return `export default ${JSON.stringify(made)};\nexport const thumbnails = ${JSON.stringify(thumbnails)};`;
    },
  };
}
