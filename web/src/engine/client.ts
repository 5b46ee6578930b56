// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from '@preact/signals-core';
import type { Reply, Request, Share } from './answer.ts';

type Kind = Request['kind'];
type Ask = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;
type Answer = { text: string; data?: Float32Array };

export interface Port {
  postMessage(message: Request): void;
  onmessage: ((event: MessageEvent<Reply | Share>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

interface Waiting {
  ask: Ask;
  resolve: (answer: Answer | undefined) => void;
  /** How many workers have died while they were at it. */
  died: number;
}

// Whoever kills one worker may have been beside the culprit; whoever kills two is told so.
const MOST_DEATHS = 1;

const STOPPED = 'the computation was stopped';

const failure = (message: string) =>
  ({ text: JSON.stringify({ ok: false, error: { path: '', message, stopped: true } }) });

/**
 * Talks to the worker (worker.ts). Of each kind at most one request is under way and one waits; a newer one replaces
 * the one that waits, which then answers undefined (stale). A worker that died is started again, and what it was asked
 * is asked once more.
 */
export class Client {
  private id = 0;
  private busy = new Map<Kind, Waiting & { id: number }>();
  private next = new Map<Kind, Waiting>();
  private port: Port | undefined;
  private readonly at = signal<number | undefined>(undefined);
  private readonly far = signal<number | undefined>(undefined);

  constructor(private readonly open: () => Port) {}

  send(ask: Ask): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const waiting = { ask, resolve, died: 0 };
      if (this.busy.has(ask.kind)) {
        this.next.get(ask.kind)?.resolve(undefined);
        this.next.set(ask.kind, waiting);
      } else {
        this.post(waiting);
      }
    });
  }

  /** The request that the worker is at. */
  get under(): number | undefined {
    return this.at.value;
  }

  /** How far that one is, above 0 and at most 1; undefined where it is not known. */
  get share(): number | undefined {
    return this.far.value;
  }

  /** Has the engine fetched and started, before it is asked anything. */
  warm(): void {
    this.connect();
  }

  /** Stops what is under way and what waits; what is asked from now on gets a new worker. */
  stop(): void {
    if (this.busy.size === 0) return;
    const waiting = [...this.next.values()];
    this.next.clear();
    this.startAgain(() => STOPPED);
    for (const { resolve } of waiting) resolve(failure(STOPPED));
  }

  close(): void {
    this.port?.terminate();
    this.port = undefined;
    const all = [...this.busy.values(), ...this.next.values()];
    this.busy.clear();
    this.next.clear();
    for (const { resolve } of all) resolve(undefined);
    this.note();
  }

  // A worker takes its requests in the order in which they came.
  private note(): void {
    const [first] = this.busy.values();
    if (first?.id === this.at.peek()) return;
    batch(() => {
      this.at.value = first?.id;
      this.far.value = undefined;
    });
  }

  private post(waiting: Waiting): void {
    const id = ++this.id;
    this.busy.set(waiting.ask.kind, { ...waiting, id });
    this.connect().postMessage({ ...waiting.ask, id } as Request);
    this.note();
  }

  private connect(): Port {
    if (this.port) return this.port;
    const port = this.open();
    // What a worker says that was given up is no news.
    port.onmessage = ({ data }) => {
      if (port !== this.port) return;
      if ('share' in data) this.hear(data);
      else this.settle(data);
    };
    port.onerror = (event) => port === this.port && this.fail(event.message);
    this.port = port;
    return port;
  }

  private hear({ id, share }: Share): void {
    if (id === this.at.peek()) this.far.value = share;
  }

  private settle(reply: Reply): void {
    for (const [kind, { id, resolve }] of this.busy) {
      if (id !== reply.id) continue;
      this.busy.delete(kind);
      this.goOn(kind);
      this.note();
      resolve(reply.data ? { text: reply.text, data: reply.data } : { text: reply.text });
    }
  }

  private goOn(kind: Kind): void {
    const waiting = this.next.get(kind);
    this.next.delete(kind);
    if (waiting) this.post(waiting);
  }

  private fail(message: string): void {
    this.startAgain((one) => (one.died >= MOST_DEATHS ? message : undefined));
  }

  // In a new worker: what is given up gets the reason as its answer, everything else is asked again. A newer request
  // takes its turn.
  private startAgain(givenUp: (one: Waiting) => string | undefined): void {
    this.port?.terminate();
    this.port = undefined;
    const under = [...this.busy.values()];
    this.busy.clear();
    for (const one of under) {
      const reason = givenUp(one);
      if (reason !== undefined) one.resolve(failure(reason));
      else if (this.next.has(one.ask.kind)) one.resolve(undefined);
      else this.post({ ...one, died: one.died + 1 });
    }
    for (const kind of [...this.next.keys()]) if (!this.busy.has(kind)) this.goOn(kind);
    this.note();
  }
}
