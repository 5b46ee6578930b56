// SPDX-License-Identifier: Apache-2.0
import { shortest } from '../colour/numbers.ts';
import type { Json } from '../engine/types.ts';

/** Numbers as lists in lists, as a document holds them. */
export function nest(data: ArrayLike<number>, shape: number[]): Json {
  if (shape.length === 0) return data[0] ?? 0;
  const build = (depth: number, from: number): Json => {
    const rest = shape.slice(depth + 1).reduce((a, b) => a * b, 1);
    const size = shape[depth] ?? 0;
    return Array.from({ length: size }, (_, k) =>
      depth === shape.length - 1 ? shortest(data[from + k] ?? 0) : build(depth + 1, from + k * rest),
    );
  };
  return build(0, 0);
}
