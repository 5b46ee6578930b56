// SPDX-License-Identifier: Apache-2.0
// In the worker: the maps of models that read their own answer off the last row, such as decoders made of blocks. The
// training's engine gives only maps that have a row for each word of the answer; the page's engine has all of them.
import { join } from '../engine/pointer.ts';
import { Result } from '../engine/result.ts';
import type { Directory, Engine } from '../engine/types.ts';
import { weightsIn } from '../files/packed.ts';
import { readWeights, valuesOf } from '../files/weights.ts';
import { arrange } from '../flow/modules.ts';
import { finished } from './hand.ts';
import { typedMap } from './map-types.ts';
import type { MapEntry, TrainingDocument } from './messages.ts';

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

function read(engine: Engine, handle: number, names: readonly string[]): { directory: Directory; data: Float32Array }
  | undefined {
  if (!computed(engine, handle)) return undefined;
  const { directory, data } = engine.read(handle, JSON.stringify(names.map((name) => `outputs/${name}`)));
  const found = JSON.parse(directory) as Directory | { ok: false };
  return found.ok ? { directory: found, data } : undefined;
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
  const whole = read(engine, handle, []);
  const maps = whole ? wordMaps(new Result(whole.directory, whole.data)) : [];
  if (maps.length === 0) return void close();
  const size = maps.reduce((sum, { shape: [heads, rows, columns] }) => sum + heads * rows * columns, 0);
  const of = (weights: Uint8Array) => {
    const file = readWeights(weights);
    const names = weightsIn(file);
    const changed = JSON.parse(engine.change(handle, '{}',
      JSON.stringify(names.map((name) => `/parameters${join(name)}/data`)),
      Float64Array.from(names.flatMap((name) => valuesOf(file, name))))) as { error?: { message: string } };
    const found = changed.error ? undefined : read(engine, handle, maps.map(({ name }) => name));
    // Weights that the engine refuses have no map.
    const numbers = new Float32Array(size).fill(Number.NaN);
    let at = 0;
    for (const { name, shape: [heads, rows, columns] } of maps) {
      const own = found?.directory.tensors.find((one) => one.name === name && one.group === 'outputs');
      const count = heads * rows * columns;
      if (own) numbers.set(found!.data.subarray(own.offset, own.offset + count), at);
      at += count;
    }
    return { maps, weights: numbers };
  };
  return { of, close };
}
