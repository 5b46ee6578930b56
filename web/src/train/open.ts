// SPDX-License-Identifier: Apache-2.0
import wasm from '../../../build/wasm/bin/training.wasm?url';
import relaxedWasm from '../../../build/wasm/bin/training-relaxed.wasm?url';
import { engineUrls } from '../engine/load.ts';
import { lineTo, type LinePort, type OpenLine } from '../engine/line.ts';
import { startWorker } from '../engine/start-worker.ts';
import { hasRelaxed } from '../library/relaxed.ts';
import type { News, Order, Shared } from './messages.ts';
import { Pool } from './pool.ts';
import helper from './share-worker.ts?worker&url';
import worker from './trainer.ts?worker&url';
import { Training } from './training.ts';

const absolute = (address: string): string => new URL(address, document.baseURI).href;

/** A worker that trains or measures. */
export const openPort = (): LinePort<Shared<Order>> => startWorker(absolute(worker), 'training');
/** A line to such a worker of its own. */
export const openAlone: OpenLine<Order, News> = lineTo(openPort);
// So many workers train several models at once: the page and its engine want to live too.
const LANES = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
/** Few workers for many trainings. */
export const openPool = (): Pool => new Pool(openPort, LANES);
/** Where the engine of these workers lies. */
export const engineAt = (): string => absolute(hasRelaxed() ? relaxedWasm : wasm);
/** The second worker of a training, where two may share memory and there is a core for it. */
const helperAt = (): string | undefined => (globalThis.crossOriginIsolated && navigator.hardwareConcurrency > 1
  ? absolute(helper) : undefined);

/** How many workers can train one model here. */
export const workersForOne = (): number => (helperAt() === undefined ? 1 : 2);

/** A training; `keeps`: a reload goes on with it. */
export const openTraining = (keeps = true, open = openAlone): Training => new Training(open, engineAt, keeps, undefined,
  engineUrls, helperAt);
