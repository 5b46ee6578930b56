// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { LANGUAGE } from '../src/engine/language.ts';
import { readWeights } from '../src/files/weights.ts';
import type { Measured } from '../src/language/types.ts';
import { giveWeights, startEngine } from './engine-start.ts';
import { mapsOf } from './maps.ts';

const NAME = 'virtual:language';
/** Its weights, which the plugin of all trained weights writes beside the page. */
export const weights = new URL(`../../examples/trained/${LANGUAGE}`, import.meta.url);
const record = new URL('../../data/language.json', import.meta.url);

/** What the page offers the small language model by: its size, its sentence, and the maps of all its heads on it. */
export function language(ships = true): Plugin {
  return {
    name: 'language',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      if (!ships) return 'export default undefined;';
      const content = new Uint8Array(readFileSync(weights));
      const engine = await startEngine();
      giveWeights(engine, LANGUAGE, content);
      const document = JSON.parse(readWeights(content).metadata['document']!);
      const { numbers, bytes }: Measured = JSON.parse(readFileSync(record, 'utf8'));
      return `export default ${JSON.stringify({ numbers, bytes, text: document.inputs.text.labels.join(''),
        thumbnails: mapsOf(engine, document) })};`;
    },
  };
}
