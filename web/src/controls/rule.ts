// SPDX-License-Identifier: Apache-2.0
import type { Directory, Json, Knob, KnobRule } from '../engine/types.ts';

/** Whether a value keeps a rule, `of` being the number that the rule names. */
export function keeps({ relation }: KnobRule, value: number, of: number): boolean {
  switch (relation) {
    case 'divides': return value > 0 && of % value === 0;
    case 'multiple_of': return value > 0 && of > 0 && value % of === 0;
    case 'at_most': return value <= of;
  }
}

/** What the engine takes where the document says nothing: the largest up to the default that keeps the rule. */
export function keptDefault(knob: Knob, of: number | undefined): Json | undefined {
  if (!knob.rule || of === undefined || typeof knob.default !== 'number') return knob.default;
  if (keeps(knob.rule, knob.default, of)) return knob.default;
  if (knob.rule.relation === 'at_most') return of;
  if (knob.rule.relation === 'multiple_of') return Math.max(1, Math.floor(knob.default / of)) * of;
  return wholeNumbers(1, knob.default).filter((value) => keeps(knob.rule!, value, of)).at(-1) ?? 1;
}

export const wholeNumbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor(to) - Math.ceil(from) + 1) }, (_, k) => Math.ceil(from) + k);

/** A rule between this knob and another: its own, or one of the other's that names this knob. */
export interface Tie {
  rule: KnobRule;
  /** The number on the rule's other side. */
  other: number;
  /** The rule is the other knob's. */
  back: boolean;
}

const holds = ({ rule, other, back }: Tie, value: number): boolean =>
  (back ? keeps(rule, other, value) : keeps(rule, value, other));

/** The whole numbers of a slider that keep every rule; undefined where it is free. */
export function offered(knob: Knob, ties: readonly Tie[]): number[] | undefined {
  if (ties.length === 0 || knob.type !== 'integer') return undefined;
  const kept = wholeNumbers(knob.minimum ?? 0, knob.maximum ?? 1)
    .filter((value) => ties.every((tie) => holds(tie, value)));
  return kept.length === 0 ? undefined : kept;
}

/** The one that lies nearest; of two as near the smaller. */
export const nearest = (values: readonly number[], wanted: number): number =>
  values.reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best));

/** The next one above or below. */
export const beside = (values: readonly number[], from: number, up: boolean): number =>
  (up ? values.find((value) => value > from) : values.findLast((value) => value < from)) ?? from;

/** How long the axis of this symbol is in a result. */
export function sizeOf(directory: Directory | undefined, symbol: string): number | undefined {
  for (const { axes, shape } of directory?.tensors ?? []) {
    const at = axes.indexOf(symbol);
    if (at >= 0) return shape[at];
  }
  return undefined;
}
