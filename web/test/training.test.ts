// SPDX-License-Identifier: Apache-2.0
// What the page says to the worker that trains, and what it makes of what it hears.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effect, signal } from '@preact/signals-core';
import { awakeWhile } from '../src/train/wake-lock.ts';
import type { Begun, News, Order, Progress } from '../src/train/messages.ts';
import { History } from '../src/train/history.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import { Judge } from '../src/train/measure-runs.ts';
import type { Shared } from '../src/train/messages.ts';
import { Pool } from '../src/train/pool.ts';
import { Several } from '../src/train/several.ts';
import { Training } from '../src/train/training.ts';

class Worker implements LinePort<Shared<Order>> {
  readonly orders: Shared<Order>[] = [];
  ended = false;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  onmessageerror: (() => void) | null = null;

  postMessage(order: Shared<Order>): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.ended = true;
    this.onmessage = null;
  }

  say(...all: unknown[]): void {
    for (const data of all) this.onmessage?.({ data } as MessageEvent);
  }

  dies(message: string): void {
    this.onerror?.({ message } as ErrorEvent);
  }
}

const begun = (step = 0): News => ({ kind: 'begun',
  begun: { session: 1, task: '', step, steps: 100, weights: 1, learnsFrom: 1, heldOut: 4 } satisfies Begun });
const taken = (step: number): Progress => ({ kind: 'progress', at: step,
  steps: [{ step, loss: 1 / step, gradientNorm: 1, rate: 0.1 }], measured: [], shots: [], checkpoints: [],
  perSecond: 1 });
const document = { title: '', training: {} } as never;

function started() {
  const workers: Worker[] = [];
  const open = () => {
    workers.push(new Worker());
    return workers.at(-1)!;
  };
  return { workers, open };
}

function begin() {
  const { workers, open } = started();
  const training = new Training(lineTo(open), () => '', false, (work) => work());
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
    workers[1]!.say({ kind: 'refused', by: 'begin', problem: { path: '/training/batch', message: 'too large' } });
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
    const saved = training.save(false).then(old);
    training.begin(document);
    workers[1]!.say(begun());
    await Promise.all([tries, saved]);
    expect(done).toHaveBeenCalled();
    expect(old).toHaveBeenCalledWith(undefined);
    const own = training.save(false);
    workers[1]!.say({ kind: 'saved', bytes: Uint8Array.of(7), weightsOnly: false });
    expect(await own).toEqual(Uint8Array.of(7));
  });
});

it('a history takes more steps at once than a call takes arguments', () => {
  const history = new History();
  const steps = Array.from({ length: 300_000 }, (_, k) => ({ step: k + 1, loss: 1, gradientNorm: 1, rate: 1 }));
  history.add({ steps });
  expect(history.steps.length).toBe(steps.length);
});

const kept = (step: number): Progress => ({ ...taken(step), checkpoints: [{ step, bytes: Uint8Array.of(step) }] });

describe('a worker that trains', () => {
  it('and crashes is told as a crash; what its last checkpoint holds is kept and played on in another', async () => {
    const { training, workers } = begin();
    workers[0]!.say({ ...kept(0), steps: [] });
    training.play();
    workers[0]!.say(taken(1), kept(2), taken(3));
    const asked = training.save(false);
    const tries = training.tryOut([{ document: '' }], () => undefined);
    workers[0]!.dies('out of memory');
    expect(await asked).toBeUndefined();
    await tries;
    expect([training.ended, training.phase, training.step, stepsOf(training)])
      .toEqual([{ why: 'crashed', message: 'out of memory' }, 'ready', 2, [1, 2]]);
    training.play();
    expect(training.ended).toBeUndefined();
    expect(workers[1]!.orders.map(({ kind }) => kind)).toEqual(['begin', 'play']);
    expect(workers[1]!.orders[0]).toMatchObject({ checkpoint: Uint8Array.of(2) });
    // Where it stands is known: what the new worker says of it is not shown a second time.
    workers[1]!.say(begun(2), { ...taken(2), steps: [], measured: [] }, taken(3), taken(4));
    expect([stepsOf(training), training.phase]).toEqual([[1, 2, 3, 4], 'playing']);
    workers[1]!.say({ kind: 'stopped', at: 4, finished: false });
    expect(training.phase).toBe('ready');
  });

  it('and ends without a word is told, too', () => {
    let gone: (() => void) | undefined;
    vi.stubGlobal('navigator', { locks: { request: async (_: string, then: () => void) => void (gone = then) } });
    const { training, workers } = begin();
    workers[0]!.say({ alive: 'lock' }, kept(0));
    training.play();
    gone!();
    vi.unstubAllGlobals();
    expect([training.ended?.why, training.phase]).toEqual(['crashed', 'ready']);
  });

  it('and whose files do not load is told as that, and the training before it is back', () => {
    const { training, workers } = begin();
    workers[0]!.say(kept(1));
    training.begin(document);
    workers[1]!.dies('');
    expect([training.ended?.why, training.phase, training.step]).toEqual(['unloaded', 'ready', 1]);
    expect(workers.map(({ ended }) => ended)).toEqual([false, true]);
    const alone = new Training(lineTo(() => { throw new Error('no worker here'); }), () => '', false);
    alone.begin(document);
    return vi.waitFor(() => expect([alone.ended, alone.phase])
      .toEqual([{ why: 'unloaded', message: 'no worker here' }, 'refused']));
  });

  it('and refuses what it was asked leaves nobody waiting', async () => {
    const { training, workers: [worker] } = begin();
    const saved = training.save(true);
    const tries = training.tryOut([{ document: '' }], () => undefined);
    const problem = { path: '', message: 'no' };
    worker!.say({ kind: 'refused', by: 'save', problem }, { kind: 'refused', by: 'try', problem });
    expect(await saved).toBeUndefined();
    await tries;
    expect([training.problem, training.phase]).toEqual([problem, 'ready']);
    training.play();
    expect([training.problem, training.phase]).toEqual([undefined, 'playing']);
  });

  it('is given back when the training rests, and wakes with it', async () => {
    const { training, workers } = begin();
    workers[0]!.say({ ...kept(0), steps: [] });
    training.stepOnce();
    workers[0]!.say(taken(1));
    training.rest();
    workers[0]!.say({ kind: 'saved', bytes: Uint8Array.of(1), weightsOnly: false });
    await vi.waitFor(() => expect(workers[0]!.ended).toBe(true));
    expect(await training.save(false)).toEqual(Uint8Array.of(1));
    expect(workers).toHaveLength(1);
    training.play();
    expect(workers[1]!.orders[0]).toMatchObject({ kind: 'begin', checkpoint: Uint8Array.of(1) });
    training.rest();
    workers[1]!.say(begun(1), kept(1), kept(2), { kind: 'stopped', at: 2, finished: false });
    await vi.waitFor(() => expect(workers[1]!.ended).toBe(true));
    expect([training.step, training.phase]).toEqual([2, 'ready']);
  });
});

