// SPDX-License-Identifier: Apache-2.0
import parts from 'virtual:engine-files';
import smallWords from '../../../data/words/words-small.bin?url';
import largeWords from '../../../data/words/words-large.bin?url';
import translate from '../../../examples/trained/translate.safetensors?url';
import learned from 'virtual:learned-files';
import worker from './worker.ts?worker&url';
import { Client } from './client.ts';
import { absolute, offerWeights, weightsUrls } from './weight-files.ts';
import { engineWorker, safeLine } from './port.ts';
import { hasRelaxed } from '../library/relaxed.ts';

export { weightsNamed } from './weight-files.ts';

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

// The weights that ship with the page, by the names that the documents beside them use.
offerWeights({ 'translate.safetensors': translate, ...learned });

/**
 * Other addresses for the files that the engine needs; for hosts that move files. Call it before the first element
 * starts.
 */
export function configure(options: Where): void {
  Object.assign(where, options);
  if (options.weightsUrls) offerWeights(options.weightsUrls);
}

// A host that moved only attention.wasm has that one everywhere. What a host moved is the whole engine.
export function engineUrls(): { wasmUrl: string; deferredUrl?: string } {
  const { wasmUrl, relaxedWasmUrl } = where;
  if (relaxedWasmUrl !== undefined && hasRelaxed()) return { wasmUrl: absolute(relaxedWasmUrl) };
  if (wasmUrl !== undefined) return { wasmUrl: absolute(wasmUrl) };
  const { wasm, deferred } = hasRelaxed() ? parts.relaxed : parts.plain;
  return { wasmUrl: absolute(wasm), ...(deferred === undefined ? {} : { deferredUrl: absolute(deferred) }) };
}

const wordsUrls = (): string[] => (where.wordsUrls ?? [smallWords, largeWords]).map(absolute);

/** Where the files lie that a document may need beside the engine. */
export const filesBeside = () => ({ wordsUrls: wordsUrls(), weightsUrls: weightsUrls() });

/** The addresses are asked when the engine starts, so that `configure` may come after an element was made. */
export function load(): Client {
  const files = () => ({ ...engineUrls(), ...filesBeside() });
  return new Client(safeLine(() => engineWorker(absolute(where.workerUrl ?? worker))(), files));
}
