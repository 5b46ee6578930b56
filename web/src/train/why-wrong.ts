// SPDX-License-Identifier: Apache-2.0
// Why a training that has ended left many answers wrong, as far as its own numbers tell.
import { html, nothing } from 'lit';
import { get } from '../engine/pointer.ts';
import { fixed } from '../strings/numerals.ts';
import { percent } from './curves.ts';
import type { Measured, Step, TrainingDocument } from './messages.ts';
import type { Training } from './training.ts';
import { words } from './words.ts';

// From here on a task counts as learned.
const ENOUGH = 0.9;
// Of the last steps this share says how well training examples are answered; a single batch says little.
const LAST = 0.1;
// What knows its examples by heart has less than half of the loss on them.
const HALF = 0.5;

/** `dropped`: parts of the examples are hidden; `memorised`: only those are known; `unfound`: not even those are. */
export interface Verdict {
  kind: 'dropped' | 'memorised' | 'unfound';
  accuracy: number;
  /** Over training examples, and over held-out ones. */
  loss: number;
  heldOut: number;
  steps: number;
}

const dropoutsOf = (document: TrainingDocument): ('dropout' | 'wordDropout')[] =>
  ([['dropout', '/training/dropout'], ['wordDropout', '/training/word-dropout']] as const)
    .filter(([, path]) => Number(get(document, path) ?? 0) > 0).map(([name]) => name);

/** What the numbers of a training say; undefined where most answers are right. */
export function verdictOf(document: TrainingDocument, steps: readonly Step[], last: Measured | undefined):
  Verdict | undefined {
  const recent = steps.slice(-Math.max(1, Math.round(steps.length * LAST)));
  if (!last || last.accuracy >= ENOUGH || recent.length === 0) return undefined;
  const loss = recent.reduce((sum, one) => sum + one.loss, 0) / recent.length;
  const kind = loss < HALF * last.heldOutLoss ? 'memorised' : dropoutsOf(document).length > 0 ? 'dropped' : 'unfound';
  return { kind, accuracy: last.accuracy, loss, heldOut: last.heldOutLoss, steps: last.step };
}

/** The same as a sentence, for a training that has ended. */
export function unlearned(training: Training): unknown {
  // Before anything began there is no document.
  if (training.phase !== 'finished') return nothing;
  const { trained, history, lastMeasured } = training;
  const verdict = verdictOf(trained, history.steps, lastMeasured);
  if (!verdict) return nothing;
  const { kind, accuracy, loss, heldOut, steps } = verdict;
  const told = words().unlearned;
  const numbers = [fixed(loss, 2), fixed(heldOut, 2)] as const;
  const why = kind === 'unfound' ? told.unfound(...numbers, steps) : kind === 'memorised' ? told.memorised(...numbers)
    : told.dropped(dropoutsOf(trained).map((name) => words()[name]), ...numbers);
  return html`<p class="note" role="status" data-part="unlearned">${told.share(percent(accuracy))} ${why}</p>`;
}
