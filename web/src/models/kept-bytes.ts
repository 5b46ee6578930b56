// SPDX-License-Identifier: Apache-2.0
// A model may write tokens of single bytes that form no whole character. Their text is U+FFFD, which is other tokens
// when it is split again. So an edit behind them keeps their tokens and splits only the text after them.
import { between } from './put-tokens.ts';
import type { Failed, Pieces } from './types.ts';

const LOST = '\uFFFD';

/** A tokenizer's two ways; a failure is dealt with by whoever gives them. */
export interface Ways {
  encode(text: string): Promise<Pieces | Failed | undefined>;
  decode(ids: number[]): Promise<{ text: string; labels: string[] } | Failed | undefined>;
}

const isFailed = (answer: object | undefined): answer is Failed => answer !== undefined && 'error' in answer;
// The text box shows no space before the first word.
const inBox = (text: string): string => text.replace(/^ /, '');

/**
 * The tokens of a text that was edited where `ids` were before. 'split': the whole text can be split as any other;
 * 'broken': it still has bytes that form no character, and not all that comes before the last of them is unchanged.
 */
export async function keptBytes(ids: number[], text: string, { encode, decode }: Ways):
  Promise<Pieces | 'split' | 'broken' | Failed | undefined> {
  if (!text.includes(LOST)) return 'split';
  const [whole, around] = [await decode(ids), await encode('')];
  if (!whole || !around) return undefined;
  if (isFailed(whole)) return whole;
  if (isFailed(around)) return around;
  const before = inBox(whole.text);
  const again = await encode(before);
  if (!again || isFailed(again)) return again;
  // U+FFFD that somebody typed has tokens of its own.
  if (!before.includes(LOST) || JSON.stringify(again.ids) === JSON.stringify(ids)) return 'split';
  // The shortest start of the tokens behind which every character is whole.
  let [low, kept, tail] = [0, ids.length, ''];
  while (low < kept) {
    const middle = Math.floor((low + kept) / 2);
    const rest = await decode(ids.slice(middle));
    if (!rest || isFailed(rest)) return rest;
    if (rest.text.includes(LOST)) low = middle + 1;
    else [kept, tail] = [middle, rest.text];
  }
  const head = before.slice(0, before.length - tail.length);
  if (!before.endsWith(tail) || !text.startsWith(head)) return 'broken';
  const split = text === head ? { ids: [], labels: [] } : await encode(text.slice(head.length));
  if (!split || isFailed(split)) return split;
  const all = [...ids.slice(0, kept), ...between(split, around.ids).ids];
  const shown = await decode(all);
  if (!shown || isFailed(shown)) return shown;
  // A tokenizer that puts a space before each text it splits would put one into this text.
  return inBox(shown.text) === inBox(text) ? { ids: all, labels: shown.labels } : 'broken';
}
