// SPDX-License-Identifier: Apache-2.0
// A training by two workers, as its first worker sees it: how they meet, when the second one is used, and that a
// training goes on alone where it is gone.
import { describe, expect, it } from 'vitest';
import type { Ended } from '../src/engine/line.ts';
import { FasterWay, type Way } from '../src/train/faster-way.ts';
import { Meeting, numbersFor, type Room, roomOf } from '../src/train/meeting.ts';
import type { Begun, Trainer } from '../src/train/messages.ts';
import type { ShareNews, ShareOrder } from '../src/train/share-worker.ts';
import { Team } from '../src/train/team.ts';

const shares = { count: 3, size: 2 };
const room = () => roomOf(shares, numbersFor(shares));

describe('a meeting', () => {
  it('hands on the own shares and reads those of the other, each step at another place', () => {
    const shared = room();
    const numbers = new Float32Array(shared.numbers);
    const meeting = new Meeting(shared, 0, 0);
    // The other one has taken two steps already.
    new Int32Array(shared.turns)[1] = 2;
    numbers.set([5, 6], 2);
    numbers.set([7, 8], 8);
    const first = Float32Array.of(1, 2, 0, 0, 3, 4), second = Float32Array.of(9, 9, 0, 0, 9, 9);
    expect([meeting.meet(first, 2), [...first]]).toEqual([true, [1, 2, 5, 6, 3, 4]]);
    expect([...numbers.subarray(0, 6)]).toEqual([1, 2, 5, 6, 3, 4]);
    expect([meeting.meet(second, 2), [...second]]).toEqual([true, [9, 9, 7, 8, 9, 9]]);
    expect([...numbers]).toEqual([1, 2, 5, 6, 3, 4, 9, 9, 7, 8, 9, 9]);
    expect(meeting.left).toBe(false);
  });

  it('hands on only the shares that a small batch has', () => {
    const shared = room();
    const meeting = new Meeting(shared, 1, 0);
    new Int32Array(shared.turns)[0] = 2;
    new Float32Array(shared.numbers).set([5, 6]);
    const two = Float32Array.of(0, 0, 1, 2);
    expect([meeting.meet(two, 2), [...two]]).toEqual([true, [5, 6, 1, 2]]);
  });

  it('ends for both where one leaves or does not come', () => {
    const shared = room();
    const [leads, follows] = [new Meeting(shared, 0, 5), new Meeting(shared, 1, Infinity)];
    const start = performance.now();
    expect(leads.meet(new Float32Array(6), 2)).toBe(false);
    expect(performance.now() - start).toBeGreaterThan(4);
    expect([leads.left, follows.meet(new Float32Array(6), 2), follows.left]).toEqual([true, false, true]);
    expect(leads.meet(new Float32Array(6), 2)).toBe(false);
  });
});

describe('the faster way', () => {
  // Milliseconds of a step by each way; returns how the steps of some seconds were taken.
  function taken(cost: (at: number) => Record<Way, number>, until: number): [number, Way][] {
    let now = 0;
    const ways = new FasterWay(() => now);
    const list: [number, Way][] = [];
    while (now < until) {
      const way = ways.next();
      list.push([now, way]);
      const time = cost(now)[way];
      ways.took(way, time);
      now += 10 * time;
    }
    return list;
  }
  const share = (list: [number, Way][], from: number, to: number) => {
    const within = list.filter(([at]) => at >= from && at < to);
    return within.filter(([, way]) => way === 'together').length / within.length;
  };

  it('tries both, keeps the faster one, and tries the other again later', () => {
    const faster = taken(() => ({ alone: 3, together: 2 }), 60_000);
    expect(share(faster, 2000, 60_000)).toBeGreaterThan(0.9);
    expect(share(faster, 12_000, 60_000)).toBeLessThan(1);
    const slower = taken(() => ({ alone: 2, together: 9 }), 60_000);
    expect(share(slower, 4000, 60_000)).toBeLessThan(0.1);
    expect(share(slower, 12_000, 60_000)).toBeGreaterThan(0);
    expect(share(slower, 4000, 60_000)).toBeGreaterThan(0);
  });

  it('changes when the second core is busy from some time on, and back', () => {
    const list = taken((at) => ({ alone: 3, together: at < 30_000 || at > 60_000 ? 2 : 9 }), 100_000);
    expect(share(list, 2000, 30_000)).toBeGreaterThan(0.9);
    expect(share(list, 45_000, 60_000)).toBeLessThan(0.15);
    expect(share(list, 75_000, 100_000)).toBeGreaterThan(0.9);
  });

  it('is not misled by a few steps that take long', () => {
    let count = 0;
    const list = taken(() => ({ alone: 3, together: ++count % 4 === 0 ? 12 : 2 }), 60_000);
    expect(share(list, 6000, 60_000)).toBeGreaterThan(0.8);
  });
});

