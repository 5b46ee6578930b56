// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
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
  private readonly far = signal<{ kind: Kind; share: number } | undefined>(undefined);

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

  /** How far a long request of this kind is, above 0 and at most 1; undefined where that is not known. */
  share(kind: Kind): number | undefined {
    return this.far.value?.kind === kind ? this.far.value.share : undefined;
  }

  /** Has the engine fetched and started, before it is asked anything. */
  warm(): void {
    this.connect();
  }

  /** Stops what is under way of these kinds, and goes on with the rest in a new worker. */
  cancel(...kinds: Kind[]): void {
    if (!kinds.some((kind) => this.busy.has(kind))) return;
    this.startAgain((one) => (kinds.includes(one.ask.kind) ? 'the computation was stopped' : undefined));
  }

  close(): void {
    this.port?.terminate();
    this.port = undefined;
    const all = [...this.busy.values(), ...this.next.values()];
    this.busy.clear();
    this.next.clear();
    for (const { resolve } of all) resolve(undefined);
  }

  private post(waiting: Waiting): void {
    const id = ++this.id;
    this.busy.set(waiting.ask.kind, { ...waiting, id });
    this.connect().postMessage({ ...waiting.ask, id } as Request);
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
    const [kind] = [...this.busy].find(([, one]) => one.id === id) ?? [];
    if (kind !== undefined) this.far.value = { kind, share };
  }

  private settle(reply: Reply): void {
    this.far.value = undefined;
    for (const [kind, { id, resolve }] of this.busy) {
      if (id !== reply.id) continue;
      this.busy.delete(kind);
      this.goOn(kind);
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
    this.far.value = undefined;
    const under = [...this.busy.values()];
    this.busy.clear();
    for (const one of under) {
      const reason = givenUp(one);
      if (reason !== undefined) one.resolve(failure(reason));
      else if (this.next.has(one.ask.kind)) one.resolve(undefined);
      else this.post({ ...one, died: one.died + 1 });
    }
    for (const kind of [...this.next.keys()]) if (!this.busy.has(kind)) this.goOn(kind);
  }
}
