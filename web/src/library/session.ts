// SPDX-License-Identifier: Apache-2.0
import type { MainModule } from './attention.mjs';
import type { Instance } from './instance.ts';
import { unpackTensors } from './unpack.ts';
import { ExperimentError, type ReadOptions, type Session, type Tensors } from './types.ts';

type Value = number | string | boolean | null | object;
const isNumbers = (value: Value): value is Float32Array | Float64Array =>
  value instanceof Float32Array || value instanceof Float64Array;

/** JSON text from the engine as a value; its errors become exceptions. */
export function parsed<T>(text: string): T {
  const value = JSON.parse(text) as T & { error?: { path: string; message: string } };
  if (value.error !== undefined) throw new ExperimentError(value.error.path, value.error.message);
  return value;
}

// Milliseconds of computing between two looks at whether the reading was given up.
const SLICE = 50;
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** A document that is open in an instance of the engine, and ends with it. */
export class OpenDocument implements Session {
  readonly #instance: Instance<MainModule>;
  readonly #module: MainModule;
  readonly #handle: number;

  private constructor(instance: Instance<MainModule>, module: MainModule, handle: number) {
    this.#instance = instance;
    this.#module = module;
    this.#handle = handle;
  }

  static open(instance: Instance<MainModule>, text: string): Promise<OpenDocument> {
    return instance.call((module) =>
      new OpenDocument(instance, module, parsed<{ handle: number }>(module.open(text)).handle));
  }

  async change(changes: Record<string, Value>): Promise<void> {
    const plain = Object.entries(changes).filter(([, value]) => !isNumbers(value));
    const packed = Object.entries(changes).filter(([, value]) => isNumbers(value));
    const numbers = Float64Array.from(packed.flatMap(([, value]) => Array.from(value as Float64Array)));
    await this.#ask((module) => parsed(module.change(this.#handle, JSON.stringify(Object.fromEntries(plain)),
      JSON.stringify(packed.map(([pointer]) => pointer)), numbers)));
  }

  async read(names: string[] = [], { signal, slice = SLICE }: ReadOptions = {}): Promise<Tensors> {
    const step = () => this.#ask((module) => parsed<{ share: number }>(module.step(this.#handle, slice)).share);
    for (signal?.throwIfAborted(); (await step()) < 1; signal?.throwIfAborted()) await pause();
    const { directory, data } = await this.#ask((module) => module.read(this.#handle, JSON.stringify(names)));
    return unpackTensors(String(directory), data);
  }

  explain(tensor: string, index: number[]): Promise<Record<string, unknown>> {
    return this.#ask((module) => parsed(module.explainOpen(this.#handle, tensor, JSON.stringify(index))));
  }

  document(): Promise<Record<string, unknown>> {
    return this.#ask((module) => parsed(module.document(this.#handle)));
  }

  async close(): Promise<void> {
    await this.#ask((module) => parsed(module.close(this.#handle)));
  }

  #ask<Answer>(work: (module: MainModule) => Answer): Promise<Answer> {
    return this.#instance.call((module) => {
      if (module !== this.#module) throw new ExperimentError('',
        'the engine was started again after a failure, and what was open ended with it; open the document again');
      return work(module);
    });
  }
}