describe('several at once', () => {
  const option = (id: string) => ({ id, label: id, apply: () => undefined });
  const options = (count: number) => Array.from({ length: count }, (_, k) => option(String(k)));
  // Each training of each worker takes what it is told to, at once.
  function obedient() {
    const workers: Worker[] = [];
    const open = () => {
      const worker = new Worker();
      workers.push(worker);
      const at = new Map<number, number>();
      worker.postMessage = (order) => {
        worker.orders.push(order);
        const { of } = order;
        const tell = (...all: object[]) => queueMicrotask(() => worker.say(...all.map((one) => ({ ...one, of }))));
        if (order.kind === 'begin') {
          at.set(of!, order.checkpoint?.[0] ?? 0);
          tell(begun(at.get(of!)), { ...kept(at.get(of!)!), steps: [] });
        }
        if (order.kind === 'play') {
          at.set(of!, Math.min(100, order.until!));
          tell(kept(at.get(of!)!), { kind: 'stopped', at: at.get(of!), finished: at.get(of!) === 100 });
        }
      };
      return worker;
    };
    const done = vi.fn();
    const several = new Several(new Pool(open, 2), (line) => new Training(line, () => '', false, (work) => work()),
      done);
    return { several, workers, done, living: () => workers.filter(({ ended }) => !ended).length };
  }

  const underWay = (several: Several) => new Promise<void>((then) => {
    const stop = effect(() => {
      if ((several.cells[0]?.training.step ?? 0) > 0) queueMicrotask(() => (stop(), then()));
    });
  });

  it('needs no more workers than the pool has, in turns, and none when all are done', async () => {
    const { several, workers, done, living } = obedient();
    several.begin(document, options(5), options(5), 100);
    expect([several.cells.length, workers.length]).toEqual([25, 2]);
    await vi.waitFor(() => expect(done).toHaveBeenCalled());
    expect(several.cells.map(({ training }) => training.step)).toEqual(Array(25).fill(100));
    await vi.waitFor(() => expect(living()).toBe(0));
    // Who makes one of them his own needs no worker for that.
    expect(await several.cells[7]!.training.save(false)).toEqual(Uint8Array.of(100));
    expect(workers.length).toBe(2);
  });

  it('has no worker any more when the reader goes elsewhere, and goes on when he is back', async () => {
    const { several, done, living } = obedient();
    several.begin(document, options(2), options(2), 100);
    await underWay(several);
    several.rest();
    await vi.waitFor(() => expect([living(), several.playing]).toEqual([0, false]));
    const left = several.cells.map(({ training }) => training.step);
    expect(Math.max(...left)).toBeLessThan(100);
    await vi.waitFor(() => {
      void several.play();
      expect(done).toHaveBeenCalled();
    });
    expect(several.cells.map(({ training }) => training.step)).toEqual(Array(4).fill(100));
    several.close();
    expect(living()).toBe(0);
  });

  it('whose worker dies says so, and stops', async () => {
    const { several, workers } = obedient();
    several.begin(document, options(2), options(1), 100);
    await underWay(several);
    workers[0]!.dies('out of memory');
    expect(several.cells.map(({ training }) => training.ended?.why)).toEqual(['crashed', undefined]);
    await vi.waitFor(() => expect(several.playing).toBe(false));
  });
});

describe('a judge', () => {
  const subject = { document: '', weights: new Uint8Array(1), step: 1 };
  it('whose worker dies is busy no more, and says so', () => {
    const { workers, open } = started();
    const judge = new Judge(lineTo(open), () => '');
    judge.begin(subject, ['a']);
    workers[0]!.say({ alive: '' });
    workers[0]!.dies('out of memory');
    expect([judge.busy, judge.ended, judge.problem])
      .toEqual([false, { why: 'crashed', message: 'out of memory' }, undefined]);
    judge.begin(subject, ['a']);
    expect([judge.busy, judge.ended]).toEqual([true, undefined]);
    workers[1]!.say({ kind: 'refused', by: 'judge', problem: { path: '', message: 'no' } });
    expect([judge.busy, judge.problem?.message]).toEqual([false, 'no']);
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
