// SPDX-License-Identifier: Apache-2.0

/** A formula that was drawn while building: text, or a tag, its attributes and what it holds. */
export type Drawn = string | [tag: string, attributes: Record<string, string>, ...inside: Drawn[]];

/** What a formula is known by. */
export const keyOf = (latex: string, display: boolean): string => (display ? `display ${latex}` : latex);

const known = new Map<string, Drawn>();

/** Formulas that need no KaTeX, by `keyOf`. */
export function rememberFormulas(formulas: Record<string, Drawn>): void {
  for (const [key, drawn] of Object.entries(formulas)) known.set(key, drawn);
}

export const ready = (latex: string, display: boolean): Drawn | undefined => known.get(keyOf(latex, display));

const SPACES: Record<string, string> =
  { svg: 'http://www.w3.org/2000/svg', math: 'http://www.w3.org/1998/Math/MathML' };

/** Makes the nodes by the object model: the page's policy allows no style attributes. */
export function grow(drawn: Drawn, space = 'http://www.w3.org/1999/xhtml'): Node {
  if (typeof drawn === 'string') return document.createTextNode(drawn);
  const [tag, attributes, ...inside] = drawn;
  const here = SPACES[tag] ?? space;
  const node = document.createElementNS(here, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style') (node as HTMLElement).style.cssText = value;
    else node.setAttribute(name, value);
  }
  node.append(...inside.map((child) => grow(child, here)));
  return node;
}
