// SPDX-License-Identifier: Apache-2.0
// A worker that trains, with an instance of the engine of its own: nothing on the page waits for it. Several trainings
// may share it.
import create from 'attention-training';
import { sayAlive, sayEnd } from '../engine/worker-signs.ts';
import { problemsOf } from './problems.ts';
import type { Begun, News, Order, Shared, Trainer } from './messages.ts';
import { writeModule } from './module-writer.ts';
import { lineTo } from '../engine/line.ts';
import { startWorker } from '../engine/start-worker.ts';
import { Team } from './team.ts';
import { Trainee } from './trainee.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Shared<Order>>) => void;
  postMessage(news: Shared<News>, transfer?: Transferable[]): void };
const trainees = new Map<number | undefined, Trainee>();
let module: Promise<Trainer> | undefined;

sayAlive();

function load(wasmUrl: string): Promise<Trainer> {
  module ??= create({ locateFile: () => wasmUrl });
  // Without its engine it can do nothing.
  module.catch((problem: unknown) => sayEnd('unloaded', problem));
  return module;
}

// Only a training that has its worker for itself gets a second one: several models have a worker for each core.
function teamOf(engine: Trainer, begun: Begun, { document, wasmUrl, helper }: Extract<Order, { kind: 'begin' }>):
Team | undefined {
  const { shares } = begun;
  return shares && helper !== undefined
    ? new Team(engine, lineTo(() => startWorker(helper, 'share')), { begun, shares, document, wasmUrl }) : undefined;
}

const tellOf = (of: number | undefined) => (news: News): void => {
  const own = news.kind === 'progress' ? [...news.shots.map(({ weights }) => weights.buffer),
    ...news.checkpoints.map(({ bytes }) => bytes.buffer)] : [];
  port.postMessage(of === undefined ? news : { ...news, of }, own as ArrayBuffer[]);
};

port.onmessage = ({ data: { of, ...order } }) => {
  if (order.kind === 'module') {
    load(order.wasmUrl).then((engine) => writeModule(engine, order)).then((news) => port.postMessage(news),
      (problem: unknown) => sayEnd('crashed', problem));
    return;
  }
  if (order.kind === 'fits') {
    load(order.wasmUrl).then((engine) => port.postMessage({ kind: 'fits', problems: problemsOf(engine, order.trials) }))
      .catch((problem: unknown) => sayEnd('crashed', problem));
    return;
  }
  const trainee = trainees.get(of) ?? new Trainee(load, tellOf(of),
    (...what) => import('./inner-engine.ts').then(({ openInner }) => openInner(...what)),
    of === undefined ? teamOf : undefined);
  trainees.set(of, trainee);
  if (order.kind === 'close') trainees.delete(of);
  // What it throws, the engine died of.
  trainee.obey(order as Order).catch((problem: unknown) => sayEnd('crashed', problem));
};
