// SPDX-License-Identifier: Apache-2.0
// The engine for programs: experiment documents in, named tensors out. Works in pages and in Node.
import create, { type MainModule } from './attention.mjs';
import { relaxedUrl } from './builds.mjs';
import { headingOf, type Worded } from './heading.ts';
import { Instance, Stopped } from './instance.ts';
import { hasRelaxed } from './relaxed.ts';
import { OpenDocument, parsed } from './session.ts';
import { unpack } from './unpack.ts';
import type { Experiment, Format, LoadOptions, Playground, Result, Session } from './types.ts';
import { ExperimentError } from './types.ts';

export { ExperimentError } from './types.ts';
export type * from './types.ts';

const asText = (experiment: Experiment): string =>
  typeof experiment === 'string' ? experiment : JSON.stringify(experiment);

class Direct implements Playground {
  readonly #instance: Instance<MainModule>;

  constructor(instance: Instance<MainModule>) {
    this.#instance = instance;
  }

  async run(experiment: Experiment): Promise<Result> {
    const { directory, data } = await this.#ask((module) => module.run(asText(experiment)));
    return unpack(String(directory), data);
  }

  open(experiment: Experiment): Promise<Session> {
    return OpenDocument.open(this.#instance, asText(experiment));
  }

  // Not in the module: it comes when it is asked for.
  async catalogue(): Promise<unknown> {
    return (await import('./catalogue.mjs')).default;
  }

  async normalise(experiment: Experiment): Promise<Record<string, unknown>> {
    return parsed(await this.#ask((module) => module.normalise(asText(experiment))));
  }

  async exportCode(experiment: Experiment, format: Format): Promise<string> {
    const text = asText(experiment);
    // A document of several modules has its own title.
    const { mechanism } = (await this.normalise(text)) as { mechanism?: { type: string } };
    const { mechanisms } = (await this.catalogue()) as { mechanisms: Worded[] };
    const heading = headingOf(mechanisms.find(({ id, kind }) =>
      (kind === 'structure' || kind === 'core') && id === mechanism?.type));
    return parsed<{ code: string }>(await this.#ask((module) => module.exportCode(text, format, heading))).code;
  }

  async explain(experiment: Experiment, tensor: string, index: number[]): Promise<Record<string, unknown>> {
    return parsed(await this.#ask((module) => module.explain(asText(experiment), tensor, JSON.stringify(index))));
  }

  async example(id: string): Promise<Record<string, unknown>> {
    return parsed(await this.#ask((module) => module.example(id)));
  }

  async words(file: Uint8Array): Promise<void> {
    parsed(await this.#ask((module) => module.words(file)));
  }

  close(): void {}

  /** A document that stops the engine is as wrong as one that it refuses; the next call works as well. */
  async #ask<Answer>(work: (module: MainModule) => Answer): Promise<Answer> {
    try {
      return await this.#instance.call(work);
    } catch (problem) {
      throw problem instanceof Stopped ? new ExperimentError('', problem.message) : problem;
    }
  }
}

/**
 * The engine in this thread: its faster build where WebAssembly has relaxed SIMD. `wasmUrl` and `relaxedWasmUrl` say
 * where
 * the files lie when they are not beside this module; where only `wasmUrl` is given, it serves everywhere.
 */
export async function load(options: LoadOptions = {}): Promise<Playground> {
  const { wasmUrl, relaxedWasmUrl } = options;
  const relaxed = relaxedWasmUrl ?? (wasmUrl === undefined ? relaxedUrl() : undefined);
  const address = relaxed !== undefined && hasRelaxed() ? relaxed : wasmUrl;
  const where = address === undefined ? {} : { locateFile: () => address };
  return new Direct(await Instance.start(() => create({ ...where })));
}

const methods = ['run', 'catalogue', 'normalise', 'exportCode', 'explain', 'example', 'words'] as const;

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
  const open = async (experiment: Experiment): Promise<Session> => {
    const id = await call('open', [experiment]);
    return Object.fromEntries((['change', 'read', 'explain', 'document', 'close'] as const).map((name) =>
      [name, (...args: unknown[]) => call('session', [id, name, ...args])])) as unknown as Session;
  };
  return { ...face, open, close: () => worker.terminate() } as unknown as Playground;
}