describe('a team', () => {
  // A second worker that has always come, until it is gone.
  function made(endsAt?: ShareOrder['kind']) {
    const orders: ShareOrder['kind'][] = [], ways: string[] = [];
    let heard!: (news: ShareNews) => void, closed = false, turns: Int32Array | undefined;
    const engine = {
      trainStep: (_session: number, steps: number) => {
        ways.push('alone');
        return { directory: JSON.stringify({ taken: steps }), data: new Float32Array() };
      },
      trainStepTogether: (_session: number, steps: number, _ms: number, worker: number, workers: number,
        meet: (all: Float32Array, each: number) => boolean) => {
        ways.push(`worker ${worker} of ${workers}: ${meet(new Float32Array(6), 2)}`);
        return { directory: JSON.stringify({ taken: steps }), data: new Float32Array() };
      },
      trainSave: () => ({ directory: '{}', data: new Uint8Array(1) }),
    } as unknown as Trainer;
    const open = (hear: (news: ShareNews) => void, ended: (how: Ended) => void) => {
      heard = hear;
      return {
        send: (order: ShareOrder) => {
          orders.push(order.kind);
          if (order.kind === endsAt) return void setTimeout(() => ended({ why: 'crashed', message: '' }));
          if (order.kind === 'open') return heard({ kind: 'opened' });
          turns = new Int32Array((order.room as Room).turns);
          turns[1] = 1e6;
          heard({ kind: 'joined' });
        },
        close: () => void (closed = true),
      };
    };
    const team = new Team(engine, open, { begun: { session: 1 } as Begun, shares, document: '{}', wasmUrl: '' });
    const play = async (times: number) => {
      for (let k = 0; k < times; k++) {
        await team.prepare();
        team.step(8, 50);
        if (endsAt) await new Promise((done) => setTimeout(done));
      }
    };
    return { team, orders, ways, play, dies: () => void (turns![1] = -1), closed: () => closed };
  }

  it('takes its steps with the second worker once that has joined, and joins again after the weights changed',
    async () => {
      const { team, orders, ways, play } = made();
      await play(80);
      expect([orders, team.way]).toEqual([['open', 'join'], 'together']);
      expect([ways[0], ways.at(-1)]).toEqual(['alone', 'worker 0 of 2: true']);
      team.leave();
      team.step(1, 50);
      expect([ways.at(-1), team.way]).toEqual(['alone', 'alone']);
      await play(1);
      expect([orders, ways.at(-1)]).toEqual([['open', 'join', 'join'], 'worker 0 of 2: true']);
    });

  it('goes on alone where the second worker ends while it opens or joins', async () => {
    for (const end of ['open', 'join'] as const) {
      const { team, orders, ways, play, closed } = made(end);
      await play(90);
      expect([new Set(ways), team.way, closed()]).toEqual([new Set(['alone']), 'alone', true]);
      expect(orders).toEqual(end === 'open' ? ['open'] : ['open', 'join']);
    }
  });

  it('goes on alone where the second worker is gone', async () => {
    const { team, orders, ways, play, dies, closed } = made();
    await play(80);
    dies();
    await play(3);
    expect([ways.slice(-3), team.way, closed()]).toEqual([['worker 0 of 2: false', 'alone', 'alone'], 'alone', true]);
    expect(orders).toEqual(['open', 'join']);
  });
});
