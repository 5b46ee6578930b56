// SPDX-License-Identifier: Apache-2.0
import { reasonOf } from '../state/choice-rescue.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { quote, said, withQuotes } from '../strings/quote.ts';

/** Why what is tried out cannot be used here: the reason of its entry, or the engine's without the name in front. */
export function unfitSaid({ trial: { refusal, error } }: Store): unknown {
  if (refusal !== undefined) return said(refusal);
  if (!error) return '';
  if (error.path.startsWith('/parameters')) return strings.menuNewPart;
  return withQuotes(strings.menuMisfit(quote(reasonOf(error.message))));
}
