// SPDX-License-Identifier: Apache-2.0
import wasm from '../../../build/wasm/bin/training.wasm?url';
import relaxedWasm from '../../../build/wasm/bin/training-relaxed.wasm?url';
import { startWorker } from '../engine/start-worker.ts';
import { hasRelaxed } from '../library/relaxed.ts';
import worker from './trainer.ts?worker&url';
import { Training, type TrainerPort } from './training.ts';

const absolute = (address: string): string => new URL(address, document.baseURI).href;

/** A worker that trains or measures, and where its engine lies. */
export const openPort = (): TrainerPort => startWorker(absolute(worker), 'training') as unknown as TrainerPort;
export const engineAt = (): string => absolute(hasRelaxed() ? relaxedWasm : wasm);

/** A training with a worker of its own; `keeps`: a reload goes on with it. */
export const openTraining = (keeps = true): Training =>
  new Training(openPort, engineAt, keeps);
