// SPDX-License-Identifier: Apache-2.0
import type { Reply, Request, Share, Where } from './answer.ts';
import type { Port } from './client.ts';
import { startWorker } from './start-worker.ts';

/** The engine in a worker; in this thread where no worker can be started. */
export class SafePort implements Port {
  onmessage: Port['onmessage'] = null;
  onerror: Port['onerror'] = null;
  private worker: Worker | undefined;
  private here: Promise<(request: Request) => Promise<Reply>> | undefined;
  private readonly open = new Map<number, Request>();
  private loaded = false;
  private closed = false;

  constructor(
    address: string,
    private readonly where: Where,
  ) {
    try {
      this.worker = startWorker(address, 'engine');
    } catch {
      return;
    }
    this.worker.onmessage = ({ data }: MessageEvent<Reply | Share | 'loaded'>) => {
      this.loaded = true;
      if (data !== 'loaded') this.settle(data);
    };
    this.worker.onerror = (event) => this.failed(event);
    this.worker.postMessage(where);
  }

  postMessage(request: Request): void {
    this.open.set(request.id, request);
    if (this.worker) this.worker.postMessage(request);
    else void this.compute(request);
  }

  terminate(): void {
    this.closed = true;
    this.worker?.terminate();
  }

  private settle(reply: Reply | Share): void {
    if (!('share' in reply)) this.open.delete(reply.id);
    if (!this.closed) this.onmessage?.({ data: reply } as MessageEvent<Reply | Share>);
  }

  // What one was asked that could not be loaded is computed here; what killed one that could be might kill the page.
  private failed(event: ErrorEvent): void {
    event.preventDefault();
    if (this.loaded) return void this.onerror?.(event);
    this.worker?.terminate();
    this.worker = undefined;
    for (const request of this.open.values()) void this.compute(request);
  }

  private async compute(request: Request): Promise<void> {
    this.here ??= import('./answer.ts').then(({ engine }) => engine(this.where));
    try {
      this.settle(await (await this.here)(request));
    } catch (problem) {
      this.onerror?.(new ErrorEvent('error', { message: String(problem) }));
    }
  }
}
