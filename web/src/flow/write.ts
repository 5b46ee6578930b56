// SPDX-License-Identifier: Apache-2.0
import { shortest } from '../colour/numbers.ts';
import { flat, type Result, type Tensor } from '../engine/result.ts';
import type { JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { nest } from '../state/nested-lists.ts';
import type { Store } from '../state/store.ts';

/**
 * Inputs and parameters can be typed over; everything else follows from them. An input whose numbers nothing is
 * computed from is changed by its words alone.
 */
export function editable(tensor: Pick<Tensor, 'group' | 'name'>, result: Result): boolean {
  if (tensor.group === 'parameters') return true;
  return tensor.group === 'inputs' && Object.hasOwn(result.directory.document.inputs, tensor.name)
    && result.reads(tensor);
}

/** Sets one number. The rest of the tensor is written out too, so that only this cell changes. */
export function write(store: Store, tensor: Tensor, index: number[], value: number): void {
  put(store, tensor, (data) => (data[flat(tensor.shape, index)] = value));
}

/** Multiplies the row in which this cell lies: 2 doubles it, -1 turns its sign. */
export function scaleRow(store: Store, { shape, ...tensor }: Tensor, index: number[], by: number): void {
  const cols = shape.at(-1) ?? 1;
  const start = flat(shape, index) - (index.at(-1) ?? 0);
  put(store, { shape, ...tensor }, (data) => {
    for (let k = start; k < start + cols; k++) data[k] = shortest(data[k]! * by);
  });
}

function put(store: Store, tensor: Tensor, change: (data: number[]) => void): void {
  const data = Array.from(tensor.data);
  change(data);
  store.documents.change((draft) => {
    if (tensor.group === 'parameters') {
      const parameters = isObject(draft['parameters']) ? draft['parameters'] : {};
      parameters[tensor.name] = nest(data, tensor.shape);
      draft['parameters'] = parameters;
      return;
    }
    const before = draft.inputs[tensor.name];
    const features = before?.['features'];
    if (isObject(features) && features['type'] !== 'matrix') store.shelf[`${tensor.name} features`] = features;
    draft.inputs[tensor.name] = given(before, data, tensor.shape);
  });
}

function given(before: JsonObject | undefined, data: number[], shape: number[]): JsonObject {
  const numbers = nest(data, shape);
  if (before?.['tokens'] !== undefined && shape.length === 2) {
    return { tokens: before['tokens'], features: { type: 'matrix', matrix: numbers } };
  }
  const labels: JsonObject = before?.['labels'] === undefined ? {} : { labels: before['labels'] };
  if (shape.length === 2) return { matrix: numbers, ...labels };
  return { shape, data, ...labels };
}
