// SPDX-License-Identifier: Apache-2.0
// What a training in its worker shows of itself: the engine only counts its steps.
import { expect, it } from 'vitest';
import type { News, Progress, Trainer } from '../src/train/messages.ts';
import { Trainee } from '../src/train/trainee.ts';

const STEPS = 2400;

function made(step = 0, heldOut = 10) {
  const measured: number[] = [];
  const heard: News[] = [];
  const pinned = { source: ['a'], truth: ['b'], links: [], maps: [], written: ['b'], chance: [1], lists: {} };
  const engine = {
    tasks: () => '[]',
    trainOpen: () => JSON.stringify({ session: 1, step, steps: STEPS, heldOut, task: 't' }),
    trainStep: (_session: number, count: number) => {
      step += count;
      const lists = { loss: [0, count], gradientNorm: [0, count], rate: [0, count] };
      return { directory: JSON.stringify({ step, taken: count, lists }), data: new Float32Array(count) };
    },
    trainMeasure: (_session: number, count: number) =>
      (measured.push(count), JSON.stringify({ accuracy: 0, loss: 1 })),
    trainPinned: () => ({ directory: JSON.stringify(pinned), data: new Float32Array() }),
    trainExamples: () => JSON.stringify({ examples: [] }),
    trainSave: () => ({ directory: '{}', data: Uint8Array.of(step) }),
    trainRestore: (_session: number, [to]: Uint8Array) => JSON.stringify({ step: (step = to!) }),
  } as unknown as Trainer;
  const trainee = new Trainee(() => Promise.resolve(engine), (news) => void heard.push(news));
  const shown = () => heard.filter((news): news is Progress => news.kind === 'progress')
    .flatMap(({ shots }) => shots.map((shot) => shot.step));
  const begin = () => trainee.obey({ kind: 'begin', document: '{}', wasmUrl: '' } as never);
  return { trainee, shown, begin, measured, now: () => step };
}

it('what stands still shows its own step, once: after a pause, after a single step, and after going back', async () => {
  const { trainee, shown, begin, now } = made();
  await begin();
  // Regular pictures are made at every sixth step of 2,400.
  await trainee.obey({ kind: 'play', pace: 0, until: 8 });
  expect([now(), shown()]).toEqual([8, [0, 6, 8]]);
  await trainee.obey({ kind: 'step' });
  expect([now(), shown()]).toEqual([9, [0, 6, 8, 9]]);
  await trainee.obey({ kind: 'play', pace: 0, until: 12 });
  expect(shown()).toEqual([0, 6, 8, 9, 12]);
  await trainee.obey({ kind: 'restore', checkpoint: Uint8Array.of(8) });
  await trainee.obey({ kind: 'play', pace: 0, until: 12 });
  expect(shown()).toEqual([0, 6, 8, 9, 12, 12]);
});

it('what has ended is measured by all held-out examples, also where it is opened again', async () => {
  const ended = made(STEPS - 1, 500);
  await ended.begin();
  await ended.trainee.obey({ kind: 'step' });
  const again = made(STEPS, 500);
  await again.begin();
  expect([ended.measured.at(-1), again.measured]).toEqual([500, [500]]);
  expect(ended.measured[0]).toBeLessThan(500);
});

it('a reader who pauses sees the step at which it paused', async () => {
  const { trainee, shown, begin, now } = made();
  await begin();
  const played = trainee.obey({ kind: 'play', pace: 120 });
  while (now() < 8) await new Promise((done) => setTimeout(done, 1));
  await trainee.obey({ kind: 'pause' });
  await played;
  expect(shown().at(-1)).toBe(now());
});
