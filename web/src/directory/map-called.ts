// SPDX-License-Identifier: Apache-2.0
import { moduleCalled, nameFromOne } from '../strings/counted.ts';

/** What the structure calls the part that a map is of: "block 2" for `block-2.attention.weights`. */
export const mapCalled = (map: string): string => moduleCalled(map.replace(/(\.attention)?\.weights/, ''))
  .replace(/\.(\d+)$/, ' $1');

/** The same of several maps: two of one part keep their whole names. */
export function mapsCalled(maps: readonly string[]): string[] {
  const called = maps.map(mapCalled);
  return called.map((one, k) => (called.filter((other) => other === one).length > 1 ? nameFromOne(maps[k]!) : one));
}
