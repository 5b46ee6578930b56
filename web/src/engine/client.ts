// SPDX-License-Identifier: Apache-2.0
import type { Reply, Request } from './answer.ts';

type Kind = Request['kind'];
type Ask = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;
type Answer = { text: string; data?: Float32Array };

export interface Port {
  postMessage(message: Request): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

interface Waiting {
  ask: Ask;
  resolve: (answer: Answer | undefined) => void;
}

/**
 * Talks to the worker. Of each kind at most one request is under way and one waits;
 * a newer one replaces the one that waits, which then answers undefined (stale).
 */
export class Client {
  private id = 0;
  private busy = new Map<Kind, { id: number; resolve: Waiting['resolve'] }>();
  private next = new Map<Kind, Waiting>();
  private port: Port | undefined;

  constructor(private readonly open: () => Port) {}

  send(ask: Ask): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      if (this.busy.has(ask.kind)) {
        this.next.get(ask.kind)?.resolve(undefined);
        this.next.set(ask.kind, { ask, resolve });
      } else {
        this.post(ask, resolve);
      }
    });
  }

  close(): void {
    this.port?.terminate();
    this.port = undefined;
    for (const { resolve } of this.busy.values()) resolve(undefined);
    for (const { resolve } of this.next.values()) resolve(undefined);
    this.busy.clear();
    this.next.clear();
  }

  private post(ask: Ask, resolve: Waiting['resolve']): void {
    const id = ++this.id;
    this.busy.set(ask.kind, { id, resolve });
    this.connect().postMessage({ ...ask, id } as Request);
  }

  private connect(): Port {
    if (this.port) return this.port;
    const port = this.open();
    port.onmessage = ({ data }) => this.settle(data);
    port.onerror = (event) => this.fail(event.message);
    this.port = port;
    return port;
  }

  private settle(reply: Reply): void {
    for (const [kind, { id, resolve }] of this.busy) {
      if (id !== reply.id) continue;
      this.busy.delete(kind);
      const waiting = this.next.get(kind);
      this.next.delete(kind);
      if (waiting) this.post(waiting.ask, waiting.resolve);
      resolve(reply.data ? { text: reply.text, data: reply.data } : { text: reply.text });
    }
  }

  // A worker that could not start answers everything with the same error.
  private fail(message: string): void {
    const text = JSON.stringify({ ok: false, error: { path: '', message } });
    for (const { resolve } of this.busy.values()) resolve({ text });
    this.busy.clear();
  }
}
