// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Doc } from '../engine/types.ts';

/** What a training of the reader's came to: what lessons ask for. */
export interface Trained {
  document: Doc;
  /** When it began, in milliseconds since 1970. */
  begun: number;
  step: number;
  accuracy: number;
  exact: number;
  heldOutLoss: number;
  alignment?: number;
  agrees?: number;
  /** Of the pinned example's rows that mean something, the share that looks there most. */
  pinned?: number;
}

/** How much of the answers to longer and longer questions a trained model gets right. */
export interface Lengths {
  document: Doc;
  /** Lengths up to here are close to those in training. */
  near?: number;
  /** `heldOut`: so many held-out examples of that length were answered. */
  points: { length: number; accuracy: number; heldOut?: number }[];
}

/** What was learned where one trains, and is no part of the page's document yet. */
export interface Untaken {
  step: number;
  /** What was trained. */
  document: Doc;
  /** Puts it into the document. */
  take(): Promise<void>;
}

/** A training from the first step; where a pace is given, it runs at once and keeps that pace. */
export interface Begin {
  pace?: number;
}

/** The place where one trains tells the rest of the page here what was learned. */
export class Learned {
  readonly runs = signal<readonly Trained[]>([]);
  /** How many parts of the model under way were taken away and measured. */
  readonly tried = signal(0);
  /** How many measures the model under way answered itself. */
  readonly asked = signal(0);
  /** Whether the training under way has maps that a lecture can show. */
  readonly mapped = signal(false);
  readonly untaken = signal<Untaken | undefined>(undefined);
  readonly lengths = signal<readonly Lengths[]>([]);
  /** Set when the page's document is to be trained from its first step; the place where one trains clears it. */
  readonly begins = signal<Begin | undefined>(undefined);
}
