// SPDX-License-Identifier: Apache-2.0
// How well something fits a search, and by which of the texts about it.
import { maximum } from '../lists.ts';
import { folded } from '../strings/folded.ts';

/** What a text is to the thing that is searched for. */
export type Why = 'name' | 'known' | 'paper' | 'part' | 'group' | 'place' | 'says';

export interface Field {
  why: Why;
  /** As it is written. */
  text: string;
  /** What of it a reader is shown, if not all. */
  shown?: string;
}

// A name says more than a part, and a part more than a sentence that has the word.
const WEIGHTS: Readonly<Record<Why, number>> = { name: 12, known: 9, paper: 6, part: 4, group: 3, place: 3, says: 2 };
// A whole word is meant more likely than the beginning of one, and that more likely than its middle.
const [WHOLE, BEGINNING, INSIDE] = [1.5, 1.25, 0.5];
/** What another form of a word counts, beside the word as it was typed. */
const OTHER = 0.9;
const LETTER = /[\p{L}\p{N}]/u;
// A shorter stem would be found in words that have nothing to do with it.
const STEM = 4;
const ENDINGS = ['ing', 'ung', 'iert', 'ierte', 'ed', 'en'];

// Of several things as of one: "embeddings" are found where there is an embedding. Of a long word the stem is enough:
// "predicting" is found where something predicts, and „übersetzen“ where something „übersetzt“ is.
function formsOf(typed: string): string[] {
  const word = folded(typed);
  const one = word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  const ending = ENDINGS.find((end) => one.endsWith(end) && one.length >= STEM + end.length);
  return [...new Set([word, one, ending === undefined ? one : one.slice(0, -ending.length)])];
}

/** Whether a folded text has a word of a search. */
export const has = (text: string, word: string): boolean => formsOf(word).some((form) => text.includes(form));

/** Whether a folded text has this at the beginning of a word. */
export function begins(text: string, form: string): boolean {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
    if (at === 0 || !LETTER.test(text[at - 1]!)) return true;
  return false;
}

export const wordsIn = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

// Words with which one asks say nothing of what is meant.
const ASKING = new Set(['how', 'does', 'do', 'is', 'are', 'was', 'what', 'when', 'where', 'which', 'who', 'why',
  'can', 'i', 'my', 'me', 'you', 'it', 'its', 'a', 'an', 'the', 'of', 'to', 'in', 'on', 'for', 'and', 'or', 'that',
  'this', 'with', 'from', 'have', 'much', 'many', 'wie', 'viel', 'viele', 'warum', 'wieso', 'wann', 'wo', 'woher',
  'wer', 'wen', 'welche', 'welcher', 'welches', 'wenn', 'ist', 'sind', 'hat', 'der', 'die', 'das', 'den', 'dem',
  'des', 'ein', 'eine', 'einen', 'einer', 'und', 'oder', 'ich', 'man', 'mein', 'meine', 'meinen', 'kann', 'zu', 'zum',
  'zur', 'im', 'am', 'auf', 'mit', 'von', 'für', 'es', 'nicht', 'dieser', 'diese', 'ما', 'ماذا', 'كيف', 'لماذا', 'من',
  'في', 'هل', 'هو', 'هي', 'على', 'إلى', 'أين', 'متى'].map(folded));

/** The words of a search without those with which one asks, unless there are no others. */
export function meantBy(search: string): string[] {
  const words = search.toLowerCase().match(/[\p{L}\p{N}√][\p{L}\p{N}\p{M}./^()'’-]*/gu) ?? [];
  const meant = words.map((word) => word.replace(/[.)’']+$/, '')).filter((word) => word && !ASKING.has(folded(word)));
  return meant.length > 0 ? meant : wordsIn(search);
}

/**
 * Of words that nothing has together, those that something has: the rarest first, and each one more as long as
 * something still has all of them. `count`: how many things have all of these words.
 */
export function keptOf(words: readonly string[], count: (words: readonly string[]) => number): string[] {
  const known = [...new Set(words)].map((word) => ({ word, many: count([word]) })).filter(({ many }) => many > 0)
    .toSorted((a, b) => a.many - b.many);
  return known.reduce<string[]>((so, { word }) => (count([...so, word]) > 0 ? [...so, word] : so), []);
}

// How well one word fits one text; 0 if it is not in it.
function fit(text: string, word: string): number {
  return maximum(formsOf(word).map((form, other) => {
    let best = 0;
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      const [before, after] = [text[at - 1], text[at + form.length]];
      const begins = before === undefined || !LETTER.test(before);
      const ends = after === undefined || !LETTER.test(after);
      best = Math.max(best, begins && ends ? WHOLE : begins ? BEGINNING : INSIDE);
    }
    return other > 0 ? best * OTHER : best;
  }));
}

export interface Match {
  score: number;
  /** For each word of the search, the text that it fits best. */
  by: Field[];
}

/**
 * How well these texts fit the words of a search; undefined if a word is in none of them. `typed`: the search as a
 * whole, which fits best where it is a text.
 */
export function matchOf(fields: readonly Field[], search: readonly string[],
  typed = search.join(' ')): Match | undefined {
  const small = fields.map((field) => ({ field, text: folded(field.text) }));
  const phrase = folded(typed).replace(/[?؟!.\s]+$/, '').trim();
  let score = small.reduce((most, { field, text }) => Math.max(most, text === phrase ? 2 * WEIGHTS[field.why] : 0), 0);
  const by: Field[] = [];
  for (const word of search) {
    let [best, found]: [number, Field | undefined] = [0, undefined];
    for (const { field, text } of small) {
      const value = fit(text, word) * WEIGHTS[field.why];
      if (value > best) [best, found] = [value, field];
    }
    if (!found) return undefined;
    score += best;
    by.push(found);
  }
  return { score, by };
}

/** What else than its name fits the search: each text once. */
export const reasonsOf = ({ by }: Match): Field[] => [...new Set(by)].filter(({ why }) => why !== 'name');
