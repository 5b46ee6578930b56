// SPDX-License-Identifier: Apache-2.0
// The worker that reads models of other programs and writes their words: what it is given stays in this browser.
import create from 'attention-import';
import { sayAlive, sayEnd } from '../engine/alive.ts';
import { Instance } from '../library/instance.ts';
import type { Importer, News, Order } from './types.ts';

// Of workers alone, so that lib.dom does not know it: a reader of a format asks for a slice and goes on with it.
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };
// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Order | { wasmUrl: string }>) => void;
  postMessage(news: News, transfer?: Transferable[]): void };
let instance: Promise<Instance<Importer>> | undefined;
let files: File[] = [];

sayAlive();

const reader = new FileReaderSync();
const read = (file: number, first: number, count: number): Uint8Array | null => {
  try {
    return new Uint8Array(reader.readAsArrayBuffer(files[file]!.slice(first, first + count)));
  } catch {
    // The file was changed or removed since it was dropped: the module names it.
    return null;
  }
};

/** The file of weights as it comes; its header says how long it becomes. */
class Gathered {
  private bytes = new Uint8Array(0);
  private at = 0;

  constructor(private readonly size: number) {}

  put(part: Uint8Array): void {
    // The header comes first, and as a whole: behind it there are the numbers alone.
    if (this.at === 0) this.bytes = new Uint8Array(part.length + this.size);
    this.bytes.set(part, this.at);
    this.at += part.length;
  }

  get whole(): Uint8Array {
    return this.bytes;
  }
}

let size = 0;

function answer(module: Importer, order: Order): News {
  const { id } = order;
  switch (order.kind) {
    case 'open': {
      files = order.files;
      const text = module.open(files.map(({ name, size: bytes }) => ({ name, size: bytes })), read,
        JSON.stringify(order.answers));
      size = (JSON.parse(text) as { bytes?: number }).bytes ?? 0;
      return { id, text };
    }
    case 'store': {
      const gathered = new Gathered(size);
      const text = module.store(order.from, { put: (part) => gathered.put(part),
        done: (done, all) => port.postMessage({ id, done, all }) });
      return { id, text, bytes: gathered.whole };
    }
    case 'hold': return { id, text: module.hold(order.name, order.bytes) };
    case 'encode': return { id, text: module.encode(order.name, order.text) };
    case 'decode': return { id, text: module.decode(order.name, JSON.stringify(order.ids)) };
    case 'next': {
      const began = performance.now();
      const text = module.next(order.name, order.document, JSON.stringify(order.request));
      const took = { milliseconds: performance.now() - began };
      return { id, text: JSON.stringify({ ...(JSON.parse(text) as object), ...took }) };
    }
  }
}

port.onmessage = async ({ data: order }) => {
  if ('wasmUrl' in order) {
    instance = Instance.start(() => create({ locateFile: () => order.wasmUrl }));
    // Without its module it can do nothing.
    return void instance.catch((problem: unknown) => sayEnd('unloaded', problem));
  }
  try {
    const news = await (await instance!).call((module) => answer(module, order));
    port.postMessage(news, 'bytes' in news && news.bytes ? [news.bytes.buffer as ArrayBuffer] : []);
  } catch (problem) {
    // What the module throws, it died of: memory that ran out, in most cases.
    sayEnd('crashed', problem);
  }
};
