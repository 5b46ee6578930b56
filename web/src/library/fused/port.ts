// SPDX-License-Identifier: Apache-2.0
// A worker of the pool: of the page, or of Node.
import type { PoolOptions } from './pool.ts';

export type Method = 'attention' | 'attentionGradient';

export interface Request {
  id: number;
  method: Method | 'start';
  input: unknown;
  /** The memory that the arrays of the input lie in; it comes back with the reply. */
  carry?: ArrayBuffer;
}

export interface Reply {
  id: number;
  value?: unknown;
  problem?: string;
  carry?: ArrayBuffer;
}

/** What there is of a worker in pages and in Node alike. */
export interface Port {
  post(request: Request, transfer: ArrayBuffer[]): void;
  /** Nothing is being waited for: a program may end. */
  rest(): void;
  end(): void;
}

export interface Listener {
  reply(reply: Reply): void;
  failed(problem: Error): void;
}

/** Names that bundlers leave alone: the file lies beside this module, and Node's module is for Node. */
const FILE = './fused-worker.js';
const THREADS = 'node:worker_threads';

export async function open({ workerUrl }: PoolOptions, { reply, failed }: Listener): Promise<Port> {
  const address = workerUrl === undefined ? new URL(/* webpackIgnore: true */ FILE, import.meta.url)
    : new URL(workerUrl, globalThis.document?.baseURI ?? import.meta.url);
  if (typeof Worker === 'undefined') {
    const { Worker: Thread } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ THREADS)) as NodeThreads;
    const thread = new Thread(address);
    thread.on('message', reply);
    thread.on('error', failed);
    thread.on('exit', (code) => failed(new Error(`the worker ended with ${code}`)));
    return {
      post: (request, transfer) => { thread.ref(); thread.postMessage(request, transfer); },
      // A pool that is not closed does not keep the program alive.
      rest: () => thread.unref(),
      end: () => void thread.terminate(),
    };
  }
  const worker = new Worker(address, { type: 'module', name: 'fused' });
  worker.onmessage = ({ data }: MessageEvent<Reply>) => reply(data);
  worker.onmessageerror = () => failed(new Error('the worker got a message that it could not read'));
  worker.onerror = (event) => {
    event.preventDefault();
    failed(new Error(`the worker failed: ${event.message ?? 'it could not be loaded'}`));
  };
  return { post: (request, transfer) => worker.postMessage(request, transfer), rest: () => {},
    end: () => worker.terminate() };
}

interface NodeThreads {
  Worker: new (address: URL) => {
    on(event: 'message', listen: (value: Reply) => void): void;
    on(event: 'error', listen: (problem: Error) => void): void;
    on(event: 'exit', listen: (code: number) => void): void;
    postMessage(value: unknown, transfer: ArrayBuffer[]): void;
    terminate(): Promise<number>;
    ref(): void;
    unref(): void;
  };
}
