// SPDX-License-Identifier: Apache-2.0
// What a training costs the page is counted, not timed: messages, drawings, points, cells, and what is written down.
import { effect } from '@preact/signals-core';
import { describe, expect, it } from 'vitest';
import { cells, paintBands } from '../src/train/curves.ts';
import { APART, Gathered } from '../src/train/message-batches.ts';
import { History } from '../src/train/history.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import { Pieces } from '../src/train/kept.ts';
import type { News, Order, Progress, Scene } from '../src/train/messages.ts';
import { counted, type Drawing, points, range } from '../src/train/polyline.ts';
import { Training } from '../src/train/training.ts';

const scene: Scene = { source: ['a', 'b'], truth: ['A', 'B'], maps: [{ name: 'w', shape: [1, 2, 2] }],
  links: [[0, 0, 'means']] };
const measures = { heldOut: 4, heldOutLoss: 1, accuracy: 0.5, exact: 0.5 };
const taken = (step: number, more: Partial<Progress> = {}): Progress => ({
  kind: 'progress', at: step, steps: [{ step, loss: 1 / step, gradientNorm: 1, rate: 0.1 }], measured: [], shots: [],
  checkpoints: [], perSecond: 1, ...more });
const shot = (step: number) => ({ step, written: ['A', 'A'], chance: [0.5, 0.5], weights: new Float32Array(4) });

describe('a worker that trains', () => {
  it('sends a bounded number of messages a second, and in them everything in its order', () => {
    let now = 0;
    const sent: Progress[] = [];
    const gathered = new Gathered((progress) => sent.push(progress), () => now);
    for (let step = 1; step <= 1000; step++) {
      now = step; // a step a millisecond
      gathered.add(taken(step, { ...(step === 1 ? { scene } : {}), shots: step % 4 === 0 ? [shot(step)] : [],
        measured: step % 26 === 0 ? [{ ...measures, step }] : [] }));
    }
    gathered.flush();
    gathered.flush();
    expect(sent.length).toBeLessThanOrEqual(1000 / APART + 2);
    expect(sent.flatMap(({ steps }) => steps.map(({ step }) => step))).toEqual(Array.from({ length: 1000 },
      (_, k) => k + 1));
    expect(sent.flatMap(({ shots }) => shots).length).toBe(250);
    expect(sent.flatMap(({ measured }) => measured).at(-1)!.step).toBe(988);
    expect(sent.filter((one) => one.scene).length).toBe(1);
    expect(sent.at(-1)!.at).toBe(1000);
  });

  it('sends each step of a slow pace at once, and a failure apart from what was good', () => {
    let now = 0;
    const sent: Progress[] = [];
    const gathered = new Gathered((progress) => sent.push(progress), () => now);
    for (let step = 1; step <= 3; step++) {
      gathered.add(taken(step));
      expect(sent.length).toBe(step);
      now += 100;
    }
    gathered.add(taken(4));
    now += 1;
    gathered.add(taken(5));
    gathered.add(taken(2, { failure: 'no number' }));
    gathered.add(taken(2));
    gathered.flush();
    expect(sent.slice(3).map(({ at, failure }) => [at, failure]))
      .toEqual([[4, undefined], [5, undefined], [2, 'no number'], [2, undefined]]);
  });
});

