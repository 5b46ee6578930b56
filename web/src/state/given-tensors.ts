// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';

// Members of `parameters` that are no tensors: the file of the weights, and how products read it.
const NO_TENSORS = new Set(['from', 'activations']);

/** The tensors that a document gives itself, by their names. */
export const tensorsGiven = (parameters: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries(isObject(parameters) ? parameters : {}).filter(([name]) => !NO_TENSORS.has(name)));
