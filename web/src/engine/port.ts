// SPDX-License-Identifier: Apache-2.0
import { documentsOf } from './needs.ts';
import type { Coming, Held, Reply, Request, Share, Started, TooLarge, Where } from './answer.ts';
import type { EngineLine, OpenEngine } from './client.ts';
import { heldWeights } from './kept.ts';
import { type Ended, type LinePort, WorkerLine } from './line.ts';
import { startWorker } from './start-worker.ts';
import { weightsOf } from './weights-of.ts';

type News = Reply | Share | TooLarge;

/** The engine in a worker; in this thread where no worker can be started. */
class SafeLine implements EngineLine {
  private worker: WorkerLine<Request | Where | Held | Coming, News> | undefined;
  private here: Promise<Started> | undefined;
  private readonly open = new Map<number, Request>();
  private readonly handed = new Set<string>();
  private closed = false;

  constructor(
    start: () => LinePort<Request | Where | Held | Coming>,
    private readonly where: Where,
    private readonly heard: (news: News) => void,
    private readonly ended: (how: Ended) => void,
  ) {
    this.worker = new WorkerLine(start, (news: News) => this.settle(news), (how) => this.gone(how));
    this.worker.send(where);
  }

  send(request: Request): void {
    this.open.set(request.id, request);
    if (!this.worker) return void this.compute(request);
    this.hand(request);
    this.worker.send(request);
  }

  // Weights that only the page holds: a worker sees what the database has, and no more.
  private hand(request: Request): void {
    for (const name of new Set(documentsOf(request).flatMap(weightsOf))) {
      const bytes = this.handed.has(name) ? undefined : heldWeights(name);
      if (!bytes) continue;
      this.handed.add(name);
      this.worker!.send({ weights: name, bytes });
    }
  }

  // Without a worker the file is read once a document asks for it.
  bring(file: Coming): void {
    this.worker?.send(file, file.port ? [file.port] : []);
  }

  close(): void {
    this.closed = true;
    this.worker?.close();
  }

  private settle(news: News): void {
    if ('text' in news) this.open.delete(news.id);
    if (!this.closed) this.heard(news);
  }

  // What one was asked that could not be loaded is computed here; what killed one that could be might kill the page.
  private gone(how: Ended): void {
    this.worker = undefined;
    if (how.why === 'crashed') return this.ended(how);
    for (const request of this.open.values()) void this.compute(request);
  }

  private async compute(request: Request): Promise<void> {
    this.here ??= import('./answer.ts').then(({ engine }) => engine(this.where));
    try {
      this.settle(await (await this.here).answer(request));
    } catch (problem) {
      if (this.closed) return;
      this.closed = true;
      this.ended({ why: 'unloaded', message: problem instanceof Error ? problem.message : String(problem) });
    }
  }
}

export const safeLine = (start: () => LinePort<Request | Where | Held | Coming>, where: () => Where): OpenEngine =>
  (heard, ended) => new SafeLine(start, where(), heard, ended);

/** A worker that computes by the module at an address. */
export const engineWorker = (address: string) => (): LinePort<Request | Where | Held | Coming> =>
  startWorker(address, 'engine');
