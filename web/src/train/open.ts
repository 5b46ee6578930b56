// SPDX-License-Identifier: Apache-2.0
import { engineAddress } from '../engine/load.ts';
import worker from './worker.ts?worker&url';
import { Training, type TrainerPort } from './training.ts';

/** A training with a worker of its own. */
export const openTraining = (): Training =>
  new Training(() => new Worker(new URL(worker, document.baseURI), { type: 'module', name: 'training' }) as unknown as TrainerPort, engineAddress);
