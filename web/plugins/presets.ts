// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type { Preset, PresetGroup } from '../src/gallery/presets.ts';
import { draw } from '../src/gallery/thumbnail.ts';
import { Result } from '../src/engine/result.ts';
import { startEngine } from './engine-start.ts';

const list = new URL('../presets/gallery.json', import.meta.url);
const example = (file: string) => new URL(`../../examples/${file}.json`, import.meta.url);

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
      const compute = (file: string): Preset[] => {
        const document = JSON.parse(readFileSync(example(file), 'utf8'));
        const { directory, data } = engine.run(JSON.stringify(document));
        const parsed = JSON.parse(directory);
        if (parsed.ok) return [{ document, thumbnail: draw(new Result(parsed, data)) }];
        // An engine built with fewer mechanisms still makes a page; the tests count the presets.
        this.warn(`preset ${file} is left out: ${parsed.error.path} ${parsed.error.message}`);
        return [];
      };
      const made: PresetGroup[] = groups.map(({ group, presets }) => ({ group, presets: presets.flatMap(compute) }));
      return `export default ${JSON.stringify(made)};`;
    },
  };
}
