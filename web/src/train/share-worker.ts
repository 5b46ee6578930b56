// SPDX-License-Identifier: Apache-2.0
// The second worker of a training: it has the same model and data, computes its shares of every batch, and takes every
// step together with the first (team.ts), whose worker started it.
import create from 'attention-training';
import { sayAlive, sayEnd } from '../engine/worker-signs.ts';
import { Meeting, type Room } from './meeting.ts';
import type { Problem, Trainer } from './messages.ts';

export type ShareOrder =
  | { kind: 'open'; document: string; wasmUrl: string }
  /** It takes steps from this checkpoint on, until the first worker leaves. */
  | { kind: 'join'; checkpoint: Uint8Array; room: Room };
export type ShareNews = { kind: 'opened' } | { kind: 'joined' };

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<ShareOrder>) => void;
  postMessage(news: ShareNews): void };
/** Steps of one call: their losses are kept until it ends. */
const STEPS = 1000;
let engine: Trainer;
let session = 0;

sayAlive();

function read<T>(text: string): T {
  const answer = JSON.parse(text) as T & { error?: Problem };
  if (answer.error) throw new Error(answer.error.message);
  return answer;
}

async function follow(order: ShareOrder): Promise<void> {
  if (order.kind === 'open') {
    engine = await create({ locateFile: () => order.wasmUrl });
    ({ session } = read<{ session: number }>(engine.trainOpen(order.document, '')));
    port.postMessage({ kind: 'opened' });
    return;
  }
  const meeting = new Meeting(order.room, 1, Infinity);
  try {
    read(engine.trainRestore(session, order.checkpoint));
    port.postMessage({ kind: 'joined' });
    let taken: number;
    do ({ taken } = read<{ taken: number }>(
      engine.trainStepTogether(session, STEPS, Infinity, 1, 2, meeting.meet).directory));
    while (taken === STEPS);
  } finally {
    meeting.leave();
  }
}

port.onmessage = ({ data }) => void follow(data).catch((problem: unknown) => sayEnd('crashed', problem));
