// SPDX-License-Identifier: Apache-2.0

/** An experiment document (schema/experiment.schema.json), as an object or as its JSON text. */
export type Experiment = object | string;
export type Format = 'pytorch' | 'numpy' | 'latex';

export interface Tensor {
  /** Extents, outermost first; [] is a scalar. */
  shape: number[];
  /** Row-major. */
  data: Float32Array;
}

export interface Step extends Tensor {
  /** A LaTeX symbol. */
  name: string;
  formula: string;
}

/** What a computation takes, known from its shapes: upper bounds where `exact` is false, because the data decide. */
export interface Cost {
  /** Multiplications with the additions that follow them, and all other arithmetic. */
  multiply_adds: number;
  /** Exponentials, logarithms, powers, tanh, sigmoid, erf, sin, cos, arccos. */
  exponentials: number;
  /** Read and written. */
  bytes: number;
  exact: boolean;
}

export interface Result {
  outputs: Record<string, Tensor>;
  parameters: Record<string, Tensor>;
  gradients: Record<string, Tensor>;
  inputs: Record<string, Tensor>;
  steps: Step[];
  /** Token labels by the symbol of an axis: m for queries, n for keys. */
  labels: Record<string, string[]>;
  warnings: { path: string; message: string }[];
  /** Of the outputs, without gradients; `context` is that of the context alone, where there is one. */
  cost: Cost & { context?: Cost };
  /** The document with every default filled in. */
  document: Record<string, unknown>;
}

/** The tensors of an open document that were asked for. */
export type Tensors = Pick<Result, 'outputs' | 'parameters' | 'gradients' | 'inputs' | 'steps' | 'warnings'>;

export interface ReadOptions {
  /** Gives the reading up between two slices. Not with loadInWorker(). */
  signal?: AbortSignal;
  /** Milliseconds of computing between two looks at the signal; 50 unless given. */
  slice?: number;
}

/** A document that stays open: a change computes only what depends on it. */
export interface Session {
  /**
   * Makes changes at once, all or none: values by JSON pointer, such as `{ '/mechanism/alignment/temperature': 2 }`. A
   * typed array replaces the numbers of a list and keeps its shape. Throws ExperimentError where one is refused.
   */
  change(changes: Record<string, number | string | boolean | null | object>): Promise<void>;
  /** The tensors of these names, such as `['outputs/weights']`; all, where there are none. */
  read(names?: string[], options?: ReadOptions): Promise<Tensors>;
  explain(tensor: string, index: number[]): Promise<Record<string, unknown>>;
  /** The document as it is now. */
  document(): Promise<Record<string, unknown>>;
  /** Frees its memory; any other call throws from then on. */
  close(): Promise<void>;
}

export interface LoadOptions {
  /** Where attention.wasm lies, when it is not beside the module. */
  wasmUrl?: string;
  /** Where attention-relaxed.wasm lies: the faster build, taken where WebAssembly has relaxed SIMD. */
  relaxedWasmUrl?: string;
  /** Where worker.js lies, for loadInWorker() in a bundle. */
  workerUrl?: string;
}

export interface Playground {
  /** Throws ExperimentError when the document is wrong; the next call works. */
  run(experiment: Experiment): Promise<Result>;
  /** Opens a document for many changes and readings. */
  open(experiment: Experiment): Promise<Session>;
  catalogue(): Promise<unknown>;
  normalise(experiment: Experiment): Promise<Record<string, unknown>>;
  exportCode(experiment: Experiment, format: Format): Promise<string>;
  explain(experiment: Experiment, tensor: string, index: number[]): Promise<Record<string, unknown>>;
  /** A small document that puts a mechanism to work. */
  example(id: string): Promise<Record<string, unknown>>;
  /**
   * Hands over word vectors, the bytes of words-small.bin or words-large.bin, before a document whose features are
   * `words`.
   */
  words(file: Uint8Array): Promise<void>;
  /** Ends the worker, if there is one. */
  close(): void;
}

/** A document that is wrong: the JSON pointer of the field, and what was expected and found. */
export class ExperimentError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'ExperimentError';
    this.path = path;
  }
}
