// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Engine } from '../src/engine/types.ts';
import { enginePath } from './engine-path.ts';

/** The engine while building, with all word vectors. */
export async function startEngine(): Promise<Engine> {
  const module = await import(/* @vite-ignore */ pathToFileURL(enginePath).href);
  const engine: Engine = await module.default();
  engine.words(readFileSync(new URL('../../data/words/words-large.bin', import.meta.url)));
  return engine;
}
