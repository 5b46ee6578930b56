// SPDX-License-Identifier: Apache-2.0
// Counts and times of a document over the number of words.
import { grown } from '../cost/grow.ts';
import type { Client } from '../engine/client.ts';
import type { Timed } from '../engine/timing.ts';
import type { Cost, Directory, Doc, Failure, Located } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { isModel, membersOf } from '../state/model.ts';

/** What is counted needs no run, so that it goes further than what is timed. */
export const SIZES: readonly number[] = Array.from({ length: 11 }, (_, k) => 64 * 2 ** k);
const TIMED = 16_384;
export const timedSizes = (sizes: readonly number[]): readonly number[] => sizes.filter((n) => n <= TIMED);
/** A size that takes longer than this is the last: the next would take four times as long, or more. */
const LONGEST = 300;
/** No run reuses the numbers of the one before. */
const SEEDS = [1, 2, 3];

export interface Sample extends Timed {
  n: number;
}

export interface Count extends Cost {
  n: number;
}

export interface Grown {
  sizes: readonly number[];
  counts: Count[];
  times: Sample[];
  /** What the smallest size takes if every map is kept, as a table of parts counts it. */
  kept?: Count;
  /** What a measured run of the smallest size takes: it also computes the maps on the way that the page can show. */
  measured?: Count;
  /** Why there are no larger sizes, where the engine says so. */
  refused?: { n: number; message: string };
  /** The same of sizes that are only counted. */
  uncounted?: { n: number; message: string };
  /** Times end here because a run took long, not because the sizes do. */
  long?: number;
}

export const nothingYet = (sizes = SIZES): Grown => ({ sizes, counts: [], times: [] });

/**
 * What of a document is computed: its context, of a model what each module gives, or without names everything; and for
 * counting something cheap.
 */
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
  for (const n of into.sizes) {
    const answer = await client.send(
      { kind: 'run', document: asking(grown(book, document, n, SEEDS[0]!), cheap) });
    if (!answer) return false;
    const directory = JSON.parse(answer.text) as Directory | Failure;
    if (!directory.ok) {
      into[n > TIMED ? 'uncounted' : 'refused'] = { n, message: directory.error.message };
      break;
    }
    into.counts.push({ n, ...(directory.cost.model ?? directory.cost.context ?? directory.cost) });
    tell();
  }
  return into.counts.length === 0
    || keptCount(client, grown(book, document, into.sizes[0]!, SEEDS[0]!), wanted, into, tell);
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
    if (directory.ok) into[which] = { n: into.sizes[0]!, ...directory.cost };
  }
  tell();
  return true;
}

// Up to this factor a run does what was counted.
const NEAR = 1.25;

/** Whether a measured run computes much more than what is counted: maps that the page can show, as under a mask. */
export const runsMore = ({ counts: [first], measured }: Grown): boolean =>
  first !== undefined && measured !== undefined && measured.multiply_adds > NEAR * first.multiply_adds;

type Found = Timed | { ok: false; error: Located };

async function timedOnce(client: Client, documents: string[]): Promise<Found | undefined> {
  const answer = await client.send({ kind: 'time', documents });
  return answer && (JSON.parse(answer.text) as Found);
}

// Of what took long the faster of two: something else may have held the machine up.
async function timed(client: Client, documents: string[]): Promise<Found | undefined> {
  const found = await timedOnce(client, documents);
  if (!found || 'ok' in found || found.ms <= LONGEST) return found;
  const again = await timedOnce(client, documents);
  if (!again || 'ok' in again) return again;
  const [best, other] = again.ms > found.ms ? [found, again] : [again, found];
  return { ...best, slowest: other.ms };
}

/** Times doubling sizes until one takes long or is refused; false when the client was closed meanwhile. */
export async function time(client: Client, book: Book, document: Doc, wanted: Wanted, into: Grown,
  tell: () => void): Promise<boolean> {
  const documents = (n: number) => SEEDS.map((seed) => asking(grown(book, document, n, seed), wanted.whole));
  // A run before the first point is thrown away: the engine has just started, and its code is still being compiled.
  await timedOnce(client, documents(into.sizes[0]!).slice(0, 1));
  const sizes = timedSizes(into.sizes);
  for (const n of sizes) {
    const found = await timed(client, documents(n));
    if (!found) return false;
    if ('ok' in found) {
      into.refused ??= { n, message: found.error.message };
      return true;
    }
    into.times.push({ n, ...found });
    tell();
    if (found.ms > LONGEST) {
      if (n !== sizes.at(-1)) into.long = n;
      return true;
    }
  }
  return true;
}
