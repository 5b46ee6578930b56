// SPDX-License-Identifier: Apache-2.0
import { naming } from '../directory/naming.ts';
import type { Tensor } from '../engine/result.ts';

const titleOf = (tensor: Tensor): string => naming(tensor).title || tensor.name;

/** What a matrix is called among these: of one title, their shapes tell them apart, and of one shape, their names. */
export function calledIn(all: readonly Tensor[], tensor: Tensor): string {
  const title = titleOf(tensor);
  const alike = all.filter((other) => titleOf(other) === title);
  if (alike.length < 2) return title;
  const shape = tensor.shape.join(' × ');
  const twins = alike.filter((other) => other.shape.join(' × ') === shape);
  return [title, shape, twins.length < 2 ? '' : `(${tensor.name})`].filter(Boolean).join(' ');
}
