// SPDX-License-Identifier: Apache-2.0
import { ExperimentError, type Result, type Step, type Tensor, type Tensors } from './types.ts';

interface Entry {
  group: 'inputs' | 'outputs' | 'parameters' | 'steps' | 'gradients';
  name: string;
  shape: number[];
  offset: number;
  formula: string;
}

/** A packed run as named tensors: views of the one array, which belongs to the result. */
export function unpack(directory: string, data: Float32Array): Result {
  const { labels, cost, document } = JSON.parse(directory);
  return { ...unpackTensors(directory, data), labels, cost, document };
}

/** The tensors alone. */
export function unpackTensors(directory: string, data: Float32Array): Tensors {
  const run = JSON.parse(directory);
  if (!run.ok) throw new ExperimentError(run.error.path, run.error.message);
  const steps: Step[] = [];
  const groups: Record<string, Record<string, Tensor>> = { inputs: {}, outputs: {}, parameters: {}, gradients: {} };
  for (const { group, name, shape, offset, formula } of run.tensors as Entry[]) {
    const size = shape.reduce((product, extent) => product * extent, 1);
    const tensor = { shape, data: data.subarray(offset, offset + size) };
    if (group === 'steps') steps.push({ ...tensor, name, formula });
    else groups[group]![name] = tensor;
  }
  return { ...groups, steps, warnings: run.warnings } as unknown as Tensors;
}
