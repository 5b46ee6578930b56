// SPDX-License-Identifier: Apache-2.0
// How fast a window trains, by its reader's choice: a reload goes on at the same pace.
import { keepText, recalled } from '../engine/stored.ts';

/** Steps a second while one watches; 0 is as fast as it goes. */
export const PACES = [10, 40, 120, 0] as const;

const KEY = 'attention-playground.pace';
const USUAL = 120;

/** The pace that was chosen last in this window. */
export function paceChosen(): number {
  const pace = Number(recalled(KEY, 'sessionStorage') ?? USUAL);
  return PACES.some((one) => one === pace) ? pace : USUAL;
}

/** Where nothing can be kept, a reload trains at the usual pace. */
export const choosePace = (pace: number): unknown => keepText(KEY, String(pace), 'sessionStorage');

/** Minutes and seconds: 3:07. */
export function asTime(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
