// SPDX-License-Identifier: Apache-2.0
import type { Tensor } from '../engine/result.ts';
import type { Kind } from '../colour/scale.ts';
import type { Group } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import type { RoleColour } from '../styles/tokens.ts';

// The contract's names of outputs. A structure puts its module in front (`left.scores`) or a
// side behind (`scores1`); whatever is not listed is shown under its own name.
export interface Naming {
  base: string;
  module: string;
  title: string;
  /** What one cell of it is called. */
  one: string;
  symbol: string;
  role: RoleColour;
}

const KNOWN: Record<string, [symbol: string, role: RoleColour, word?: string]> = {
  query: ['Q', 'query'],
  key: ['K', 'key'],
  value: ['V', 'value'],
  scores: ['E', 'score'],
  mask: ['M', 'ink'],
  weights: ['A', 'weight'],
  heads: ['C', 'context', 'context'],
  context: ['C', 'context'],
  output: ['O', 'context'],
  position: ['P', 'ink'],
  affinity: ['L', 'score'],
  penalty: ['\\Omega', 'ink'],
  state: ['S', 'ink'],
};

const GEOMETRY = new Set(['query', 'key', 'value', 'scores', 'mask', 'weights', 'heads', 'context']);

export function naming(tensor: Pick<Tensor, 'name' | 'group'>): Naming {
  const own: Naming = { base: tensor.name, module: '', title: tensor.name, one: tensor.name, symbol: '', role: 'ink' };
  if (tensor.group === 'inputs') {
    const title = tensor.name === 'x' ? strings.stageNames.inputs : strings.input(tensor.name);
    return { ...own, title, one: title, symbol: 'X' };
  }
  if (tensor.group === 'gradients') {
    const [, group, name] = /^(inputs|outputs)\.(.*)$/.exec(tensor.name) ?? [];
    const of = naming({ group: (group as Group | undefined) ?? 'parameters', name: name ?? tensor.name });
    const title = strings.gradientOf(of.title);
    return { ...of, base: own.base, title, one: title, symbol: of.symbol && `\\partial ${of.symbol}` };
  }
  // Steps are named in LaTeX.
  if (tensor.group === 'steps') return { ...own, title: '', symbol: tensor.name };
  if (tensor.group !== 'outputs') return own;
  const [, prefix, base, side] = /^(?:(.+)\.)?([a-z_]+?)(\d*)$/.exec(tensor.name) ?? [];
  const known = base === undefined ? undefined : KNOWN[base];
  if (!known || base === undefined) return own;
  const [symbol, role, word = base] = known;
  const [title, one] = [strings.tensors[word] ?? base, strings.cellOf[word] ?? base];
  return {
    base: GEOMETRY.has(base) || !side ? base : tensor.name,
    module: prefix ?? side ?? '',
    title: [title, prefix ?? side].filter(Boolean).join(' '),
    one: [one, prefix ?? side].filter(Boolean).join(' '),
    symbol: side ? `${symbol}_{${side}}` : symbol,
    role,
  };
}

/** A tensor's symbol and how it came about, as far as the engine says. */
export function equation(tensor: Pick<Tensor, 'name' | 'group' | 'formula'>): string {
  const { symbol } = naming(tensor);
  const { formula } = tensor;
  if (!formula) return symbol;
  return symbol === '' || formula.includes('=') ? formula : `${symbol} = ${formula}`;
}

export function kindOf(tensor: Pick<Tensor, 'name' | 'group'>): Kind {
  const isWeights = tensor.group === 'outputs' && /(^|\.)weights(\d*|\.\d+)$/.test(tensor.name);
  return isWeights ? 'weights' : 'signed';
}

export const inGeometry = (base: string): boolean => GEOMETRY.has(base);
