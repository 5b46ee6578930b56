// SPDX-License-Identifier: Apache-2.0
// Sentences of records hold symbols, as `W_p`, and names that documents write, in backticks: both are drawn as what
// they are.
import { html } from 'lit';

export type Piece = { text: string } | { latex: string } | { code: string };

// A name in backticks, or a letter with what stands below or above it. Longer words with underscores are no symbols,
// nor are names of parameters: `heads.W_Q` stands as the document writes it.
const MARKED = /`([^`]+)`|(?<![\w\\."“„])([A-Za-z])([_^])(-?\d+|[A-Za-z]{1,7})(?!\w)/g;
const GREEK = new Set(['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'theta', 'lambda', 'mu', 'phi', 'psi', 'sigma',
  'tau', 'omega']);

function symbol(letter: string, where: string, what: string): string {
  const mark = where === '^' && what === 'T' ? '\\top' : GREEK.has(what) ? `\\${what}`
    : what.length > 1 && /[a-z]/i.test(what) ? `\\mathrm{${what}}` : what;
  return `${letter}${where}{${mark}}`;
}

/** A sentence in pieces. */
export function pieces(sentence: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of sentence.matchAll(MARKED)) {
    const [whole, code, letter, where, what] = match;
    if (match.index > at) found.push({ text: sentence.slice(at, match.index) });
    found.push(code === undefined ? { latex: symbol(letter!, where!, what!) } : { code });
    at = match.index + whole.length;
  }
  return at < sentence.length || found.length === 0 ? [...found, { text: sentence.slice(at) }] : found;
}

/** A sentence with its symbols set as maths; `called` knows what a name in it is called on the page. */
export function prose(sentence: string, called?: (name: string) => string | undefined): unknown {
  const all = pieces(sentence);
  if (all.length === 1 && 'text' in all[0]!) return sentence;
  return all.map((piece) => {
    if ('text' in piece) return piece.text;
    if ('latex' in piece) return html`<ap-math class="plain" .latex=${piece.latex}></ap-math>`;
    const name = called?.(piece.code);
    return name === undefined ? html`<code dir="ltr">${piece.code}</code>` : html`<bdi>${name}</bdi>`;
  });
}
