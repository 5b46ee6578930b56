// SPDX-License-Identifier: Apache-2.0
// What the engine objects to at a knob, in the words of the page: it names knobs as documents do.
import type { Knob, Mechanism } from '../engine/types.ts';
import { words } from './knob-words.ts';

const RULE = /^(\S+) must (divide|be a multiple of|be at most) (\S+), which is (\S+) here; found \1 = (\S+); use (.+)$/;
const BOUNDS = new RegExp('^\\S+ must be (a whole number|a number)(?: (above|of at least) (\\S+?))?(?: and)?'
  + '(?: at most (\\S+?))?; found (\\S+)$');

// "1, 2, 4 or 8": only the words between the numbers are the language's.
const ways = (english: string): string =>
  english.replace(' or ', words().or).replace(' and so on', words().andSoOn);

/** The same as a sentence of the page; undefined where the engine says something else. */
export function inTitles(message: string, { title }: Knob, of: Mechanism | undefined): string | undefined {
  const text = message.replace(/\.$/, '');
  const rule = RULE.exec(text);
  if (rule) {
    const [, , relation, name, n, found, use] = rule as unknown as string[];
    const other = of?.knobs.find((one) => one.name === name)?.title ?? name!;
    if (relation === 'be at most') return words().atMost(title, other, n!, found!);
    const says = relation === 'divide' ? words().divides : words().multiple;
    return says(title, other, n!, found!, ways(use!));
  }
  const bounds = BOUNDS.exec(text);
  if (!bounds) return undefined;
  const [, kind, way, least, most, found] = bounds as unknown as (string | undefined)[];
  const whole = kind === 'a whole number';
  if (least === undefined) return most === undefined ? undefined : words().below(title, whole, most, found!);
  if (most === undefined) return (way === 'above' ? words().above : words().least)(title, whole, least, found!);
  return (way === 'above' ? words().aboveTo : words().between)(title, whole, least, most, found!);
}
