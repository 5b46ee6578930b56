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

const newLine = (): ModelLine => new ModelLine(lineTo<Order, News>(openPort));
let warm: ModelLine | undefined;

/** Starts a worker for whoever opens the next line. */
export function warmModels(): void {
  warm ??= newLine();
  warm.warm();
}

/** A line to a worker of its own, which is started at the first question at the latest. */
export function openModels(): ModelLine {
  const line = warm ?? newLine();
  warm = undefined;
  return line;
}
