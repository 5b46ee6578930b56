// SPDX-License-Identifier: Apache-2.0
import katex from 'katex';

const files = import.meta.glob('/node_modules/katex/dist/fonts/*.woff2', {
  query: '?url',
  import: 'default',
  eager: true,
}) as Record<string, string>;

// The file names say the face: KaTeX_Main-BoldItalic.woff2.
for (const [path, url] of Object.entries(files)) {
  const [, family, face] = /(KaTeX_\w+)-(\w+)\.woff2$/.exec(path) ?? [];
  if (!family || !face) continue;
  document.fonts.add(
    new FontFace(family, `url(${url}) format("woff2")`, {
      weight: face.includes('Bold') ? '700' : '400',
      style: face.includes('Italic') ? 'italic' : 'normal',
      display: 'block',
    }),
  );
}

/** Draws a formula. Only the class command is trusted: it is how terms get their role's colour. */
export function draw(latex: string, into: HTMLElement, display: boolean): void {
  const options: katex.KatexOptions = {
    displayMode: display,
    throwOnError: true,
    strict: false,
    trust: (context) => context.command === '\\htmlClass',
    maxSize: 20,
    maxExpand: 500,
  };
  // KaTeX's own way to show an error is a style attribute, which the page's policy forbids.
  try {
    const tree = (katex as unknown as { __renderToDomTree(latex: string, options: katex.KatexOptions): Tree }).__renderToDomTree(latex, options);
    unstyle(tree);
    const node = tree.toNode();
    for (const drawn of node.querySelectorAll<SVGElement>('[data-style]')) drawn.style.cssText = drawn.dataset['style'] ?? '';
    into.replaceChildren(node);
  } catch {
    into.textContent = latex;
  }
}

interface Tree {
  children?: Tree[];
  attributes?: Record<string, string>;
  toNode(): Element;
}

// Tall braces are drawings whose style KaTeX writes as an attribute; it is set by the object model instead.
function unstyle({ children, attributes }: Tree): void {
  if (attributes?.['style']) {
    attributes['data-style'] = attributes['style'];
    delete attributes['style'];
  }
  children?.forEach(unstyle);
}
