// SPDX-License-Identifier: Apache-2.0
// In the worker: the maps of models that read their own answer off the last row, such as decoders made of blocks. The
// training's engine gives only maps that have a row for each word of the answer; the page's engine has all of them.
import { Result } from '../engine/result.ts';
import type { Directory, Engine } from '../engine/types.ts';
import { arrange } from '../directory/modules.ts';
import { typedMap } from './map-types.ts';
import type { MapEntry, TrainingDocument } from './messages.ts';

/** Longer texts have maps of more numbers than a picture of each moment can keep. */
const MOST = 64;

/** The maps of a model with these weights, and their numbers one behind the other. */
export type InnerMaps = (weights: Uint8Array) => { maps: MapEntry[]; weights: Float32Array };

// Of the names by which documents ask for the weights of a moment none comes twice: the engine keeps what it computed
// last, as long as the document is the same.
let moments = 0;

function run(engine: Engine, document: object, weights: Uint8Array): { directory: Directory; data: Float32Array }
  | undefined {
  const name = `moment-${++moments}.safetensors`;
  engine.weights(name, weights.length, 0, weights);
  const { directory, data } = engine.run(JSON.stringify({ ...document, parameters: { from: name } }));
  engine.forgetWeights(name);
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

/** What gives the maps of a model that is being trained; no more is computed than they need. */
export function innerMaps(engine: Engine, { training: _, ...model }: TrainingDocument, first: Uint8Array):
InnerMaps | undefined {
  const whole = run(engine, model, first);
  const maps = whole ? wordMaps(new Result(whole.directory, whole.data)) : [];
  if (maps.length === 0) return undefined;
  const only = { ...model, outputs: maps.map(({ name }) => name) };
  const sizes = maps.map(({ shape }) => shape.reduce((product, extent) => product * extent, 1));
  const size = sizes.reduce((sum, one) => sum + one, 0);
  return (weights) => {
    const found = run(engine, only, weights);
    // Weights that the engine refuses have no map.
    const numbers = new Float32Array(size).fill(Number.NaN);
    let at = 0;
    maps.forEach(({ name }, k) => {
      const own = found?.directory.tensors.find((one) => one.name === name && one.group === 'outputs');
      if (own) numbers.set(found!.data.subarray(own.offset, own.offset + sizes[k]!), at);
      at += sizes[k]!;
    });
    return { maps, weights: numbers };
  };
}
