// SPDX-License-Identifier: Apache-2.0
import { own } from '../strings/engine.ts';
import { strings } from '../strings/en.ts';
import { phrase } from '../strings/quote.ts';
import type { Book } from './catalogue.ts';

// As the import titles a model: "tiny, GPT-2, 6 layers", "T5, 6 + 6 layers".
const LAYERS = /^(.+), (\d+)( \+ (\d+))? layers$/;

function withLayers(title: string): string | undefined {
  const found = LAYERS.exec(title);
  if (!found) return undefined;
  const [, name, first, more = '', second = '0'] = found;
  return strings.layers(name!, Number(first) + Number(second), first! + more);
}

/** A document's title in the reader's words: a mechanism's own document has the name of the mechanism. */
export const titleCalled = ({ catalogue }: Book, title: string): string =>
  catalogue.mechanisms.find((one) => own(one).title === title)?.title ?? withLayers(title) ?? phrase(title);
