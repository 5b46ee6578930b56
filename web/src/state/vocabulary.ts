// SPDX-License-Identifier: Apache-2.0
// The words that a model knows, where its document lists them.
import type { Doc, JsonObject } from '../engine/types.ts';
import { get, isObject, join } from '../engine/pointer.ts';
import type { Book } from './catalogue.ts';
import { membersOf } from './model.ts';

// A list begins with a start, an end and a word for all others.
const SPECIAL = 3;

// The list of words that a module of a document gives, if it takes one.
function listOf(book: Book, value: JsonObject): string[] | undefined {
  const knob = book.member(value)?.knobs.find(({ type }) => type === 'words');
  const list = knob && value[knob.name];
  return Array.isArray(list) ? list.map(String) : undefined;
}

/** The words of a module, in the order of its numbers for them. */
export function vocabularyIn(book: Book, document: Doc, module: string): string[] | undefined {
  const member = membersOf(document).find(({ name }) => name === module);
  return member && listOf(book, member.value);
}

/** The list of words that the reader of an input looks its words up in; undefined where there is none. */
export function vocabularyOf(book: Book, document: Doc, input: string): string[] | undefined {
  for (const { value } of membersOf(document)) {
    const { inputs } = value;
    if (!isObject(inputs) || !Object.values(inputs).includes(input)) continue;
    const list = listOf(book, value);
    if (list) return list;
  }
  return undefined;
}

/** The words of a list that a sentence is made of. */
export const wordsOf = (vocabulary: readonly string[]): string[] => vocabulary.slice(SPECIAL);

/** Those of the words that the list does not have, each once: they count as its word for all others. */
export const unknownIn = (tokens: readonly string[], vocabulary: readonly string[]): string[] =>
  [...new Set(tokens)].filter((token) => !vocabulary.includes(token));

/** Those of the words that mark a start, an end or an unknown word, unless this input usually has them. */
export const specialIn = (tokens: readonly string[], vocabulary: readonly string[],
  usual: readonly string[] = []): string[] =>
  [...new Set(tokens)].filter((token) => vocabulary.slice(0, SPECIAL).includes(token) && !usual.includes(token));

/** The tokens of an input in the document that the reader opened. */
export function usualOf(base: Doc, input: string): string[] {
  const tokens = base.inputs[input]?.['tokens'];
  return Array.isArray(tokens) ? tokens.map(String) : [];
}

const LACKS = /^the vocabulary lacks .+; words outside it count as <unknown>$/;

/** Warnings without those of unknown words, which the page itself names at the input. */
export const withoutUnknown = <T extends { path: string; message: string }>(warnings: readonly T[], book: Book,
  document: Doc): T[] => warnings.filter(({ path, message }) => !LACKS.test(message)
  || !readAt(document, path).some((input) => vocabularyOf(book, document, input) !== undefined));

// The inputs that a warning is about: the engine names one of them, or the module that reads it.
function readAt(document: Doc, path: string): string[] {
  const module = get(document, path);
  const wires = isObject(module) && isObject(module['inputs']) ? Object.values(module['inputs']) : [];
  return Object.keys(document.inputs).filter((input) => wires.includes(input)
    || path === join('inputs', input) || path.startsWith(`${join('inputs', input)}/`));
}

/** A word with capitals that the list has without them is that word: sentences begin with one. */
export const spelled = (tokens: readonly string[], vocabulary: readonly string[] | undefined): string[] =>
  tokens.map((token) => (vocabulary && !vocabulary.includes(token) && vocabulary.includes(token.toLowerCase())
    ? token.toLowerCase() : token));
