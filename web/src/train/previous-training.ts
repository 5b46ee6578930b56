// SPDX-License-Identifier: Apache-2.0
import type { Ended, Line } from '../engine/line.ts';
import type { History } from './history.ts';
import type { Begun, News, Order } from './messages.ts';

/** Hears what comes over a line. */
export interface Ear {
  heard: (news: News) => void;
  ended: (how: Ended) => void;
}

/** A training that was left, as long as it may be come back to. */
export interface Before {
  line: Line<Order> | undefined;
  ear: Ear | undefined;
  history: History;
  now: number;
  document: string;
  begun: Begun | undefined;
  failure: string | undefined;
  /** What it said meanwhile: the last steps before its pause. */
  missed: News[];
  ended: Ended | undefined;
}
