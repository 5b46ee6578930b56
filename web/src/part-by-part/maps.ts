// SPDX-License-Identifier: Apache-2.0
// The maps of two documents in one picture: on one scale, and with what went to no key as a column of its own.
import { maximum, minimum } from '../lists.ts';
import { type Domain, domainOf, hasNegative, type Kind } from '../colour/scale.ts';
import { axisOf, isMap, typed } from '../directory/typed.ts';
import { plane, Plane, type Result, type Tensor } from '../engine/result.ts';
import { arrange } from '../directory/modules.ts';

export interface Shown {
  module: string;
  plane: Plane;
  mask: Plane | undefined;
  /** The first column is no key: it holds the weight that went to nothing. */
  nothing: boolean;
}

// Of each row the share that no key got: a result of the same module with a number for each query, of its heads too.
function remainderOf(result: Result, weights: Tensor): Tensor | undefined {
  const query = axisOf(typed(weights), 'query');
  return result.all('outputs').find((one) => one.within === weights.within && one.role === 'state'
    && one.kind === 'probability' && one.shape.join() === weights.shape.slice(0, query + 1).join());
}

const sized = (from: Tensor, shape: number[], data: Float32Array): Tensor => ({ ...from, shape, data,
  axes: ['', ''], places: ['', ''], dimensions: [{ role: 'query' }, { role: 'key' }] });

function withColumn(map: Plane, mask: Plane | undefined, rest: Tensor,
  chosen: Readonly<Record<string, number>>): { plane: Plane; mask: Plane } {
  const cols = map.cols + 1;
  const [data, allowed] = [new Float32Array(map.rows * cols), new Float32Array(map.rows * cols)];
  const column = plane(rest, chosen);
  for (let i = 0; i < map.rows; i++) {
    data[i * cols] = column.rows === map.rows ? column.at(i, 0) : column.at(0, i);
    allowed[i * cols] = 1;
    for (let j = 0; j < map.cols; j++) {
      data[i * cols + j + 1] = map.at(i, j);
      allowed[i * cols + j + 1] = mask?.at(i, j) ?? 1;
    }
  }
  return { plane: new Plane(sized(map.tensor, [map.rows, cols], data), 0, 1, [0, 0]),
    mask: new Plane(sized({ ...(mask?.tensor ?? map.tensor), role: 'mask' }, [map.rows, cols], allowed),
      0, 1, [0, 0]) };
}

/** The maps of a result, one for each module that has weights. */
export function mapsOf(result: Result, chosen: Readonly<Record<string, number>>): Shown[] {
  return arrange(result).modules.flatMap(({ name, weights, mask }): Shown[] => {
    if (!weights || !isMap(weights)) return [];
    const own = plane(weights, chosen);
    const hides = mask && plane(mask, chosen);
    const fits = hides && hides.rows === own.rows && hides.cols === own.cols ? hides : undefined;
    const rest = remainderOf(result, weights);
    return rest ? [{ module: name, nothing: true, ...withColumn(own, fits, rest, chosen) }]
      : [{ module: name, nothing: false, plane: own, mask: fits }];
  });
}

/** One scale for both: where a value of either is negative, both go both ways from zero. */
export function scaleOf(maps: readonly (Shown | undefined)[]): { kind: Kind; domain: Domain } {
  const planes = maps.flatMap((one) => (one ? [one.plane.tensor.data] : []));
  const kind = planes.some((data) => hasNegative(data)) ? 'signed' : 'weights';
  const ends = planes.map((data) => domainOf(data, kind));
  return { kind, domain: [minimum(ends.map(([low]) => low), 0), maximum(ends.map(([, high]) => high), 1e-9)] };
}
