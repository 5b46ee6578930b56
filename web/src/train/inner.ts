// SPDX-License-Identifier: Apache-2.0
// In the worker: the maps of models that read their own answer off the last row, such as decoders made of blocks. The
// training's engine gives only maps that have a row for each word of the answer; the page's engine has all of them.
import create from 'attention-engine';
import { join } from '../engine/pointer.ts';
import { Result } from '../engine/result.ts';
import { SecondPart } from '../engine/second-part.ts';
import type { Directory, Engine } from '../engine/types.ts';
import { weightsIn } from '../files/packed.ts';
import { readWeights, valuesOf } from '../files/weights.ts';
import { arrange } from '../flow/modules.ts';
import { finished } from './hand.ts';
import { typedMap } from './map-types.ts';
import type { EngineAt, MapEntry, TrainingDocument } from './messages.ts';

/** Longer texts have maps of more numbers than a picture of each moment can keep. */
const MOST = 64;

export interface InnerMaps {
  /** The maps with other weights of the same model. */
  of(weights: Uint8Array): { maps: MapEntry[]; weights: Float32Array };
  close(): void;
}

const computed = (engine: Engine, handle: number): boolean => {
  const { share } = JSON.parse(engine.step(handle, Infinity)) as { share?: number };
  return share === 1;
};

function resultOf(engine: Engine, handle: number, names: readonly string[]): Result | undefined {
  if (!computed(engine, handle)) return undefined;
  const { directory, data } = engine.read(handle, JSON.stringify(names.map((name) => `outputs/${name}`)));
  const read = JSON.parse(directory) as Directory | { ok: false };
  return read.ok ? new Result(read, data) : undefined;
}

/** The maps of a result whose rows and columns are words, heads first. */
export function wordMaps(result: Result): MapEntry[] {
  return arrange(result).modules.flatMap(({ weights }) => {
    if (!weights) return [];
    const { name, role, kind, dimensions, shape, places } = weights;
    const [rows, columns] = [shape.at(-2)!, shape.at(-1)!];
    const [down, across] = places.slice(-2).map((place) => result.labels(place ?? ''));
    if (down?.length !== rows || across?.length !== columns || Math.max(rows, columns) > MOST) return [];
    const heads = shape.slice(0, -2).reduce((product, size) => product * size, 1);
    return [typedMap({ name, role, kind, ...(shape.length === 3 ? { dimensions } : {}), shape: [heads, rows, columns],
      words: [down, across] })];
  });
}

/** A model that is being trained, held in an engine that gives its maps. */
export function innerMaps(engine: Engine, document: TrainingDocument, first: Uint8Array): InnerMaps | undefined {
  const { handle } = JSON.parse(engine.open(JSON.stringify(finished(document, first)))) as { handle?: number };
  if (handle === undefined) return undefined;
  const close = () => void engine.close(handle);
  const result = resultOf(engine, handle, []);
  const maps = result ? wordMaps(result) : [];
  if (maps.length === 0) return void close();
  const size = maps.reduce((sum, { shape: [heads, rows, columns] }) => sum + heads * rows * columns, 0);
  const of = (weights: Uint8Array) => {
    const file = readWeights(weights);
    const names = weightsIn(file);
    const changed = JSON.parse(engine.change(handle, '{}',
      JSON.stringify(names.map((name) => `/parameters${join(name)}/data`)),
      Float64Array.from(names.flatMap((name) => valuesOf(file, name))))) as { error?: { message: string } };
    const found = changed.error ? undefined : resultOf(engine, handle, maps.map(({ name }) => name));
    const numbers = new Float32Array(size);
    let at = 0;
    for (const { name, shape: [heads, rows, columns] } of maps) {
      numbers.set(found?.whole(name, 'outputs')?.data ?? [], at);
      at += heads * rows * columns;
    }
    return { maps, weights: numbers };
  };
  return { of, close };
}

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
