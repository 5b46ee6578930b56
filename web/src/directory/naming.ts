// SPDX-License-Identifier: Apache-2.0
// What a tensor is called, its symbol and its colour: by what the engine says that it is.
import { hasNegative, type Kind } from '../colour/scale.ts';
import type { Tensor } from '../engine/result.ts';
import type { TensorRole } from '../engine/types.ts';
import { moduleCalled, nameFromOne } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { withDecimals } from '../strings/numerals.ts';
import type { RoleColour } from '../styles/tokens.ts';
import { shiftedThreshold, withoutGuards, withPlaces } from './formulas.ts';
import { glyphsIn } from './glyphs.ts';
import { isLight, isMap, typed } from './typed.ts';

export type Named = Pick<Tensor,
  'name' | 'group' | 'role' | 'within' | 'dimensions'> & Partial<Pick<Tensor, 'of' | 'outcome' | 'alone'>>;

export interface Naming {
  title: string;
  /** Without the module, where that is said already. */
  short: string;
  /** What one cell of it is called. */
  one: string;
  symbol: string;
  role: RoleColour;
}

const SYMBOLS: Partial<Record<TensorRole, [symbol: string, colour: RoleColour]>> = {
  query: ['Q', 'query'],
  key: ['K', 'key'],
  value: ['V', 'value'],
  scores: ['E', 'score'],
  mask: ['M', 'ink'],
  weights: ['A', 'weight'],
  context: ['C', 'context'],
  output: ['', 'context'],
};
const MAPS: ReadonlySet<TensorRole> = new Set(['scores', 'mask', 'weights']);

// The name behind the module whose result it is.
const ownName = ({ name, within }: Named): string =>
  (within && name.startsWith(`${within}.`) ? name.slice(within.length + 1) : name);

function resultNaming(tensor: Named): Naming {
  const own = ownName(tensor);
  const { role = 'output', within = '' } = tensor;
  // What is no map from queries to keys, such as a gate, is called by its own name.
  const typical = role !== 'output' && (!MAPS.has(role) || isMap(tensor));
  const [head, ...rest] = own.split('.');
  const word = strings.tensors[own] ? own : typical && strings.tensors[role] ? role : undefined;
  const shown = nameFromOne(own);
  const [title, one] = word === undefined ? [shown, shown]
    : [strings.tensors[word] ?? own, strings.cellOf[word] ?? own];
  // A module that is called what it gives, such as a loss, is not named twice.
  const more = [word === head ? nameFromOne(rest.join('.')).replaceAll('.', ' ') : '',
    within === own || within === '' ? '' : `(${moduleCalled(within)})`];
  const [symbol, colour] = (typical || role === 'output' ? SYMBOLS[role] : undefined) ?? ['', 'ink' as const];
  return { short: [title, more[0]].filter(Boolean).join(' '), title: [title, ...more].filter(Boolean).join(' '),
    one: [one, ...more].filter(Boolean).join(' '), symbol: own === word || typical ? symbol : '', role: colour };
}

export function naming(tensor: Named): Naming {
  const { name, group } = tensor;
  if (group === 'outputs') return resultNaming(tensor);
  if (group === 'inputs') {
    const title = tensor.alone ? strings.stageNames.inputs : strings.input(name);
    return { title, short: title, one: title, symbol: 'X', role: 'ink' };
  }
  if (group === 'gradients') {
    const of = tensor.of ? naming(tensor.of) : { title: name, short: name, symbol: '', role: 'ink' as const };
    const called = (name: string) => (tensor.outcome
      ? strings.gradientToggle(naming(tensor.outcome).title, name) : strings.gradientOf(name));
    const title = called(of.title);
    return { title, short: called(of.short), one: title, symbol: of.symbol && `\\partial ${of.symbol}`,
      role: of.role };
  }
  // Steps are named in LaTeX.
  if (group === 'steps') {
    const symbol = shiftedThreshold(name);
    return { title: '', short: '', one: strings.cell.step, symbol, role: 'ink' };
  }
  return { title: name, short: name, one: name, symbol: '', role: 'ink' };
}

// A map that is read out of a memory is what would be read if each value were a unit vector.
const READS_MEMORY = /\bS_(?:t\b|\{t-1\})/;

/** A tensor's symbol and how it came about, as far as the engine says. */
export function equation(tensor: Named & Pick<Tensor, 'formula'>): string {
  const { symbol } = naming(tensor);
  if (!tensor.formula) return symbol;
  const own = withPlaces(withoutGuards(tensor.formula)).replaceAll('\\text{if }', `\\text{${strings.cases.when} }`)
    .replaceAll('\\text{otherwise}', `\\text{${strings.cases.otherwise}}`);
  const formula = isWeights(tensor) && READS_MEMORY.test(own) ? `${own},\\; V = I` : own;
  return withDecimals(symbol === '' || own.includes('=') ? formula : `${symbol} = ${formula}`);
}

// What a letter of a formula takes of a line.
const GLYPH = 8;

/** The same for a line so wide: of a formula that is too long or too tall for it the symbol; the card has it whole. */
export function captioned(tensor: Named & Pick<Tensor, 'formula'>, width: number): string {
  const latex = equation(tensor);
  return glyphsIn(latex) * GLYPH > width || latex.includes('\\begin') ? naming(tensor).symbol : latex;
}

/**
 * The scale of colours that belongs to a tensor's numbers: weights below zero are no share of anything. A map of a form
 * that may have negative weights keeps the scale of weights as long as it has none.
 */
export const kindOf = (tensor: Pick<Tensor, 'group' | 'kind' | 'shape' | 'data'> & Parameters<typeof typed>[0]): Kind =>
  (tensor.group !== 'outputs' || (tensor.kind !== 'probability' && !(tensor.role === 'weights' && isMap(tensor)))
    || hasNegative(tensor.data) ? 'signed'
  : isLight(typed(tensor)) ? 'light' : 'weights');

export const isMask = ({ group, role }: Pick<Tensor, 'group' | 'role'>): boolean =>
  group === 'outputs' && role === 'mask';
export const isWeights = (tensor: Pick<Tensor, 'group' | 'role' | 'dimensions'>): boolean =>
  tensor.group === 'outputs' && tensor.role === 'weights' && isMap(tensor);
