// SPDX-License-Identifier: Apache-2.0
import { own } from '../strings/engine.ts';
import { phrase } from '../strings/quote.ts';
import type { Book } from './catalogue.ts';

/** A document's title in the reader's words: a mechanism's own document has the name of the mechanism. */
export const titleCalled = ({ catalogue }: Book, title: string): string =>
  catalogue.mechanisms.find((one) => own(one).title === title)?.title ?? phrase(title);
