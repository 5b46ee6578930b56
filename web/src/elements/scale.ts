// SPDX-License-Identifier: Apache-2.0
// The one rule of colour scales: a sequential scale never holds numbers below zero, and a signed one is symmetric.
import { onLegend } from '../colour/numbers.ts';
import { type Domain, goesBelow, type Kind } from '../colour/scale.ts';
import { fixed } from '../strings/numerals.ts';

export interface Scale {
  kind: Kind;
  domain: Domain;
}

/** The scale that is drawn where this one is asked for. */
export function scaleFor(kind: Kind, domain: Domain): Scale {
  const [low, high] = domain;
  const reach = Math.max(Math.abs(low), Math.abs(high));
  if (kind === 'light') return { kind, domain };
  if (kind === 'signed' || goesBelow(low, high)) {
    const symmetric = kind === 'signed' && low === -high;
    return { kind: 'signed', domain: symmetric ? domain : [-reach, reach] };
  }
  // What rounding leaves below zero is zero.
  return { kind, domain: low < 0 ? [0, high] : domain };
}

/** Where a legend writes numbers: both ends, and zero when it lies between them. */
export function ticks([low, high]: Domain): { at: number; text: string }[] {
  const marks = [{ at: 0, text: onLegend(low) }];
  if (low < 0 && high > 0) marks.push({ at: -low / (high - low), text: '0' });
  marks.push({ at: 1, text: high === 1 && low === 0 ? fixed(1, 2) : onLegend(high) });
  return marks;
}
