// SPDX-License-Identifier: Apache-2.0
import type { Problem, Trainer } from './messages.ts';

/** In the worker: begins each document and ends it again; what is wrong with it, by id. */
export function problemsOf(engine: Trainer, trials: readonly (readonly [id: string, document: string])[]):
  Record<string, Problem> {
  const found: Record<string, Problem> = {};
  for (const [id, document] of trials) {
    const { session, error } = JSON.parse(engine.trainOpen(document, '')) as { session: number; error?: Problem };
    if (error) found[id] = error;
    else engine.trainClose(session);
  }
  return found;
}
