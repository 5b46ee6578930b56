// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { crowded, drawn, inTurn, isWaiting, limit, rank } from '../src/turns.ts';

const usual = limit.slice;
const next = () => new Promise((done) => setTimeout(done));
// No task has time for more than one piece.
beforeEach(() => void (limit.slice = 0));
afterEach(async () => {
  limit.slice = usual;
  while (isWaiting()) await next();
});

it('draws at once while a task has time, and one piece after the other in later tasks where it has none', async () => {
  expect(crowded()).toBe(true);
  const drawn: string[] = [];
  const all = ['one', 'two', 'three'].map((name) => inTurn(() => drawn.push(name)));
  await Promise.resolve();
  expect([drawn, isWaiting()]).toEqual([[], true]);
  await all[0];
  expect(drawn).toEqual(['one']);
  await Promise.all(all);
  expect([drawn, isWaiting()]).toEqual([['one', 'two', 'three'], false]);
  limit.slice = Infinity;
  expect(crowded()).toBe(false);
});

it('lets nobody overtake what waits, however much time there is', async () => {
  const drawn = inTurn(() => undefined);
  limit.slice = Infinity;
  expect(crowded()).toBe(true);
  await drawn;
  expect(crowded()).toBe(false);
});

it('draws the picture first, and what can wait once the browser has shown a frame', async () => {
  const drawn: string[] = [];
  let frame = false;
  const after = inTurn(() => drawn.push(frame ? 'after the frame' : 'before'), rank.after);
  requestAnimationFrame(() => (frame = true));
  const others = [inTurn(() => drawn.push('around'))];
  // The picture does not wait for the parts around it.
  limit.slice = Infinity;
  expect([crowded(), crowded(rank.picture)]).toEqual([true, false]);
  limit.slice = 0;
  others.push(inTurn(() => drawn.push('picture'), rank.picture));
  await Promise.all(others);
  expect([drawn, isWaiting()]).toEqual([['picture', 'around'], true]);
  await after;
  expect([drawn, isWaiting()]).toEqual([['picture', 'around', 'after the frame'], false]);
});

it('tells whoever waits of an error, and goes on', async () => {
  const broken = inTurn(() => {
    throw new Error('no picture');
  });
  const after = inTurn(() => 'drawn');
  await expect(broken).rejects.toThrow('no picture');
  expect(await after).toBe('drawn');
});

it('draws all that waits before the page is printed', () => {
  const drawn: number[] = [];
  for (const k of [1, 2, 3]) void inTurn(() => drawn.push(k));
  dispatchEvent(new Event('beforeprint'));
  expect([drawn, crowded()]).toEqual([[1, 2, 3], false]);
  dispatchEvent(new Event('afterprint'));
  expect(crowded()).toBe(true);
});

it('is told when a picture is drawn with all that it asked for meanwhile', async () => {
  const done: string[] = [];
  void inTurn(() => void done.push('picture'), rank.picture).then(() =>
    inTurn(() => void done.push('what it holds'), rank.picture));
  void inTurn(() => void done.push('around'));
  await drawn(rank.picture);
  expect(done).toEqual(['picture', 'what it holds']);
  await drawn(rank.around);
  expect(done).toEqual(['picture', 'what it holds', 'around']);
});

it('draws the picture in urgent tasks, and what is around it once the browser has shown it', async () => {
  const asked: string[] = [];
  vi.stubGlobal('scheduler', { postTask: (work: () => void, how: { priority: string }) => {
    asked.push(how.priority);
    queueMicrotask(work);
  } });
  let show = (): void => undefined;
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => (show = frame));
  vi.resetModules();
  const turns: typeof import('../src/turns.ts') = await import('../src/turns.ts');
  turns.limit.slice = 0;
  await next();
  const done: string[] = [];
  const around = turns.inTurn(() => void done.push('around'));
  await turns.inTurn(() => void done.push('picture'), turns.rank.picture);
  await next();
  await next();
  expect([asked, done, turns.crowded()]).toEqual([['user-blocking'], ['picture'], true]);
  show();
  await around;
  expect(done).toEqual(['picture', 'around']);
  vi.unstubAllGlobals();
});
