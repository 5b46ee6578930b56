// SPDX-License-Identifier: Apache-2.0
import type { RoleColour } from './tokens.ts';

/** The sentences of a formula, one a line. */
export const lines = (latex: string): string[] => (latex ? latex.split(/,\s*\\quad\s*/) : []);

const ROLE_OF: Record<string, RoleColour> = {
  Q: 'query', K: 'key', V: 'value', E: 'score', A: 'weight', C: 'context',
  q: 'query', k: 'key', v: 'value', e: 'score', a: 'weight', c: 'context',
};
const VERBATIM = /^\\(operatorname\*?|text|textrm|textbf|textit|mathrm|begin|end|htmlClass|color|textcolor)/;

/**
 * Wraps the letters of the roles (Q, k_j, a_{ij}, ...) in their colour's class. Small letters
 * count only with an index, since e is also a number and k also counts. `others`: letters that stand for something
 * else here, such as parameters.
 */
export function colourRoles(latex: string, others = ''): string {
  let out = '';
  let at = 0;
  while (at < latex.length) {
    const rest = latex.slice(at);
    const command = /^\\([a-zA-Z]+\*?|.)/.exec(rest)?.[0];
    if (command) {
      const group = VERBATIM.test(command) ? braced(latex, at + command.length) : '';
      out += command + group;
      at += command.length + group.length;
      continue;
    }
    const letter = latex[at]!;
    const role = others.includes(letter) ? undefined : ROLE_OF[letter];
    const index = role ? indices(latex, at + 1) : '';
    const alone = !/[a-zA-Z]/.test(latex[at - 1] ?? '') && !/[a-zA-Z]/.test(latex[at + 1] ?? '');
    const bareIndex = /[_^]/.test(latex[at - 1] ?? '');
    if (role && alone && !bareIndex && (letter < 'a' || index.startsWith('_'))) {
      out += `\\htmlClass{${role}}{${letter}${index}}`;
      at += 1 + index.length;
    } else {
      out += letter;
      at += 1;
    }
  }
  return out;
}

function indices(latex: string, from: number): string {
  let at = from;
  while (latex[at] === '_' || latex[at] === '^') {
    const group = braced(latex, at + 1);
    if (group) at += 1 + group.length;
    else if (latex[at + 1] === '\\') at += 1 + (/^\\([a-zA-Z]+|.)/.exec(latex.slice(at + 1))?.[0].length ?? 1);
    else at += 2;
  }
  return latex.slice(from, Math.min(at, latex.length));
}

function braced(latex: string, from: number): string {
  const start = /^\s*/.exec(latex.slice(from))![0].length + from;
  if (latex[start] !== '{') return '';
  let depth = 0;
  for (let at = start; at < latex.length; at++) {
    if (latex[at] === '\\') at++;
    else if (latex[at] === '{') depth++;
    else if (latex[at] === '}' && --depth === 0) return latex.slice(from, at + 1);
  }
  return '';
}
