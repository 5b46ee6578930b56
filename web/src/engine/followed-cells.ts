// SPDX-License-Identifier: Apache-2.0
import { append } from '../lists.ts';
import type { Explanation, Feed } from './types.ts';

export type Ask = (tensor: string, index: number[]) => Promise<Explanation | undefined>;

const DEPTH = 3;
const MOST_ASKED = 16;

const same = (a: number[] | undefined, b: number[]): boolean => a?.length === b.length && a.every((v, k) => v === b[k]);

/**
 * What to light up: the feeds, followed back through steps that have no matrix of their own in
 * the picture. `thorough` also asks for each cell of a step that is no elementwise one.
 */
export async function followed(feeds: Feed[], ask: Ask, thorough: boolean, depth = DEPTH): Promise<Feed[]> {
  const found: Feed[] = [];
  for (const feed of feeds) {
    const first = feed.cells[0];
    if (feed.group !== 'steps') found.push(feed);
    if (feed.group !== 'steps' || !first || depth === 0) continue;
    const inner = (await ask(feed.tensor, first))?.feeds ?? [];
    const alike = inner.filter(({ cells }) => cells.length === 1 && same(cells[0], first));
    let next = feed.cells.length === 1 ? inner : alike.map((f) => ({ ...f, cells: feed.cells }));
    if (thorough && feed.cells.length > 1 && feed.cells.length <= MOST_ASKED && alike.length === 0) {
      next = [...inner];
      for (const cell of feed.cells.slice(1)) append(next, (await ask(feed.tensor, cell))?.feeds ?? []);
    }
    append(found, await followed(next, ask, thorough, depth - 1));
  }
  return joined(found);
}

function joined(feeds: Feed[]): Feed[] {
  const by = new Map<string, Feed>();
  for (const feed of feeds) {
    const key = `${feed.group} ${feed.tensor}`;
    const old = by.get(key);
    by.set(key, old ? { ...old, cells: [...old.cells, ...feed.cells] } : feed);
  }
  // What many ways lead to is lit once.
  for (const [key, feed] of by) by.set(key,
    { ...feed, cells: [...new Map(feed.cells.map((cell) => [cell.join(), cell])).values()] });
  return [...by.values()];
}
