// SPDX-License-Identifier: Apache-2.0
// A line to a worker: whoever gives it work hears what it says and, once, how it ended.

/** How a worker ended that nobody ended: its files did not load, or it died at its work. */
export interface Ended {
  why: 'unloaded' | 'crashed';
  message: string;
}

/** What a worker says of itself (worker-signs.ts); everything else is news for whoever asked it. */
export type Sign = { alive: string } | { ended: Ended };

/** What a line needs of a worker. */
export interface LinePort<Order> {
  postMessage(order: Order, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  terminate(): void;
}

export interface Line<Order> {
  /** `transfer`: what of the order goes to the worker and is here no more. */
  send(order: Order, transfer?: Transferable[]): void;
  close(): void;
}

/** Opens a line: `heard` is called with all that its worker says, `ended` at most once. */
export type OpenLine<Order, News> = (heard: (news: News) => void, ended: (how: Ended) => void) => Line<Order>;

const GONE = 'the worker ended without an error';
const UNREAD = 'an answer of the worker could not be read';
const UNLOADED = 'the file of the worker could not be loaded';

export class WorkerLine<Order, News> implements Line<Order> {
  private readonly port: LinePort<Order> | undefined;
  private loaded = false;
  private over = false;

  constructor(open: () => LinePort<Order>, private readonly heard: (news: News) => void,
    private readonly ended: (how: Ended) => void) {
    try {
      this.port = open();
    } catch (problem) {
      // Whoever opened it is told after it has the line in its hands.
      queueMicrotask(() => this.end({ why: 'unloaded', message: problem instanceof Error ? problem.message
        : String(problem) }));
      return;
    }
    this.port.onmessage = ({ data }: MessageEvent<News | Sign>) => this.hear(data);
    this.port.onmessageerror = () => this.end({ why: 'crashed', message: UNREAD });
    this.port.onerror = (event) => {
      event.preventDefault?.();
      this.end(this.loaded ? { why: 'crashed', message: event.message || GONE }
        : { why: 'unloaded', message: event.message || UNLOADED });
    };
  }

  send(order: Order, transfer?: Transferable[]): void {
    if (!this.over) this.port?.postMessage(order, transfer);
  }

  /** Ends the worker; nothing is heard of it any more. */
  close(): void {
    this.over = true;
    this.port?.terminate();
  }

  private hear(data: News | Sign): void {
    if (this.over) return;
    this.loaded = true;
    if (typeof data === 'object' && data !== null && 'alive' in data) this.watch(data.alive);
    else if (typeof data === 'object' && data !== null && 'ended' in data) this.end(data.ended);
    else this.heard(data as News);
  }

  // A worker holds a lock for as long as it lives: whoever gets that lock knows that the worker is gone, also when the
  // browser ended it without an event.
  private watch(lock: string): void {
    if (lock === '') return;
    void navigator.locks.request(lock, () => this.end({ why: 'crashed', message: GONE }));
  }

  private end(how: Ended): void {
    if (this.over) return;
    this.close();
    this.ended(how);
  }
}

/** A line to a worker of its own. */
export const lineTo = <Order, News>(open: () => LinePort<Order>): OpenLine<Order, News> =>
  (heard, ended) => new WorkerLine<Order, News>(open, heard, ended);
