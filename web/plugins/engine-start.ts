// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Engine } from '../src/engine/types.ts';
import { engineIsBuilt, enginePath } from './engine-path.ts';
import { recordedEngine } from './recorded-engine.ts';
import { recordings } from './recordings.ts';

/** The engine while building, with all word vectors and all weights that ship; in its absence, its recordings. */
export async function startEngine(): Promise<Engine> {
  if (!engineIsBuilt()) return recordedEngine(Object.values(recordings()).flat());
  const module = await import(/* @vite-ignore */ pathToFileURL(enginePath).href);
  const engine: Engine = await module.default();
  engine.words(readFileSync(new URL('../../data/words/words-large.bin', import.meta.url)));
  const trained = new URL('../../examples/trained/', import.meta.url);
  for (const file of readdirSync(trained))
    if (file.endsWith('.safetensors')) giveWeights(engine, file, readFileSync(new URL(file, trained)));
  return engine;
}

/** Hands the engine a whole file of weights. */
export const giveWeights = (engine: Engine, name: string, file: Uint8Array): string =>
  engine.weights(name, file.length, 0, file);
