// SPDX-License-Identifier: Apache-2.0
// Counts and times over the number of words, of a form and of softmax attention in its place.
import { grown } from '../cost/grow.ts';
import { LONGEST, type Sample, SEEDS, timed } from '../cost/measure.ts';
import type { Client } from '../engine/client.ts';
import type { Cost, Directory, Doc, Failure } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { isModel, membersOf } from '../state/model.ts';

export const SIZES: readonly number[] = Array.from({ length: 9 }, (_, k) => 64 * 2 ** k);

export interface Count extends Cost {
  n: number;
}

export interface Grown {
  counts: Count[];
  times: Sample[];
  /** What the smallest size takes if every map is kept, as a table of parts counts it. */
  kept?: Count;
  /** What a measured run of the smallest size takes: it also computes the maps on the way that the page can show. */
  measured?: Count;
  /** Why there are no larger sizes, where the engine says so. */
  refused?: { n: number; message: string };
  /** Times end here because a run took long, not because the sizes do. */
  long?: number;
}

/** What of a document is computed: its context, of a model what each module gives; and for counting something cheap. */
export interface Wanted {
  cheap: string | undefined;
  whole: readonly string[];
}

// A larger model has no losses, and so no results of theirs.
const thereIn = (document: Doc, names: readonly string[]): string[] => (isModel(document)
  ? names.filter((one) => membersOf(document).some(({ name }) => one.startsWith(`${name}.`))) : [...names]);

function asking(document: Doc, names: readonly string[]): string {
  const outputs = thereIn(document, names);
  return JSON.stringify(outputs.length === 0 ? document : { ...document, outputs });
}

/** Counts at every size: known from shapes, so that hardly anything is computed for them. */
export async function count(client: Client, book: Book, document: Doc, wanted: Wanted, into: Grown,
  tell: () => void): Promise<boolean> {
  const cheap = wanted.cheap === undefined ? [] : [wanted.cheap];
  for (const n of SIZES) {
    const answer = await client.send(
      { kind: 'run', document: asking(grown(book, document, n, SEEDS[0]!), cheap) });
    if (!answer) return false;
    const directory = JSON.parse(answer.text) as Directory | Failure;
    if (!directory.ok) {
      into.refused = { n, message: directory.error.message };
      break;
    }
    into.counts.push({ n, ...(directory.cost.model ?? directory.cost.context ?? directory.cost) });
    tell();
  }
  return into.counts.length === 0 || keptCount(client, grown(book, document, SIZES[0]!, SEEDS[0]!), wanted, into, tell);
}

// Where the context alone is asked for, the engine merges operations, so that fewer are counted.
async function keptCount(client: Client, document: Doc, wanted: Wanted, into: Grown,
  tell: () => void): Promise<boolean> {
  const { gradient: _, outputs: _all, ...whole } = document as Doc & { gradient?: unknown; outputs?: unknown };
  for (const [which, text] of [['measured', asking(whole, wanted.whole)],
    ['kept', JSON.stringify(whole)]] as const) {
    const answer = await client.send({ kind: 'run', document: text });
    if (!answer) return false;
    const directory = JSON.parse(answer.text) as Directory | Failure;
    if (directory.ok) into[which] = { n: SIZES[0]!, ...directory.cost };
  }
  tell();
  return true;
}

// Up to this factor a run does what was counted.
const NEAR = 1.25;

/** Whether a measured run computes much more than what is counted: maps that the page can show, as under a mask. */
export const runsMore = ({ counts: [first], measured }: Grown): boolean =>
  first !== undefined && measured !== undefined && measured.multiply_adds > NEAR * first.multiply_adds;

/** Times doubling sizes until one takes long or is refused; false when the client was closed meanwhile. */
export async function time(client: Client, book: Book, document: Doc, wanted: Wanted, into: Grown,
  tell: () => void): Promise<boolean> {
  for (const n of SIZES) {
    const documents = SEEDS.map((seed) => asking(grown(book, document, n, seed), wanted.whole));
    const found = await timed(client, documents);
    if (!found) return false;
    if ('ok' in found) {
      into.refused ??= { n, message: found.error.message };
      return true;
    }
    into.times.push({ n, ...found });
    tell();
    if (found.ms > LONGEST) {
      if (n !== SIZES.at(-1)) into.long = n;
      return true;
    }
  }
  return true;
}
