// SPDX-License-Identifier: Apache-2.0
// Whether the machine does other work, by what Linux counts.
import { readFileSync } from 'node:fs';

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The share of the processors' time that is used, between two readings of /proc/stat. */
export function share(before, after) {
  const times = (text) => text.split('\n')[0].trim().split(/\s+/).slice(1, 9).map(Number);
  const [a, b] = [times(before), times(after)];
  const spent = b.map((x, i) => x - a[i]);
  const all = spent.reduce((sum, x) => sum + x, 0);
  return all === 0 ? 0 : 1 - (spent[3] + spent[4]) / all; // idle, and waiting for a disk
}

const read = () => readFileSync('/proc/stat', 'utf8');
const enough = 0.2;

/** Waits for a moment in which nothing else runs; false when there was none within so many seconds. */
export async function quiet(seconds) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const before = read();
    await sleep(80);
    if (share(before, read()) < enough) return true;
    if (Date.now() >= end) return false;
    await sleep(120);
  }
}
