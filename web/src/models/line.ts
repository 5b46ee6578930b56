// SPDX-License-Identifier: Apache-2.0
import type { Located } from '../engine/types.ts';
import type { Line, OpenLine } from '../engine/line.ts';
import type { News, Order } from './types.ts';

type Ask = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never;
type Progress = (done: number, all: number) => void;

interface Waiting {
  resolve: (answer: Answer | undefined) => void;
  progress: Progress | undefined;
}

/** The module's answer as JSON text, the file that it made, and the name of a kept file with the same bytes. */
export interface Answer {
  text: string;
  file?: Blob;
  same?: string | undefined;
}

const failure = (error: Located): Answer => ({ text: JSON.stringify({ error }) });

/**
 * Asks the worker of models one thing after another. One that was given up or died answers no more; whoever asks next
 * gets a new one, which has been given nothing.
 */
export class ModelLine {
  private line: Line<Order> | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private id = 0;
  private workers = 0;

  constructor(private readonly open: OpenLine<Order, News>) {}

  /** Undefined where it was given up before it was answered. */
  ask(what: Ask, progress?: Progress, transfer?: Transferable[]): Promise<Answer | undefined> {
    const line = this.connect();
    const id = ++this.id;
    return new Promise((resolve) => {
      this.waiting.set(id, { resolve, progress });
      line.send({ ...what, id } as Order, transfer);
    });
  }

  /** Has the worker started before it is asked anything. Its number: what one was given, the next does not have. */
  warm(): number {
    this.connect();
    return this.workers;
  }

  /** Ends the worker at once, whatever it is at. */
  close(): void {
    this.line?.close();
    this.settleAll(undefined);
  }

  private connect(): Line<Order> {
    if (!this.line) {
      this.workers++;
      this.line = this.open((news) => this.hear(news), ({ why, message }) =>
        this.settleAll(failure({ path: '', message, [why]: true })));
    }
    return this.line;
  }

  private hear(news: News): void {
    const one = this.waiting.get(news.id);
    if (!one) return;
    if ('all' in news) return void one.progress?.(news.done, news.all);
    this.waiting.delete(news.id);
    const { text, file, same } = news;
    one.resolve(file ? { text, file, same } : { text });
  }

  private settleAll(answer: Answer | undefined): void {
    this.line = undefined;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { resolve } of all) resolve(answer);
  }
}
