// SPDX-License-Identifier: Apache-2.0
// How long a training takes, before it runs: computed from its steps and from the speed that tools/train_pace.mjs
// measured.
import { whole } from '../strings/numerals.ts';
import type { Paced, Told } from './types.ts';
import { words } from './words.ts';

const MINUTE = 60;

/** What is known of a training before it runs. */
export type Ahead = Pick<Told, 'steps'> & Paced;

/** How long it takes at the speed that was measured. */
export const secondsOf = ({ steps, perSecond }: Ahead): number | undefined =>
  (perSecond === undefined ? undefined : steps / perSecond);

/** What the button says: with the time, where a speed was measured. */
export function pressSaid(ahead: Ahead, again: boolean): string {
  const say = words();
  const train = again ? say.trainAgain : say.train;
  const seconds = secondsOf(ahead);
  if (seconds === undefined) return train;
  return say.trainFor(train, seconds > MINUTE ? say.minutes(Math.max(2, Math.round(seconds / MINUTE)))
    : say.seconds(Math.max(1, Math.round(seconds))));
}

/** What is said beside it: how many steps, at which speed, and whether that is longer than a minute. */
export function lastsSaid(ahead: Ahead): string {
  const say = words();
  const { steps, perSecond } = ahead;
  const seconds = secondsOf(ahead);
  if (seconds === undefined || perSecond === undefined) return say.lastsUnknown(steps);
  return (seconds > MINUTE ? say.lastsLong : say.lasts)(steps, whole(perSecond));
}
