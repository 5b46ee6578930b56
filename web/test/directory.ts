// SPDX-License-Identifier: Apache-2.0
// Entries of a directory as the engine writes them, for tests that make their own.
import type { AxisRole, Dimension, NumberKind, TensorEntry, TensorRole } from '../src/engine/types.ts';

const ROLES: Record<string, AxisRole> =
  { m: 'query', '1': 'query', t: 'query', n: 'key', n1: 'key', n2: 'key', h: 'head', L: 'layer', H: 'height',
  W: 'width' };
const KNOWN: Record<string, [TensorRole, NumberKind]> = {
  query: ['query', 'signed'], key: ['key', 'signed'], value: ['value', 'signed'], scores: ['scores', 'signed'],
  mask: ['mask', '0/1'],
  weights: ['weights', 'probability'], gate: ['weights', 'probability'], heads: ['context', 'signed'],
  context: ['context', 'signed'],
};

/** An output `module.name`; what it is the last part of its name says, which only these tests may lean on. */
export function output(name: string, shape: number[], axes: string[],
  more: Partial<TensorEntry> = {}): Omit<TensorEntry, 'offset'> {
  const dot = name.lastIndexOf('.');
  const within = dot < 0 ? '' : name.slice(0, dot);
  const [role, kind] = KNOWN[name.slice(dot + 1)] ?? ['output', 'signed'];
  const dimensions = axes.map((symbol): Dimension => ({ role: ROLES[symbol] ?? 'feature' }));
  return { group: 'outputs', name, shape, axes, within, module: within, step: 0, role, kind, dimensions, ...more };
}
