// SPDX-License-Identifier: Apache-2.0
import { engine, type Reply, type Request, type Share, type Where } from './answer.ts';

export type { Reply, Request } from './answer.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as {
  onmessage: (event: MessageEvent<Request | Where>) => void;
  postMessage(message: Reply | Share | 'loaded', transfer?: Transferable[]): void;
};

// A worker that has come so far could be loaded: whatever stops it later is not its address.
port.postMessage('loaded');

// Answers by the engine itself (answer.ts), which lives in this worker.
let ask: ReturnType<typeof engine> | undefined;
const told = (share: Share) => port.postMessage(share);

port.onmessage = async ({ data: message }) => {
  if ('wasmUrl' in message) {
    ask = engine(message, told);
    return;
  }
  ask ??= engine(undefined, told);
  const reply = await ask(message);
  port.postMessage(reply, reply.data ? [reply.data.buffer as ArrayBuffer] : []);
};
