// SPDX-License-Identifier: Apache-2.0
// The worker that reads models of other programs and writes their words: what it is given stays in this browser.
import create from 'attention-import';
import { sayAlive, sayEnd } from '../engine/alive.ts';
import { bySlices, sliceOf } from '../files/slices.ts';
import { Instance } from '../library/instance.ts';
import type { Importer, News, Order } from './types.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Order | { wasmUrl: string }>) => void;
  postMessage(news: News, transfer?: Transferable[]): void };
let instance: Promise<Instance<Importer>> | undefined;
let files: File[] = [];

sayAlive();

// A reader of a format asks for a slice and goes on with it; where there is none, the module names the file.
const read = (file: number, first: number, count: number): Uint8Array | null => sliceOf(files[file]!, first, count);

function answer(module: Importer, order: Order): News {
  const { id } = order;
  switch (order.kind) {
    case 'open': {
      files = order.files;
      const sizes = files.map(({ name, size }) => ({ name, size }));
      return { id, text: module.open(sizes, read, JSON.stringify(order.answers)) };
    }
    case 'store': {
      // The browser takes each part out of the memory of the page's programs.
      const parts: Blob[] = [];
      const text = module.store(order.from, { put: (part) => parts.push(new Blob([part as Uint8Array<ArrayBuffer>])),
        done: (done, all) => port.postMessage({ id, done, all }) }, order.small);
      return { id, text, file: new Blob(parts) };
    }
    case 'hold': return { id, text: module.hold(order.name, bySlices(order.file)) };
    case 'encode': return { id, text: module.encode(order.name, order.text) };
    case 'decode': return { id, text: module.decode(order.name, JSON.stringify(order.ids)) };
    case 'next': case 'unrounded': {
      const began = performance.now();
      const text = module[order.kind](order.name, order.document, JSON.stringify(order.request));
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
    port.postMessage(news);
  } catch (problem) {
    // What the module throws, it died of: memory that ran out, in most cases.
    sayEnd('crashed', problem);
  }
};
