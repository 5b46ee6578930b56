// SPDX-License-Identifier: Apache-2.0
import type { Lecture } from '../state/lecture.ts';
import type { Carried } from './carried.ts';
import type { Common, Scene } from './scene.ts';

/** A named moment of a lecture. */
export interface Moment {
  name: string;
  /** The reader kept it, so it can be removed. */
  own: boolean;
  /** It has the name that the page gave it. */
  fixed?: true;
  /** Where it is, such as a step, besides its name. */
  where?: string;
}

/** Moments that came with a link or a file. What the reader kept in this browser is unchanged. */
export interface Brought {
  /** Keeps them in this browser behind the reader's own; false where there is no room for all. */
  keep(): boolean;
  putAway(): void;
}

/** What a lecture goes through. Whoever draws reads it in an effect: each member follows the page's signals. */
export interface Course {
  readonly moments: readonly Moment[];
  /** Which moment is shown; undefined between two moments. */
  readonly at: number | undefined;
  /** What is shown now; undefined while it is computed, or where there is nothing to show. */
  readonly scene: Scene | undefined;
  /** Why there is no scene, as a sentence. */
  readonly problem: string | undefined;
  /** What the pictures of all moments share. */
  readonly common: Common;
  /** What is shown, in the words of a live region and of the title. */
  readonly name: string;
  readonly heads: number;
  readonly modules: number;
  /** Whether the list is only proposed, since the reader kept no moment. */
  readonly proposed: boolean;
  /** Whether all kept moments can be removed at once. */
  readonly removesAll: boolean;
  /** Present where the moments came with a link or a file. */
  readonly brought: Brought | undefined;
  /** The same moments, and which map, head and moment of them are shown. */
  readonly shown: Lecture | undefined;
  go(at: number): void;
  /** The moment so many away; between two moments, the next one that way. */
  step(by: number): void;
  turnHead(by: number): void;
  turnModule(): void;
  /** Keeps what is shown, or what the page holds, as a moment: its name, or undefined where there are too many. */
  add(): string | undefined;
  rename(at: number, name: string): void;
  remove(at: number): void;
  close(): void;
  /** What of the lecture can leave the browser. */
  carried(): Promise<Carried>;
}
