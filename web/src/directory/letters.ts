// SPDX-License-Identifier: Apache-2.0
// Letters of a formula that stand for parameters: E is no matrix of scores where a projection is called so.
import type { Result, Tensor } from '../engine/result.ts';
import type { TensorRole } from '../engine/types.ts';

/** The letters of these parameters' names, of W_1 for instance W. */
export function lettersOf(parameters: readonly { name: string }[]): string {
  const letters = parameters.map(({ name }) => /^([A-Za-z])(?![a-z])/.exec(name.slice(name.lastIndexOf('.') + 1))?.[1]);
  return [...new Set(letters.filter((letter) => letter !== undefined))].toSorted().join('');
}

// Where a module makes such a matrix, its formulas mean that one by the letter.
const SYMBOL_OF: Partial<Record<TensorRole, string>> =
  { query: 'Q', key: 'K', value: 'V', scores: 'E', weights: 'A', context: 'C' };
const known = new WeakMap<Result, Map<string, string>>();

/** Those of the module whose result a tensor is, but for letters of what it makes itself. */
export function lettersBeside(result: Result | undefined, { module = '' }: Pick<Tensor, 'module'>): string {
  if (!result) return '';
  const { letters } = result.directory;
  if (letters) return letters[module] ?? '';
  let found = known.get(result);
  if (!found) {
    const by = new Map<string, { name: string }[]>();
    for (const parameter of result.all('parameters')) {
      const own = by.get(parameter.module ?? '');
      if (own) own.push(parameter);
      else by.set(parameter.module ?? '', [parameter]);
    }
    const made = new Set(result.all('outputs').map((one) => `${one.within ?? ''} ${SYMBOL_OF[one.role ?? 'output']}`));
    known.set(result, found = new Map([...by].map(([name, all]) =>
      [name, [...lettersOf(all)].filter((letter) => letter < 'a' && !made.has(`${name} ${letter}`)).join('')])));
  }
  return found.get(module) ?? '';
}
