// SPDX-License-Identifier: Apache-2.0
import wasm from '../../../build/wasm/bin/import.wasm?url';
import relaxedWasm from '../../../build/wasm/bin/import-relaxed.wasm?url';
import { lineTo, type LinePort } from '../engine/line.ts';
import { startWorker } from '../engine/start-worker.ts';
import { hasRelaxed } from '../library/relaxed.ts';
import worker from './importer.ts?worker&url';
import { ModelLine } from './line.ts';
import type { News, Order } from './types.ts';

const absolute = (address: string): string => new URL(address, document.baseURI).href;

function openPort(): LinePort<Order> {
  const port = startWorker(absolute(worker), 'models');
  port.postMessage({ wasmUrl: absolute(hasRelaxed() ? relaxedWasm : wasm) });
  return port;
}

/** A line to a worker of its own, which is started at the first question. */
export const openModels = (): ModelLine => new ModelLine(lineTo<Order, News>(openPort));
