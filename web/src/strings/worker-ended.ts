// SPDX-License-Identifier: Apache-2.0
import type { Ended } from '../engine/line.ts';
import { strings } from './en.ts';
import { quote, withQuotes } from './quote.ts';

/** What the page says of a worker that ended without being asked to. */
export const endedIn = ({ why, message }: Ended): unknown =>
  (why === 'unloaded' ? strings.lost : withQuotes(strings.crashed(quote(message))));
