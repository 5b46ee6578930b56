// SPDX-License-Identifier: Apache-2.0
// Sizes that no file of a model gives and that its family usually has: what the import assumed, and what a reader may
// choose instead. The files of the families say which sizes these are.
import type { Json } from '../engine/types.ts';
import { quote } from '../strings/quote.ts';
import type { Opened, Question } from './types.ts';
import { words } from './words.ts';

interface Size {
  name: string;
  says: string;
  config?: string[];
  divides?: string;
}

const files = import.meta.glob<Size[]>('../../../architectures/*.json', { import: 'sizes', eager: true });

export interface AssumedSize {
  name: string;
  /** The whole sentence that reports it. */
  sentence: string;
  /** What its reader may be asked; none where there is no choice. */
  question: (Question & { value: number }) | undefined;
}

function sentenceOf(name: string, says: string, value: Json): string {
  if (name === 'heads' && typeof value === 'number') return words().assumedHeads(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return name === 'act' ? words().assumedActivation(text) : words().assumedSize(quote(says), text);
}

// As the import asks: a head has at least two features.
function choicesOf(whole: Json | undefined): number[] {
  if (typeof whole !== 'number') return [];
  return Array.from({ length: Math.floor(whole / 2) }, (_, k) => k + 1).filter((k) => whole % k === 0);
}

export function assumedSizes({ architecture, sizes, assumed = {} }: Opened): AssumedSize[] {
  const family = files[`../../../architectures/${architecture}.json`] ?? [];
  return Object.entries(assumed).map(([name, value]) => {
    const { says = name, config: [key] = [], divides = '' } = family.find((size) => size.name === name) ?? {};
    const choices = choicesOf(sizes[divides]);
    const question = key === undefined || typeof value !== 'number' || !choices.includes(value) ? undefined
      : { key, says, choices, message: '', value };
    return { name, sentence: sentenceOf(name, says, value), question };
  });
}
