// SPDX-License-Identifier: Apache-2.0
import { sayAlive } from './worker-signs.ts';
import { engine, type Coming, type Held, type Reply, type Request, type Share, type TooLarge, type Where }
  from './answer.ts';
import { holdWeights } from './kept.ts';

export type { Reply, Request } from './answer.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as {
  onmessage: (event: MessageEvent<Request | Where | Held | Coming>) => void;
  postMessage(message: Reply | Share | TooLarge, transfer?: Transferable[]): void;
};

// A worker that has come so far could be loaded: whatever stops it later is not its address.
sayAlive();

// Answers by the engine itself (answer.ts), which lives in this worker.
let started: ReturnType<typeof engine> | undefined;
const told = (news: Share | TooLarge) => port.postMessage(news);

port.onmessage = async ({ data: message }) => {
  if ('wasmUrl' in message) {
    started = engine(message, told);
    return;
  }
  if ('weights' in message) return holdWeights(message.weights, message.bytes);
  started ??= engine(undefined, told);
  if ('coming' in message) return void started.bring(message);
  const reply = await started.answer(message);
  port.postMessage(reply, reply.data ? [reply.data.buffer as ArrayBuffer] : []);
};
