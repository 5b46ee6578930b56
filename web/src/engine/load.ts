// SPDX-License-Identifier: Apache-2.0
import wasm from '../../../build/wasm/bin/attention.wasm?url';
import relaxedWasm from '../../../build/wasm/bin/attention-relaxed.wasm?url';
import smallWords from '../../../data/words/words-small.bin?url';
import largeWords from '../../../data/words/words-large.bin?url';
import translate from '../../../examples/trained/translate.safetensors?url';
import worker from './worker.ts?worker&url';
import { Client } from './client.ts';
import { keptWeights } from './kept.ts';
import { SafePort } from './port.ts';
import { bytesAt } from './bytes.ts';
import { hasRelaxed } from '../library/relaxed.ts';

export interface Where {
  /** The address of attention.wasm. */
  wasmUrl?: string;
  /** The address of attention-relaxed.wasm, the faster build, for where WebAssembly has relaxed SIMD. */
  relaxedWasmUrl?: string;
  /** The addresses of words-small.bin and words-large.bin. */
  wordsUrls?: string[];
  /** The addresses of files of weights, by the name that documents give in `parameters.from`. */
  weightsUrls?: Record<string, string>;
  /** The address of the worker's module. */
  workerUrl?: string;
}

const where: Where = {};

/**
 * Other addresses for the files that the engine needs; for hosts that move files. Call it before the first element
 * starts.
 */
export function configure(options: Where): void {
  Object.assign(where, options);
}

// The weights that ship with the page, by the names that the documents beside them use.
const shipped: Record<string, string> = { 'translate.safetensors': translate };

const absolute = (address: string): string => new URL(address, document.baseURI).href;

// A host that moved only attention.wasm has that one everywhere.
function engineUrl(): string {
  const relaxed = where.relaxedWasmUrl ?? (where.wasmUrl === undefined ? relaxedWasm : undefined);
  return relaxed !== undefined && hasRelaxed() ? relaxed : (where.wasmUrl ?? wasm);
}

/** The bytes of a file of weights that a document names: one that ships with the page, or one of the reader's own. */
export async function weightsNamed(name: string): Promise<Uint8Array | undefined> {
  const known = { ...shipped, ...where.weightsUrls };
  const address = Object.hasOwn(known, name) ? known[name] : undefined;
  return address === undefined ? keptWeights(name) : bytesAt(absolute(address));
}

const weightsUrls = (): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...shipped, ...where.weightsUrls })
    .map(([name, address]) => [name, absolute(address)]));
const wordsUrls = (): string[] => (where.wordsUrls ?? [smallWords, largeWords]).map(absolute);

/** The addresses are asked when the engine starts, so that `configure` may come after an element was made. */
export function load(): Client {
  const files = () => ({ wasmUrl: absolute(engineUrl()), wordsUrls: wordsUrls(), weightsUrls: weightsUrls() });
  return new Client(() => new SafePort(absolute(where.workerUrl ?? worker), files()));
}
