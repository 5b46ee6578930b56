// SPDX-License-Identifier: Apache-2.0
// What is said of a trained system: sentences whose numbers were all measured, good or bad.
import { mapCalled } from '../directory/map-called.ts';
import { maximum } from '../lists.ts';
import { fixed, whole } from '../strings/numerals.ts';
import { phrase } from '../strings/quote.ts';
import type { Hops, Learned, LearnedMap, OtherSeed, Position, Told } from './types.ts';
import { words } from './words.ts';

/** Above the first a map is said to show where an answer comes from, below the second that it does not. */
const GOOD = 0.8;
const POOR = 0.5;
/** A map has to find this much more often than the untrained one does. */
const MORE = 0.1;
/** So much worse than on held-out examples, longer sources are a failure. */
const WORSE = 0.05;

// What is not quite all is not rounded to all.
export const percent = (share: number): string =>
  words().percent(share > 0.99 && share < 1 ? fixed(Math.min(100 * share, 99.9), 1) : fixed(100 * share, 0));

export const kilobytes = (bytes: number): string => whole(Math.round(bytes / 1000));

export type Verdict = 'shows' | 'often' | 'not';

export const verdictOf = ({ share, untrained }: Pick<LearnedMap, 'share' | 'untrained'>): Verdict =>
  (share < POOR || share < untrained + MORE ? 'not' : share < GOOD ? 'often' : 'shows');

/** "block-2.attention.weights" is a map of the module "block-2.attention", and "hops.weights.0" one of "hops". */
export const moduleNamed = (map: string): string => map.replace(/\.[^.]+(\.\d+)?$/, '');

/** What its map shows, on the pinned example and on held-out ones. */
export function mapSentences({ map, hops }: Pick<Told, 'map' | 'hops'>): string[] {
  const say = words();
  if (!map) return [say.noMap];
  const { pinned, heads, head, reading, query = 0, share, untrained, examples, features, guided } = map;
  const here = heads > 1 ? say.inHead(mapCalled(map.map), head + 1) : say.inMap(mapCalled(map.map));
  const at = features ? say.overFeatures(here) : here;
  const place = ({ word, at: position }: Position) =>
    (word === undefined ? say.region(position) : say.position(word, position));
  const row = reading === 'row' ? say.row(query + 1) : say.rows[reading];
  const example = pinned && say.example(at, row, pinned.word, percent(pinned.meant.weight),
    place(pinned.meant));
  const elsewhere = pinned && !pinned.right
    ? say.elsewhere(percent(pinned.most.weight), place(pinned.most)) : undefined;
  const verdicts = reading === 'compared' ? say.comparing : say.verdicts;
  const described = hops ? byHops(hops)
    : [verdicts[verdictOf(map)], example, elsewhere, say.often(examples, percent(share), percent(untrained))];
  return [...described, guided ? say.guided : undefined].filter((one) => one !== undefined);
}

// Where an answer needs two facts, one map alone cannot show where it comes from: each hop is told of.
function byHops({ examples, each }: Hops): string[] {
  const say = words();
  const shares = each.map(({ second }) => second);
  const answering = shares.indexOf(maximum(shares));
  const verdict = verdictOf({ share: shares[answering] ?? 0, untrained: 0 });
  return [verdict === 'not' ? say.lastHop.not : say.lastHop[verdict](answering + 1), say.twoFacts(examples),
    ...each.map(({ first, second }, hop) => say.hop(hop + 1, percent(first), percent(second)))];
}

/** So many tokens beyond the right answer are shown of one that is longer. */
const BEYOND = 4;

type Measured = Pick<Told, 'measured' | 'wrong' | 'longer'>;

const wrongCount = ({ measured: { heldOut, exact } }: Measured): number => Math.round(heldOut * (1 - exact));

/** What it fails at: held-out examples, or sizes that it did not learn. */
export function failures(told: Measured): ('examples' | 'beyond')[] {
  const { measured: { accuracy }, longer } = told;
  return [wrongCount(told) > 0 ? 'examples' as const : undefined,
    longer?.accuracy !== undefined && longer.accuracy < accuracy - WORSE ? 'beyond' as const : undefined]
    .filter((one) => one !== undefined);
}

// What goes on and on is cut.
const short = (list: string[], right: number): string =>
  (list.length > right + BEYOND ? [...list.slice(0, right + BEYOND), '…'] : list).join(' ');

/** Where it fails. */
export function fails(told: Measured): string[] {
  const say = words();
  const { measured: { heldOut }, wrong, longer } = told;
  const count = wrongCount(told), at = failures(told);
  const far = longer?.accuracy === undefined ? undefined
    : { ...longer, title: phrase(longer.title ?? longer.knob), right: percent(longer.accuracy) };
  const beyond = far && at.includes('beyond') ? say.longer(far.title, far.tried, far.learned, far.right) : undefined;
  const mistake = !at.includes('examples') ? undefined : wrong?.source
    ? say.wrong(count, heldOut, wrong.source.join(' '), short(wrong.written, wrong.right.length), wrong.right.join(' '))
    : say.wrongCount(count, heldOut);
  if (beyond ?? mistake) return [mistake, beyond].filter((one) => one !== undefined);
  return [say.none(heldOut), far && say.longerToo(far.title, far.tried, far.learned, far.right)]
    .filter((one) => one !== undefined);
}

/** Of so many trainings from other seeds, this share has to come out the same. */
const HOLDS = 0.75;

/**
 * Whether a training from another seed gets about as much right, and what is told of the map holds of its own: which
 * fact each hop reads, or how much the map shows.
 */
function isSame({ accuracy, share, untrained, hops: theirs }: OtherSeed,
  { measured, map, hops }: Pick<Told, 'measured' | 'map' | 'hops'>): boolean {
  if (accuracy < measured.accuracy - WORSE) return false;
  if (hops) return theirs !== undefined && factsRead(theirs) === factsRead(hops);
  return !map || (share !== undefined && untrained !== undefined && verdictOf({ share, untrained }) === verdictOf(map));
}

// Which fact each hop nearly always reads.
const factsRead = ({ each }: Hops): string =>
  each.map(({ first, second }) => (first >= GOOD ? 'first' : second >= GOOD ? 'second' : 'neither')).join(' ');

/** Whether it holds for other seeds, or that none was tried. */
export function bySeeds(told: Pick<Told, 'measured' | 'map' | 'seeds' | 'hops'>): string {
  const say = words(), { seeds = [], hops, map } = told;
  if (seeds.length === 0) return say.oneSeed;
  const same = seeds.filter((one) => isSame(one, told)).length;
  const by = hops ? 'hops' : map ? 'map' : 'none';
  return same < HOLDS * seeds.length ? say.seedsDiffer(same, seeds.length, by)
    : say.seedsAgree(same, seeds.length, by);
}

/** In a list: how much is right, and how large it is. */
export const inShort = ({ measured, bytes }: Pick<Learned, 'measured' | 'bytes'>): string =>
  words().short(percent(measured.accuracy), kilobytes(bytes));
