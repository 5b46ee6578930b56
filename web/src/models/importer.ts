// SPDX-License-Identifier: Apache-2.0
// The worker that reads models of other programs and writes their words: what it is given stays in this browser.
import create from 'attention-import';
import { sayAlive, sayEnd } from '../engine/worker-signs.ts';
import { keptFile } from '../engine/kept.ts';
import { handOver } from '../engine/hand-over.ts';
import { FileProblem, sizeOfFile, type WeightsData } from '../files/data.ts';
import { readHead } from '../files/weights.ts';
import { Instance } from '../library/instance.ts';
import { ReadFiles, storeOf } from './store-weights.ts';
import type { Importer, News, Order } from './types.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Order | { wasmUrl: string }>) => void;
  postMessage(news: News, transfer?: Transferable[]): void };
let instance: Promise<Instance<Importer>> | undefined;
let given = new ReadFiles([]);
// The model whose texts are known, and its file until the module has its numbers.
let held: string | undefined;
const headed = new Map<string, WeightsData>();
// One order after the other: some wait for the browser in the middle.
let last: Promise<unknown> = Promise.resolve();

sayAlive();

const call = async <Answer>(work: (module: Importer) => Answer): Promise<Answer> => (await instance!).call(work);

async function weightsOf(name: string, progress: (done: number, all: number) => void): Promise<void> {
  const file = headed.get(name);
  if (!file) return;
  // The browser's copy, once there is one: the reader's own files may have changed.
  await handOver(name, (await keptFile(name)) ?? file, call, progress);
  headed.delete(name);
}

async function answer(order: Order): Promise<News> {
  const { id } = order;
  switch (order.kind) {
    case 'open': {
      const files = given = new ReadFiles(order.files);
      const sizes = files.files.map(({ name, size }) => ({ name, size }));
      // A reader of a format asks for a slice and goes on with it; where there is none, the module names the file.
      return { id, text: await call((module) => module.open(sizes, (...slice) => files.slice(...slice),
        JSON.stringify(order.answers))) };
    }
    case 'store': return { id, ...await storeOf(call, given, order,
      (done, all) => port.postMessage({ id, done, all })) };
    case 'hold': {
      const { name, file } = order;
      const head = await readHead(file);
      // One model after the other writes words, and two of them may be more than the memory.
      if (held !== undefined && held !== name) await call((module) => module.forget(held!));
      held = name;
      headed.clear();
      headed.set(name, file);
      return { id, text: await call((module) => module.hold(name, sizeOfFile(file), head)) };
    }
    case 'encode': return { id, text: await call((module) => module.encode(order.name, order.text)) };
    case 'decode': return { id, text: await call((module) => module.decode(order.name, JSON.stringify(order.ids))) };
    case 'next': case 'nextBeside': {
      await weightsOf(order.name, (done, all) => port.postMessage({ id, done, all }));
      const began = performance.now();
      const text = await call((module) =>
        module[order.kind](order.name, order.document, JSON.stringify(order.request)));
      const took = { milliseconds: performance.now() - began };
      return { id, text: JSON.stringify({ ...(JSON.parse(text) as object), ...took }) };
    }
  }
}

// What the module throws, it died of: memory that ran out, in most cases. A file that cannot be read is an answer.
async function take(order: Order): Promise<void> {
  try {
    port.postMessage(await answer(order));
  } catch (problem) {
    if (!(problem instanceof FileProblem)) return sayEnd('crashed', problem);
    port.postMessage({ id: order.id, text: JSON.stringify({ error: { path: '', message: problem.message } }) });
  }
}

port.onmessage = ({ data: order }) => {
  if ('wasmUrl' in order) {
    instance = Instance.start(() => create({ locateFile: () => order.wasmUrl }));
    // Without its module it can do nothing.
    return void instance.catch((problem: unknown) => sayEnd('unloaded', problem));
  }
  last = last.then(() => take(order));
};
