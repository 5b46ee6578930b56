// SPDX-License-Identifier: Apache-2.0
// How a recurrent core writes into its memory, in the letters of its record: the engine's own formula of the loop has
// letters for what goes in, such as f for a key times its strength, which stand nowhere else.
import type { Tensor } from '../engine/result.ts';
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { equation, type Named, naming } from '../directory/naming.ts';

// Letters with the index of a step, "f_t" or "\\alpha_t".
const OF_STEP = /(\\?[a-zA-Z]+)_(?:t|\{t-1\})/g;
const lettersIn = (latex: string): Set<string> => new Set([...latex.matchAll(OF_STEP)].map(([, letter]) => letter!));

const leftOf = (part: string): string => part.split('=')[0]!.trim();

/** The equations of a formula that end with that of the memory after a step; undefined where it has none. */
export function memoryIn(formula: string): string | undefined {
  const parts = formula.split(/[,;]\\q?quad/).map((part) => part.trim());
  const at = parts.findIndex((part) => part.includes('=') && /^S_t\b/.test(leftOf(part)));
  if (at < 0) return undefined;
  // What it says of the memory before, "S' = ...", belongs to it.
  const before = parts.slice(0, at).filter((part) => parts[at]!.includes(leftOf(part)) && part.includes('='));
  return [...before, parts[at]!].join(',\\quad ');
}

// The only core of the module that made the tensor.
function coreOf(book: Book, document: Doc, { within = '' }: Named): Mechanism | undefined {
  const member = membersOf(document).find(({ name }) => name === within || within.startsWith(`${name}.`));
  if (!member) return undefined;
  const own = book.member(member.value);
  const cores = [...(own?.kind === 'core' ? [own] : []), ...book.choices(document)
    .filter(({ path, mechanism }) => path.startsWith(`${member.path}/`) && mechanism?.kind === 'core')
    .map(({ mechanism }) => mechanism!)];
  return cores.length === 1 ? cores[0] : undefined;
}

/** A tensor's symbol and how it came about, that of a core's memory in the letters of the core's record. */
export function equationIn(book: Book, document: Doc, tensor: Named & Pick<Tensor, 'formula'>): string {
  const said = equation(tensor);
  if (tensor.group !== 'outputs' || tensor.role !== 'state' || !tensor.formula) return said;
  const formula = coreOf(book, document, tensor)?.formula;
  const memory = formula === undefined ? undefined : memoryIn(formula);
  if (memory === undefined) return said;
  const known = lettersIn(formula!);
  if ([...lettersIn(tensor.formula)].every((letter) => known.has(letter))) return said;
  const { symbol } = naming(tensor);
  return symbol === '' ? memory : `${symbol}:\\quad ${memory}`;
}
