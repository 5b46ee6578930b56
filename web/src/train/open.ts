// SPDX-License-Identifier: Apache-2.0
import wasm from '../../../build/wasm/bin/training.wasm?url';
import relaxedWasm from '../../../build/wasm/bin/training-relaxed.wasm?url';
import { startWorker } from '../engine/start-worker.ts';
import { hasRelaxed } from '../library/relaxed.ts';
import worker from './trainer.ts?worker&url';
import { Training, type TrainerPort } from './training.ts';

const absolute = (address: string): string => new URL(address, document.baseURI).href;

/** A training with a worker of its own; `keeps`: a reload goes on with it. */
export const openTraining = (keeps = true): Training =>
  new Training(() => startWorker(absolute(worker), 'training') as unknown as TrainerPort,
    () => absolute(hasRelaxed() ? relaxedWasm : wasm), keeps);
