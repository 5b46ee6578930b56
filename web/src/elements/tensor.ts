// SPDX-License-Identifier: Apache-2.0
// What every element draws is a typed tensor, seen as rows and columns: a Plane. Results have such tensors already;
// what comes from elsewhere becomes one here.
import { Plane, type Tensor } from '../engine/result.ts';

/** The types of an attention map whose axes have no names. */
export const MAP = { role: 'weights', kind: 'probability',
  dimensions: [{ role: 'query' }, { role: 'key' }] } as const satisfies Partial<Record<keyof Tensor, unknown>>;

type Given = Pick<Tensor, 'shape' | 'data'> & { readonly [K in keyof Tensor]?: Tensor[K] };

/** Numbers that no directory describes, with the types that their sender knows. */
export const tensorOf = (given: Given): Tensor => ({ group: 'outputs', name: '', offset: 0,
  axes: given.shape.map(() => ''), places: given.shape.map(() => ''), ...given });

/** A matrix that lies row by row in an array. */
export function matrixOf(data: Float32Array, rows: number, cols: number, types: Partial<Tensor> = {}): Plane {
  return new Plane(tensorOf({ ...types, shape: [rows, cols], data }), 0, 1, [0, 0]);
}

/** An attention map that lies row by row in an array. */
export const mapOf = (data: Float32Array, rows: number, cols: number, name = ''): Plane =>
  matrixOf(data, rows, cols, { ...MAP, dimensions: [...MAP.dimensions], name });
