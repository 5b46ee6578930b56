// SPDX-License-Identifier: Apache-2.0
// The moments that a training has by itself, from what it showed so far.
import type { History } from '../train/history.ts';
import type { Measured } from '../train/messages.ts';

const SHARES = [0.25, 0.5, 0.75, 0.9] as const;
/** A checkpoint so near another moment, as a share of all steps, shows nothing new. */
const NEAR = 0.02;

/** Why a step is a moment. */
export type Reason = { kind: 'before' | 'after' | 'checkpoint' } | { kind: 'accuracy' | 'alignment'; share: number };

export interface Milestone {
  step: number;
  /** Several things may have happened at one step. */
  reasons: Reason[];
}

// A share that is there from the start was not reached by learning.
function reached(measured: readonly Measured[], kind: 'accuracy' | 'alignment'): [number, Reason][] {
  return SHARES.flatMap((share): [number, Reason][] => {
    const at = measured.findIndex((one) => (one[kind] ?? 0) >= share);
    return at > 0 ? [[measured[at]!.step, { kind, share }]] : [];
  });
}

/** Where one step reached two shares at once, the larger one says it. */
function largest(reasons: Reason[]): Reason[] {
  return reasons.filter((one) => !('share' in one)
    || !reasons.some((other) => 'share' in other && other.kind === one.kind && other.share > one.share));
}

/** Before, the steps at which shares were first reached, checkpoints between, and after; `now`: the newest step. */
export function milestones({ measured, checkpoints }: Pick<History, 'measured' | 'checkpoints'>,
  now: number): Milestone[] {
  const at = new Map<number, Reason[]>();
  const note = (step: number, reason: Reason) => at.set(step, [...(at.get(step) ?? []), reason]);
  note(0, { kind: 'before' });
  for (const kind of ['accuracy', 'alignment'] as const)
    for (const [step, reason] of reached(measured, kind)) if (step <= now) note(step, reason);
  if (now > 0) note(now, { kind: 'after' });
  for (const { step } of checkpoints) {
    const near = [...at.keys()].some((other) => Math.abs(other - step) <= now * NEAR);
    if (step <= now && !near) note(step, { kind: 'checkpoint' });
  }
  return [...at].map(([step, reasons]) => ({ step, reasons: largest(reasons) })).toSorted((a, b) => a.step - b.step);
}
