// SPDX-License-Identifier: Apache-2.0
import katex from 'katex';
import { Result } from '../src/engine/result.ts';
import type { Catalogue, Directory, Doc } from '../src/engine/types.ts';
import { shownFirst } from '../src/controls/module-choices.ts';
import { lettersBeside, lettersOf } from '../src/directory/letters.ts';
import { equation, naming } from '../src/directory/naming.ts';
import { Book } from '../src/state/catalogue.ts';
import { type Drawn, keyOf } from '../src/styles/rendered-formula.ts';
import { options } from '../src/styles/katex-options.ts';
import { colourRoles, lines } from '../src/styles/roles.ts';

/** The formulas of the first picture, drawn while building: KaTeX itself is then fetched when another is asked for. */
export function formulas(document: Doc, catalogue: Catalogue, directory: Directory,
  data: Float32Array): Record<string, Drawn> {
  const book = new Book(catalogue);
  const result = new Result(directory, data);
  const found = new Map<string, Drawn>();
  const add = (latex: string, display = false) => latex && found.set(keyOf(latex, display), drawn(latex, display));
  // Of the controls one shows its formula; whoever asks for another has KaTeX by then.
  const shown = shownFirst(book.choices(document))?.mechanism ?? book.module(document);
  for (const line of lines(shown?.formula ?? '')) add(colourRoles(line, lettersOf(shown?.parameters ?? [])));
  for (const tensor of result.tensors) {
    if (tensor.group === 'steps') continue;
    const { symbol } = naming(tensor);
    const others = lettersBeside(result, tensor);
    // Projections stand as symbols where they are drawn; the formula of the rest is written out.
    add(colourRoles(tensor.role === 'key' ? `${symbol}^\\top` : symbol));
    if (!['query', 'key', 'value'].includes(tensor.role ?? '')) add(colourRoles(equation(tensor), others));
  }
  return Object.fromEntries(found);
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };
const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]!);

function drawn(latex: string, display: boolean): Drawn {
  return parsed(katex.renderToString(latex, options(display)));
}

// What KaTeX prints is well formed: every tag is closed, every attribute is quoted.
/** KaTeX's markup as data. */
export function parsed(markup: string): Drawn {
  const open: Drawn[][] = [[]];
  for (const [, text, end, tag, attributes, alone] of markup.matchAll(
    /([^<]+)|<(\/?)([\w-]+)((?:\s+[\w:-]+=(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g)) {
    if (text !== undefined) open.at(-1)!.push(plain(text));
    else if (end) open.pop();
    else {
      const list = [...attributes!.matchAll(/([\w:-]+)=(?:"([^"]*)"|'([^']*)')/g)].filter(([, name]) =>
        name !== 'xmlns');
      const node = [tag!, Object.fromEntries(
        list.map(([, name, one, other]) => [name, plain(one ?? other ?? '')]))] as unknown as Drawn[];
      open.at(-1)!.push(node as unknown as Drawn);
      if (!alone) open.push(node);
    }
  }
  return open[0]![0]!;
}
