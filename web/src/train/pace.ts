// SPDX-License-Identifier: Apache-2.0
// How fast a window trains, by its reader's choice: a reload goes on at the same pace.
/** Steps a second while one watches; 0 is as fast as it goes. */
export const PACES = [10, 40, 120, 0] as const;

const KEY = 'attention-playground.pace';
const USUAL = 120;

/** The pace that was chosen last in this window. */
export function paceChosen(): number {
  try {
    const kept = sessionStorage.getItem(KEY);
    const pace = kept === null ? USUAL : Number(kept);
    return PACES.some((one) => one === pace) ? pace : USUAL;
  } catch {
    return USUAL;
  }
}

export function choosePace(pace: number): void {
  try {
    sessionStorage.setItem(KEY, String(pace));
  } catch {
    // Where nothing can be kept, a reload trains at the usual pace.
  }
}

/** Minutes and seconds: 3:07. */
export function asTime(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