it('however many messages come, a frame is drawn once, and each part only for what it shows', () => {
  let tell: ((event: MessageEvent<News>) => void) | null = null;
  const port: LinePort<Order> = { postMessage: () => undefined, terminate: () => undefined, onerror: null,
    onmessageerror: null,
    get onmessage() { return tell; }, set onmessage(next) { tell = next; } };
  const frames: (() => void)[] = [];
  const training = new Training(lineTo(() => port), () => '', false, (work) => frames.push(work));
  training.begin({ title: '', training: {} } as never);
  const say = (data: News) => tell!({ data } as MessageEvent<News>);
  say({ kind: 'begun', begun: { session: 1, task: '', step: 0, steps: 100, weights: 1, learnsFrom: 1, heldOut: 4 } });
  say(taken(1, { scene, shots: [shot(1)], measured: [{ ...measures, step: 1 }] }));
  const drawn = { curves: 0, map: 0, table: 0 };
  effect(() => void (drawn.curves++, training.news));
  effect(() => void (drawn.map++, training.picture));
  effect(() => void (drawn.table++, training.turns));
  for (let step = 2; step <= 41; step++) say(taken(step));
  expect([drawn, frames.length]).toEqual([{ curves: 1, map: 1, table: 1 }, 1]);
  frames.shift()!();
  expect(drawn).toEqual({ curves: 2, map: 1, table: 1 });
  for (let step = 42; step <= 50; step++) say(taken(step, { shots: [shot(step)] }));
  expect(frames.length).toBe(1);
  frames.shift()!();
  expect(drawn).toEqual({ curves: 3, map: 2, table: 1 });
  // Pictures share what does not change.
  const [first, last] = [training.history.pictures[0]!, training.history.pictures.at(-1)!];
  expect([last.step, last.links === first.links, training.picture === last]).toEqual([50, true, true]);
});

describe('lines and bands over what grows', () => {
  const drawing: Drawing<number> = { across: (x) => x, scale: '',
    down: (x) => (x % 7 === 3 ? undefined : Math.sin(x)) };

  it('cost what came since, and are what they would be if drawn anew', () => {
    const list: number[] = [];
    counted.points = 0;
    for (let step = 0; step < 2400; step++) {
      list.push(step);
      points(list, 'loss', drawing);
    }
    // All anew at each step would be more than a million.
    expect(counted.points).toBeLessThan(6000);
    expect(points(list, 'loss', drawing)).toBe(points([...list], 'loss', drawing));
    expect(points(list, 'loss', { ...drawing, scale: 'another', across: (x) => 2 * x }))
      .toBe(points([...list], '', { ...drawing, across: (x) => 2 * x }));
    expect(range(list, 'loss', (x) => (x > 10 ? x : undefined))).toEqual([11, 2399]);
    list.push(-1);
    expect(range(list, 'all', (x) => x)).toEqual([-1, 2399]);
  });

  it('paints a cell once or twice, and all of them when they lie elsewhere', () => {
    const history = new History();
    const paper = { clearRect: () => undefined, fillRect: () => undefined, fillStyle: '' };
    const canvas = { width: 860, height: 24, getContext: () => paper } as unknown as HTMLCanvasElement;
    const axis = (now: number, width = 860) => ({ width, steps: 1600, looksAt: now, now });
    cells.painted = 0;
    for (let step = 1; step <= 400; step++) {
      history.add({ ...taken(step, { shots: [shot(step)] }), ...(step === 1 ? { scene } : {}) });
      paintBands(canvas, history, axis(step), 'light');
    }
    expect(cells.painted).toBe(2 * (400 + 399));
    history.cut(100);
    cells.painted = 0;
    paintBands(canvas, history, axis(100), 'light');
    expect(cells.painted).toBe(2 * 100);
    paintBands(canvas, history, axis(100), 'dark');
    expect(cells.painted).toBe(4 * 100);
  });
});

it('what is kept for a reload is written piece by piece, and all anew where it is another history', () => {
  const history = new History();
  const pieces = new Pieces();
  const sizes = () => {
    const piece = pieces.next(history);
    return [pieces.number, piece.steps.length, piece.measured.length, piece.pictures.length];
  };
  for (let step = 1; step <= 10; step++) history.add({ ...taken(step, { shots: [shot(step)] }), scene });
  expect(sizes()).toEqual([1, 10, 0, 10]);
  for (let step = 11; step <= 14; step++) history.add(taken(step, { measured: [{ ...measures, step }] }));
  expect(sizes()).toEqual([2, 4, 4, 0]);
  expect(sizes()).toEqual([3, 0, 0, 0]);
  history.cut(5);
  expect(sizes()).toEqual([1, 5, 0, 5]);
  // Another window wrote over the pieces.
  history.add(taken(6));
  expect([pieces.next(history, false).steps.length, pieces.number]).toEqual([6, 1]);
});
