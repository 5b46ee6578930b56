// SPDX-License-Identifier: Apache-2.0
import type { Result, Tensor } from '../engine/result.ts';
import type { TensorRole } from '../engine/types.ts';
import { axisOf, typed } from './typed.ts';

/** What a computation gives in the end, as far as it is one matrix. */
export function contextOf(result: Result): Tensor | undefined {
  const merged = result.all('outputs').filter((tensor) => axisOf(typed(tensor), 'head') < 0);
  const last = (role: TensorRole, outermost: boolean) =>
    merged.findLast((tensor) => tensor.role === role && (!outermost || !tensor.within));
  return last('context', true) ?? last('output', true) ?? last('context', false) ?? last('output', false);
}
