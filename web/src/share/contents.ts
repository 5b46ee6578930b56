// SPDX-License-Identifier: Apache-2.0
// What a link to the page holds and what it does not, told from what is there.
import { carriedBy, namesIn } from '../state/local-weights.ts';
import { type Seen, seenOf } from '../state/link-view.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { digits } from '../strings/numerals.ts';
import { quote } from '../strings/quote.ts';

export interface Contents {
  holds: string[];
  lacks: string[];
  /** The link leaves out weights, which a file would hold. */
  file: boolean;
  /** A file holds weights that only this browser has. */
  weights: boolean;
  /** Files of weights that are saved beside the document's, because they are large. */
  beside: string[];
  /** It is not known yet which weights it carries. */
  waiting: boolean;
}

const viewed = (seen: Seen): string[] =>
  (Object.keys(seen) as (keyof Seen)[]).map((key) => strings.sharing.viewed[key]);

/** Sentences' ends, in the reader's language. */
export function contentsOf(store: Store): Contents {
  const { documents: { document }, comparison: { held }, view, trainings } = store;
  const words = strings.sharing;
  const { packed, tooMany, missing, waiting } = carriedBy(document, held);
  const own = new Set([...packed.map(({ name }) => name), ...tooMany.map(({ name }) => name), ...missing]);
  const bases = packed.flatMap(({ base }) => base ?? []);
  const shipped = waiting ? [] : [...new Set([...namesIn(document, held).filter((name) => !own.has(name)), ...bases])];
  const seen = seenOf(store);
  const untaken = trainings.untaken.value;
  return {
    holds: [words.document, ...(held ? [words.other] : []),
      ...packed.map(({ code, count, rounding }) => (rounding === 0 ? words.weightsExact(count)
        : words.weightsRounded(count, code, digits(rounding, 2)))),
      ...(seen ? [words.view(viewed(seen))] : [])],
    lacks: [...tooMany.map(({ count }) => words.tooMany(count)),
      ...missing.map((name) => words.missing(quote(name))),
      ...shipped.map((name) => words.shipped(quote(name))),
      ...(untaken ? [words.untaken(untaken.step)] : []),
      ...(view.lesson === undefined ? [] : [words.lesson]), words.page],
    beside: tooMany.filter(({ large }) => large).map(({ name }) => name),
    file: tooMany.length > 0, weights: packed.length + tooMany.length > 0, waiting,
  };
}
