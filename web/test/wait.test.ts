// SPDX-License-Identifier: Apache-2.0
// How long somebody has waited for the engine: for one request, not for many quick ones after each other.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Request } from '../src/engine/worker.ts';
import { Wait } from '../src/state/engine-wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stage() {
  const sent: Request[] = [];
  const port: LinePort<Request> = { postMessage: (m) => void sent.push(m), onmessage: null,
    onerror: null, onmessageerror: null, terminate: () => undefined };
  const client = new Client(lineTo(() => port));
  const ask = () => void client.send({ kind: 'explain', document: 'a', tensor: 't', index: '[0]' });
  const reply = () => port.onmessage?.({ data: { id: sent.at(-1)!.id, text: '{}' } } as MessageEvent);
  return { ask, reply, wait: new Wait(client) };
}

it('counts the seconds of one request, and begins anew with the next', () => {
  const { ask, reply, wait } = stage();
  ask();
  expect([wait.slow, wait.seconds]).toEqual([false, 0]);
  vi.advanceTimersByTime(3200);
  expect([wait.slow, wait.seconds]).toEqual([true, 3]);
  // One that waited comes next.
  ask();
  reply();
  expect([wait.slow, wait.seconds]).toEqual([false, 0]);
  vi.advanceTimersByTime(1200);
  expect(wait.seconds).toBe(1);
  reply();
  expect(wait.slow).toBe(false);
});

it('many quick requests one after another are no long wait', () => {
  const { ask, reply, wait } = stage();
  ask();
  for (let k = 0; k < 100; k++) {
    ask();
    vi.advanceTimersByTime(50);
    reply();
    expect(wait.seconds).toBe(0);
  }
  expect(wait.slow).toBe(false);
});
