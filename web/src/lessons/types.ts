// SPDX-License-Identifier: Apache-2.0
import type { Doc, Group, Json, Target } from '../engine/types.ts';

/** What is taken from the numbers. */
export const WHATS = ['max', 'size', 'min', 'mean', 'sum', 'zeros', 'negatives', 'positives', 'spread', 'entropy',
  'count', 'change', 'moved', 'diagonal', 'asymmetry', 'columns', 'hull', 'fewest', 'keys', 'path',
  'columnForm', 'unseen', 'withoutUnseen', 'convolution', 'costAttention', 'costRecurrent', 'costConvolution'] as const;

/** A number taken from a computed tensor, or with `*` from all of a group. Head, rows and columns not given: all. */
export interface Measure {
  of: string;
  group?: Group;
  what: (typeof WHATS)[number];
  head?: number;
  rows?: [from: number, to: number];
  cols?: [from: number, to: number];
  /** The first row and column of these tokens, in place of their numbers. */
  row?: string;
  col?: string;
  /** Taken when the step began. */
  then?: boolean;
}

export const SIGNS = ['<', '<=', '>', '>=', '=', '!='] as const;
export type Sign = (typeof SIGNS)[number];

/**
 * An answer that the reader gives: a place in the step's `choices`, from 0; a number, which may be off by `within`; or
 * one of these words.
 */
export type Answered = { chosen: number } | { typed: number | Measure; within: number } | { word: readonly string[] };

/** When a step counts as done: looked at after every change of the page. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { measure: Measure; is: Sign; than: number | Measure }
  | { path: string; is: Sign; than: number }
  | { path: string; type: string }
  | { path: string; equals: Json }
  | { list: string; holds: string }
  | { tokens: 'same' | 'other' | 'shuffled' | readonly string[]; input?: string }
  | { held: string; cell?: number[]; value?: number }
  | { view: string }
  /** This head of this module is shown large. */
  | { head: [module: string, head: number] }
  | { stage: string }
  | { table: string }
  | { changed: string }
  | { undone: true }
  /** What the reader's own training came to: the newest since the lesson began, or the newest that holds something. */
  | { trained: Came; is: Sign; than: number | (Holds & { plus: number }); where?: Holds }
  /** So many parts were taken away, and what is lost was measured. */
  | { tried: number }
  /** So many measures were asked of the model itself. */
  | { asked: number }
  | Answered
  /**
   * At the greatest length measured, so many runs with `byLength` are right more often than as many with `over`, on
   * average by `plus`.
   */
  | { byLength: Holds; over: Holds; plus: number; runs: number };

/** A number of a training. */
export const CAME = ['step', 'accuracy', 'exact', 'alignment', 'agrees', 'heldOutLoss', 'pinned'] as const;
export type Came = (typeof CAME)[number];
/** A training whose document has this there. */
export type Holds = { path: string; type: string };

export interface Words {
  title: string;
  /** What people search for who do not know these words. */
  also?: string;
  /** One for each step: what to know, what to do, what was seen; answers to choose from, and help after a wrong one. */
  steps: { say: string; do: string; done: string; choices?: string[]; hint?: string }[];
  /** Labels of what is measured, in the order of `show`. */
  show?: string[];
}

export interface Lesson {
  id: string;
  chapter: string;
  order: number;
  /** Not given: the page's example. */
  document?: Doc;
  lock?: Target;
  show?: Measure[];
  /** Numbers in the sentences about what was seen: "{0}" is the first of these, as it is now. */
  said?: Measure[];
  /** It reads the real model: there is no lesson where that does not ship. */
  model?: true;
  /** The place where it is done, if it is another than where one looks. */
  place?: 'train';
  /**
   * Where to look: a part of the page that is outlined. `document`: what stands there from this step on. `sources`: the
   * mechanisms and systems whose papers the step is about, by their ids.
   */
  steps: { until: Condition; document?: Doc; at?: 'inputs' | 'controls' | 'flow' | 'card' | 'steps';
    sources?: string[] }[];
  text: Record<string, Words>;
}
