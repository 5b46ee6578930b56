// SPDX-License-Identifier: Apache-2.0
// In the worker of trainings: the page's engine, which is fetched only for models whose maps a training does not give.
import create from 'attention-engine';
import { SecondPart } from '../engine/second-part.ts';
import type { Engine } from '../engine/types.ts';
import { type InnerMaps, innerMaps } from './inner-maps.ts';
import type { EngineAt, TrainingDocument } from './messages.ts';

let engine: Promise<Engine> | undefined;

/** The page's engine in this worker; its parts may come from the browser's cache. */
async function started({ wasmUrl, deferredUrl }: EngineAt): Promise<Engine> {
  const second = deferredUrl === undefined ? undefined : new SecondPart(deferredUrl);
  const [found] = await Promise.all([create({ locateFile: () => wasmUrl,
    ...(second ? { loadSplitModule: second.link } : {}) }) as Promise<Engine>, second?.ready()]);
  return found;
}

/** The same, with an engine that all trainings of this worker share. */
export async function openInner(at: EngineAt, document: TrainingDocument, weights: Uint8Array):
Promise<InnerMaps | undefined> {
  return innerMaps(await (engine ??= started(at)), document, weights);
}
