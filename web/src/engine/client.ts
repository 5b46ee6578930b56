// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from '@preact/signals-core';
import type { Coming, Reply, Request, Share, TooLarge } from './answer.ts';
import type { Ended, Line, OpenLine } from './line.ts';
import type { Located } from './types.ts';

export type Ask = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;
export type Answer = Omit<Reply, 'id'>;
/** Makes a request once it is its turn, for the worker that is there then, and hears its answer before the next. */
export interface Turn {
  make(life: number): Ask;
  heard(answer: Answer): void;
}

/** A line to the engine, which takes weights before they are asked for where it can. */
export interface EngineLine extends Line<Request> {
  bring?(file: Coming): void;
}
type News = Reply | Share | TooLarge;
type Opens = OpenLine<Request, News>;
export type OpenEngine = (...how: Parameters<Opens>) => EngineLine;

interface Waiting {
  ask: Ask | Turn;
  lane: string;
  resolve: (answer: Answer | undefined) => void;
  /** How many workers have died while they were at it. */
  died: number;
}

// Whoever kills one worker may have been beside the culprit; whoever kills two is told so.
const MOST_DEATHS = 1;

const failure = (error: Omit<Located, 'path'>) =>
  ({ text: JSON.stringify({ ok: false, error: { path: '', ...error } }) });
const stopped = { message: 'the computation was stopped', stopped: true };
const died = ({ why, message }: Ended): Omit<Located, 'path'> => ({ message, [why]: true });

/**
 * Talks to the worker (worker.ts). In each lane at most one request is under way and one waits; a newer one replaces
 * the one that waits, which then answers undefined (stale). Whoever asks with `ask` shares no lane with anybody. A
 * worker that died is started again, and what it was asked is asked once more.
 */
export class Client {
  private id = 0;
  private lives = 0;
  private alone = 0;
  private busy = new Map<string, Waiting & { id: number }>();
  private next = new Map<string, Waiting>();
  private line: EngineLine | undefined;
  private readonly at = signal<number | undefined>(undefined);
  private readonly far = signal<number | undefined>(undefined);

  constructor(private readonly open: OpenEngine) {}

  /** Asks in a lane, in which a newer request takes the place of one that still waits. */
  send(ask: Ask | Turn, lane: string = 'kind' in ask ? ask.kind : 'run'): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const waiting = { ask, lane, resolve, died: 0 };
      if (this.busy.has(lane)) {
        this.next.get(lane)?.resolve(undefined);
        this.next.set(lane, waiting);
      } else {
        this.post(waiting);
      }
    });
  }

  /** Asks something that no newer request makes stale. */
  ask(ask: Ask): Promise<Answer | undefined> {
    return this.send(ask, `alone ${++this.alone}`);
  }

  /** How many workers there were, this one included: what one knew, the next does not. */
  get life(): number {
    return this.lives;
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

  /** Has the engine take in weights that a document will ask for; or drop them, where none will. */
  bring(file: Coming): void {
    this.connect().bring?.(file);
  }

  /** Stops what is under way and what waits; what is asked from now on gets a new worker. */
  stop(): void {
    if (this.busy.size === 0) return;
    const waiting = [...this.next.values()];
    this.next.clear();
    this.startAgain(() => stopped);
    for (const { resolve } of waiting) resolve(failure(stopped));
  }

  close(): void {
    this.line?.close();
    this.line = undefined;
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
    this.busy.set(waiting.lane, { ...waiting, id });
    const line = this.connect();
    const ask = 'make' in waiting.ask ? waiting.ask.make(this.lives) : waiting.ask;
    line.send({ ...ask, id } as Request);
    this.note();
  }

  private connect(): EngineLine {
    if (!this.line) this.lives++;
    this.line ??= this.open((news) => this.hear(news), (how) => this.fail(how));
    return this.line;
  }

  private hear(news: News): void {
    if ('text' in news) return this.settle(news);
    if ('share' in news) return news.id === this.at.peek() ? void (this.far.value = news.share) : undefined;
    // What was asked meanwhile may need these weights: after its answer the worker looks again.
    if (this.busy.size > 0) return;
    this.line?.close();
    this.line = undefined;
    this.connect();
  }

  private settle(reply: Reply): void {
    for (const [lane, { id, ask, resolve }] of this.busy) {
      if (id !== reply.id) continue;
      const { id: _, ...answer } = reply;
      this.busy.delete(lane);
      if ('heard' in ask) ask.heard(answer);
      this.goOn(lane);
      this.note();
      resolve(answer);
    }
  }

  private goOn(lane: string): void {
    const waiting = this.next.get(lane);
    this.next.delete(lane);
    if (waiting) this.post(waiting);
  }

  private fail(how: Ended): void {
    this.startAgain((one) => (one.died >= MOST_DEATHS ? died(how) : undefined));
  }

  // In a new worker: what is given up gets the reason as its answer, everything else is asked again. A newer request
  // takes its turn.
  private startAgain(givenUp: (one: Waiting) => Omit<Located, 'path'> | undefined): void {
    this.line?.close();
    this.line = undefined;
    const under = [...this.busy.values()];
    this.busy.clear();
    for (const one of under) {
      const reason = givenUp(one);
      if (reason !== undefined) one.resolve(failure(reason));
      else if (this.next.has(one.lane)) one.resolve(undefined);
      else this.post({ ...one, died: one.died + 1 });
    }
    for (const lane of [...this.next.keys()]) if (!this.busy.has(lane)) this.goOn(lane);
    this.note();
  }
}
