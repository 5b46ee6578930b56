// SPDX-License-Identifier: Apache-2.0
// Names of tensors that can be typed: in files and in Python. Steps are named in LaTeX and may repeat.
import type { Result, Tensor } from '../engine/result.ts';

// Commands that only set a font or a space, and the hint at a step's module, which the name begins with.
const HINT = /\\;\(\\text\{[^{}]*\}\)|\\;\(\d+\)/g;
const FONT = /\\(?:text|mathrm|mathbf|operatorname|mathit|hat|tilde|bar|left|right)\b/g;
const SIGNS: Readonly<Record<string, string>> = { "'": '_prime', '+': '_plus_', '/': '_over_' };

/** The symbol of a step in letters, digits and "_": "N_{1}" gives N_1, "\sin p\theta" gives sin_p_theta. */
const symbol = (latex: string): string => latex.replace(HINT, '').replace(FONT, '')
  .replace(/['+/]/g, (sign) => SIGNS[sign]!).replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '');

/** A name for each tensor: its group and the engine's name; a step has its number, its module and its symbol. */
export function plainNames(result: Result): Map<Tensor, string> {
  let step = 0;
  return new Map(result.tensors.map((tensor) => {
    if (tensor.group !== 'steps')
      return [tensor, `${tensor.group}.${tensor.name.replace(/[^\p{L}\p{N}.-]+/gu, '_').replace(/^_+|_+$/g, '')}`];
    const number = String(++step).padStart(2, '0');
    return [tensor, [`steps.${number}`, tensor.within ?? '', symbol(tensor.name)].filter(Boolean).join('.')];
  }));
}
