// SPDX-License-Identifier: Apache-2.0
// What the page says to the worker that trains, and what it makes of what it hears.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signal } from '@preact/signals-core';
import { awakeWhile } from '../src/train/awake.ts';
import type { Begun, News, Order, Progress } from '../src/train/messages.ts';
import { Training, type TrainerPort } from '../src/train/training.ts';

class Worker implements TrainerPort {
  readonly orders: Order[] = [];
  ended = false;
  onmessage: ((event: MessageEvent<News>) => void) | null = null;

  postMessage(order: Order): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.ended = true;
    this.onmessage = null;
  }

  say(...all: News[]): void {
    for (const data of all) this.onmessage?.({ data } as MessageEvent<News>);
  }
}

const begun = (step = 0): News => ({ kind: 'begun',
  begun: { session: 1, task: '', step, steps: 100, weights: 1, learnsFrom: 1, heldOut: 4 } satisfies Begun });
const taken = (step: number): Progress => ({ kind: 'progress', at: step,
  steps: [{ step, loss: 1 / step, gradientNorm: 1, rate: 0.1 }], measured: [], shots: [], checkpoints: [],
  perSecond: 1 });
const document = { title: '', training: {} } as never;

function begin() {
  const workers: Worker[] = [];
  const open = () => {
    workers.push(new Worker());
    return workers.at(-1)!;
  };
  const training = new Training(open, () => '', false, (work) => work());
  training.begin(document);
  workers[0]!.say(begun());
  return { training, workers };
}
const stepsOf = (training: Training) => training.history.steps.map(({ step }) => step);

describe('a training', () => {
  it('ends where it is to, whatever pace is chosen on the way', () => {
    const { training, workers: [worker] } = begin();
    training.play(40);
    training.pace = 0;
    expect(worker!.orders.slice(1)).toEqual([{ kind: 'play', pace: 120, until: 40 },
      { kind: 'play', pace: 0, until: 40 }]);
  });

  it('that is refused leaves the one before it with all its steps, those too that it took until it was paused', () => {
    const { training, workers } = begin();
    training.play();
    workers[0]!.say(taken(1), taken(2));
    training.begin(document);
    workers[0]!.say(taken(3));
    workers[1]!.say({ kind: 'refused', problem: { path: '/training/batch', message: 'too large' } });
    workers[0]!.say(taken(4), { kind: 'stopped', at: 4, finished: false });
    expect([stepsOf(training), training.step, training.phase, training.problem?.path])
      .toEqual([[1, 2, 3, 4], 4, 'ready', '/training/batch']);
    expect(workers.map(({ ended }) => ended)).toEqual([false, true]);
  });

  it('that goes back to a checkpoint hears nothing any more of what it did behind it', () => {
    const { training, workers: [worker] } = begin();
    training.play();
    worker!.say(taken(1), { ...taken(2), checkpoints: [{ step: 2, bytes: new Uint8Array(1) }] }, taken(3), taken(4));
    training.look(3);
    training.goOnFromHere();
    worker!.say(taken(5), taken(6), begun(2), taken(3));
    expect([stepsOf(training), training.step, training.phase]).toEqual([[1, 2, 3], 3, 'ready']);
  });

  it('that is left answers nobody, and what asked it is told', async () => {
    const { training, workers } = begin();
    const done = vi.fn();
    const tries = training.tryOut([], () => undefined).then(done);
    const old = vi.fn();
    void training.save(false).then(old);
    training.begin(document);
    workers[1]!.say(begun());
    await tries;
    expect(done).toHaveBeenCalled();
    const own = training.save(false);
    workers[1]!.say({ kind: 'saved', bytes: Uint8Array.of(7), weightsOnly: false });
    expect(await own).toEqual(Uint8Array.of(7));
    expect(old).not.toHaveBeenCalled();
  });
});

describe('the screen', () => {
  let locks: { released: boolean; release(): Promise<void> }[] = [];
  let answer: (() => void)[] = [];
  let hears: (() => void) | undefined;
  const page = { visibilityState: 'visible', addEventListener: (_: string, listener: () => void) => (hears = listener),
    removeEventListener: () => (hears = undefined) };
  const on = () => locks.filter(({ released }) => !released).length;
  const answered = async () => {
    for (const say of answer.splice(0)) say();
    await new Promise((resolve) => setTimeout(resolve));
  };

  beforeEach(() => {
    [locks, answer, page.visibilityState] = [[], [], 'visible'];
    vi.stubGlobal('document', page);
    vi.stubGlobal('navigator', { wakeLock: { request: () => new Promise((resolve) => answer.push(() => {
      const lock = { released: false, async release() { lock.released = true; } };
      locks.push(lock);
      resolve(lock);
    })) } });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('stays on while something is learned, and no longer', async () => {
    const learns = signal(false);
    const stop = awakeWhile(() => learns.value);
    await answered();
    expect(on()).toBe(0);
    learns.value = true;
    await answered();
    expect(on()).toBe(1);
    learns.value = false;
    await answered();
    expect(on()).toBe(0);
    // It ended before the browser answered.
    learns.value = true;
    learns.value = false;
    await answered();
    expect(on()).toBe(0);
    learns.value = true;
    await answered();
    expect(on()).toBe(1);
    stop();
    await answered();
    expect([on(), hears]).toEqual([0, undefined]);
  });

  it('is asked for again when the tab is seen again, and only then', async () => {
    const stop = awakeWhile(() => true);
    await answered();
    locks[0]!.released = true; // the browser's doing
    page.visibilityState = 'hidden';
    hears!();
    await answered();
    expect(on()).toBe(0);
    page.visibilityState = 'visible';
    hears!();
    hears!();
    await answered();
    expect(on()).toBe(1);
    stop();
  });
});
