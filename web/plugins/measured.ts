// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Figures } from '../src/card/figures.ts';
import type { Begun, Measures, Trainer } from '../src/train/messages.ts';
import { trainingPath } from './engine-path.ts';

const example = new URL('../src/state/example.json', import.meta.url);
// All that are held out: a larger number asks for no more.
const ALL = 1_000_000;

/**
 * How well the model that the page opens on does, measured while building over the examples that its training held out:
 * what the page says of it is what the shipped weights do.
 */
export function measured(): Plugin {
  const name = 'virtual:measured';
  return {
    name: 'measured',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const { document } = JSON.parse(readFileSync(example, 'utf8'));
      return `export default ${JSON.stringify(await figures(document))};`;
    },
  };
}

export async function figures(document: { parameters: { from: string } }): Promise<Figures> {
  const { parameters: { from }, ...learns } = document;
  const weights = readFileSync(new URL(`../../examples/trained/${from}`, import.meta.url));
  const module = await import(/* @vite-ignore */ pathToFileURL(trainingPath).href);
  const trainer: Trainer = await module.default();
  const answer = <T>(text: string): T => {
    const said = JSON.parse(text);
    if (said.error) throw new Error(`the first model is not measured: ${said.error.path} ${said.error.message}`);
    return said as T;
  };
  const { session, heldOut } = answer<Begun>(trainer.trainOpen(JSON.stringify(learns), weights));
  const { accuracy, alignment, agrees } = answer<Measures>(trainer.trainMeasure(session, ALL));
  trainer.trainClose(session);
  if (alignment === undefined || agrees === undefined) throw new Error('the task of the first model has no links');
  return { from, heldOut, accuracy, alignment, agrees };
}
