// SPDX-License-Identifier: Apache-2.0
// The two sides of a trained model on the page: the words that it reads, and those that it wrote.
import type { Result } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';
import { weightsOf } from '../directory/modules.ts';
import { isTrained } from '../state/writer.ts';

/** Sentences that the model of the first sight can translate: subjects, verbs and objects of its small grammar. */
export const SAMPLES: readonly string[] = ['they see the red car', 'she does not love him', 'I love you'];

/** The input whose words a trained model wrote: it looks from them at those that it read. */
export function answerOf(document: Doc, result: Result | undefined): string | undefined {
  if (!isTrained(document) || !result) return undefined;
  const { dimensions = [] } = weightsOf(result) ?? {};
  const [asks, asked] = (['query', 'key'] as const).map((role) => dimensions.find((one) => one.role === role)?.labels);
  return asks !== undefined && asks !== asked && Array.isArray(document.inputs[asks]?.['tokens']) ? asks : undefined;
}

const END = '<end>';

/** Words as they are read: the end is not said, and what is left out before a vowel stands close to it. */
export const writtenOut = (tokens: readonly string[]): string => spaced(tokens).map(({ text }) => text).join('');

/** The same word by word, each with the space before it, and its place among all tokens. */
export const spaced = (tokens: readonly string[]): { text: string; at: number }[] =>
  tokens.map((token, at) => ({ token, at })).filter(({ token }) => token !== END)
    .map(({ token, at }, k, all) => ({ at, text: k === 0 || all[k - 1]!.token.endsWith("'") ? token : ` ${token}` }));
