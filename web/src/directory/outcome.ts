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

/** What gradients are of where a document does not say it: what the whole gives, or of a model its loss. */
export function rootOf(result: Result): Tensor | undefined {
  const given = contextOf(result);
  if (given && !given.within) return given;
  return result.all('outputs').find((tensor) => tensor.role === 'loss' && !tensor.within) ?? given;
}

/** The names of what a computation gives, no map among them: the context, or of a model what each module gives. */
export function givenBy(result: Result): string[] {
  const modules = (result.directory.modules ?? []).filter(({ name, parent }) => name !== '' && parent === '');
  if (modules.length > 0) return modules.flatMap((one) => one.result ?? []);
  const context = contextOf(result);
  return context ? [context.name] : [];
}
