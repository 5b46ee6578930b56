// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { shapeSum } from '../src/first/notice.ts';

const list = new URL('../presets/gallery.json', import.meta.url);
const example = (file: string) => new URL(`../../examples/${file}.json`, import.meta.url);
const NAME = 'virtual:preset-shapes';

/** By the title of a preset, a sum over what its note speaks of: a link may hold another document of that title. */
export function presetShapes(): Plugin {
  return {
    name: 'preset-shapes',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const groups = JSON.parse(readFileSync(list, 'utf8')) as { presets: string[] }[];
      const documents = groups.flatMap(({ presets }) => presets)
        .map((file) => JSON.parse(readFileSync(example(file), 'utf8')));
      return `export default ${JSON.stringify(Object.fromEntries(documents.map((one) =>
        [one.title, shapeSum(one)])))};`;
    },
  };
}
