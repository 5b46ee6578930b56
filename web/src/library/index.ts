// SPDX-License-Identifier: Apache-2.0
// The engine for programs: experiment documents in, named tensors out. Works in pages and in Node.
import create, { type MainModule } from './attention.mjs';
import { unpack } from './unpack.ts';
import type { Experiment, Format, LoadOptions, Playground, Result } from './types.ts';
import { ExperimentError } from './types.ts';

export { ExperimentError } from './types.ts';
export type * from './types.ts';

const asText = (experiment: Experiment): string =>
  typeof experiment === 'string' ? experiment : JSON.stringify(experiment);

/** JSON text from the engine as a value; its errors become exceptions. */
function parsed<T>(text: string): T {
  const value = JSON.parse(text) as T & { error?: { path: string; message: string } };
  if (value.error !== undefined) throw new ExperimentError(value.error.path, value.error.message);
  return value;
}

class Direct implements Playground {
  readonly #module: MainModule;

  constructor(module: MainModule) {
    this.#module = module;
  }

  async run(experiment: Experiment): Promise<Result> {
    const { directory, data } = this.#module.run(asText(experiment));
    return unpack(String(directory), data);
  }

  async catalogue(): Promise<unknown> {
    return parsed(this.#module.catalogue());
  }

  async normalise(experiment: Experiment): Promise<Record<string, unknown>> {
    return parsed(this.#module.normalise(asText(experiment)));
  }

  async exportCode(experiment: Experiment, format: Format): Promise<string> {
    return parsed<{ code: string }>(this.#module.exportCode(asText(experiment), format)).code;
  }

  async explain(experiment: Experiment, tensor: string, index: number[]): Promise<Record<string, unknown>> {
    return parsed(this.#module.explain(asText(experiment), tensor, JSON.stringify(index)));
  }

  async example(id: string): Promise<Record<string, unknown>> {
    return parsed(this.#module.example(id));
  }

  close(): void {}
}

/** The engine in this thread. `wasmUrl` says where attention.wasm lies when it is not beside this module. */
export async function load(options: LoadOptions = {}): Promise<Playground> {
  const { wasmUrl } = options;
  const module = await create(wasmUrl === undefined ? {} : { locateFile: () => wasmUrl });
  return new Direct(module);
}

const methods = ['run', 'catalogue', 'normalise', 'exportCode', 'explain', 'example'] as const;

/** The same face, computed in a module worker. Only where workers exist: in pages. */
export async function loadInWorker(options: LoadOptions = {}): Promise<Playground> {
  if (typeof Worker === 'undefined') {
    throw new Error('loadInWorker needs Worker, which is missing here; use load()');
  }
  // In a variable, so that a bundler leaves the file where it is, beside attention.mjs.
  const file = './worker.js';
  const worker = new Worker(options.workerUrl ?? new URL(file, import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  let next = 0;
  worker.onmessage = ({ data: reply }) => {
    const { resolve, reject } = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if ('value' in reply) resolve(reply.value);
    else reject(reply.path === undefined ? new Error(reply.message) : new ExperimentError(reply.path, reply.message));
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(`the worker failed: ${event.message}`));
    waiting.clear();
  };
  const call = (method: string, args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(++next, { resolve, reject });
      worker.postMessage({ id: next, method, args });
    });
  await call('load', [options]);
  const face = Object.fromEntries(methods.map((name) => [name, (...args: unknown[]) => call(name, args)]));
  return { ...face, close: () => worker.terminate() } as unknown as Playground;
}
