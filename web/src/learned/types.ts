// SPDX-License-Identifier: Apache-2.0
import type { Thumbnail } from '../elements/thumbnail.ts';

/** A position of the source, counted from 0 as the page counts, its word, and the weight on it. */
export interface Position {
  at: number;
  /** Of an image there is none. */
  word?: string;
  weight: number;
}

/** How rows of a map belong to the answer: tools/train_gallery/maps.mjs. */
export type Reading = 'answer' | 'only' | 'last' | 'mean' | 'row' | 'compared';

/** The map that finds the meaning of the answer most often. */
export interface LearnedMap {
  /** The name of the tensor in the result. */
  map: string;
  heads: number;
  head: number;
  reading: Reading;
  /** Which row, where each row is a learned query (`row`). */
  query?: number;
  /** The weights differ by feature, and their mean over the features was read. */
  features?: boolean;
  /** How many held-out examples the shares are taken over; other examples chose the map. */
  examples: number;
  /** Share of rows whose largest weight is on a position that means the answer. */
  share: number;
  /** The same with the first weights, drawn from the seed. */
  untrained: number;
  /** The training itself rewarded weight on the right positions (`guide`). */
  guided?: boolean;
  /** A row of the pinned example: the word that it answers, what that means, and where the largest weight is. */
  pinned?: { row: number; word: string; meant: Position; most: Position; right: boolean };
}

/** Measures over held-out examples, as `attend train --measure` prints them. */
export interface Measured {
  heldOut: number;
  /** Share of words right. */
  accuracy: number;
  /** Share of answers right to the last word. */
  exact: number;
  heldOutLoss: number;
  alignment?: number;
  agrees?: number;
}

/** What data/learned.json holds of a system, without what only tests read. */
export interface Told {
  /** The id of its task. */
  task: string;
  /** The title of its task in English. */
  taskTitle: string;
  /** How many numbers were learned. */
  numbers: number;
  /** Of the file with the weights and the document. */
  bytes: number;
  steps: number;
  measured: Measured;
  map?: LearnedMap;
  /** A held-out example that it answers wrong, where there is one. */
  wrong?: { source?: string[]; written: string[]; right: string[] };
  /** Words right at another length than any that was learned; `refused` where the model takes no such length. */
  longer?: { knob: string; title?: string; learned: number; tried: number; accuracy?: number; refused?: string };
  /** Of questions that need two facts, how often each hop's largest weight is in the first one and in the second. */
  hops?: Hops;
  /** Trainings from other seeds, where some were tried. */
  seeds?: OtherSeed[];
}

/** Counted over questions that need two facts. */
export interface Hops {
  examples: number;
  each: { map: string; first: number; second: number }[];
}

/** What came out of the same training from another seed, where the map that shows most was chosen again. */
export interface OtherSeed {
  seed: number;
  accuracy: number;
  share?: number;
  untrained?: number;
  hops?: Hops;
}

/** How fast it trains: steps per second of processor time, as tools/train_pace.mjs measured the page's module. */
export interface Paced {
  perSecond?: number;
}

/** One that was trained and did not learn its task: its weights do not ship. */
export interface Tried extends Pick<Told, 'task' | 'taskTitle' | 'steps' | 'measured'>, Paced {
  /** The address of its document, where it ships: there are no weights that could hold it. */
  document?: string;
}

/** data/learned.json, by the ids of systems. */
export interface Record extends Told {
  /** Of the document that was trained. */
  of: string;
  /** It did not learn its task. */
  left?: boolean;
  losses: number[];
  /** The measures before the weights became bytes. */
  whole: Measured;
}

export interface Learned extends Told, Paced {
  /** The name by which a document asks for the weights. */
  weights: string;
  /** The map on the pinned example. */
  thumbnail: Thumbnail | undefined;
}
