// SPDX-License-Identifier: Apache-2.0
import wasm from '../../../build/wasm/bin/attention.wasm?url';
import worker from './worker.ts?worker&url';
import { Client } from './client.ts';
import { SafePort } from './port.ts';

export interface Where {
  /** The address of attention.wasm. */
  wasmUrl?: string;
  /** The address of the worker's module. */
  workerUrl?: string;
}

const where: Where = {};

/** Other addresses for the files that the engine needs; for hosts that move files. Call it before the first element starts. */
export function configure(options: Where): void {
  Object.assign(where, options);
}

const absolute = (address: string): string => new URL(address, document.baseURI).href;

export function load(): Client {
  return new Client(() => new SafePort(absolute(where.workerUrl ?? worker), absolute(where.wasmUrl ?? wasm)));
}
