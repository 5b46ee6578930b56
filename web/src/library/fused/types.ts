// SPDX-License-Identifier: Apache-2.0

/** Matrices are row-major Float32Arrays, heads outermost. What is not given is found from the lengths. */
export interface AttentionInput {
  /** Queries, [heads m d]. */
  q: Float32Array;
  /** Keys, [heads n d]. */
  k: Float32Array;
  /** Values, [heads n dv]. */
  v: Float32Array;
  /** Width of a query and of a key. */
  d: number;
  /** 1 when not given. */
  heads?: number;
  /** Queries of a head. */
  m?: number;
  /** Keys of a head. */
  n?: number;
  /** Width of a value. */
  dv?: number;
  /** 1 / sqrt(d) when not given. */
  scale?: number;
  /** No query attends keys behind its own place. */
  causal?: boolean;
  /** How many keys before and after its own place a query attends, or both as a pair. */
  window?: number | readonly [before: number, after: number];
  /** Query i stands at the place of key i + offset; 0 when not given. */
  offset?: number;
  /** Added to the scores: [heads m n], or [m n] for all heads. */
  bias?: Float32Array;
  /** 0 excludes a key: [heads m n], [m n] for all heads, or [n] for all queries. */
  mask?: Float32Array;
  /** Where the output goes, so that nothing is allocated for it. */
  out?: Float32Array;
  /** Only these queries of every head, from the first to before the last; the output has no others. */
  rows?: readonly [first: number, last: number];
}

export interface AttentionOutput {
  /** [heads m dv]. A query with nothing to attend gets zeros. */
  output: Float32Array;
  /** Of every query the largest score (times log2 e), [heads m]. */
  largest: Float32Array;
  /** Of every query the sum of exp(score - largest), [heads m]. */
  sum: Float32Array;
}

export interface GradientInput extends Omit<AttentionInput, 'rows' | 'out'> {
  /** The gradient of the output, [heads m dv]. */
  upstream: Float32Array;
}

export interface Gradients extends AttentionOutput {
  /** The gradients of q, k, v, in their shapes. */
  dq: Float32Array;
  dk: Float32Array;
  dv: Float32Array;
  /** That of the bias, if there is one, in its shape. */
  dbias?: Float32Array;
}

export interface RowInput extends Omit<AttentionInput, 'v' | 'dv' | 'rows' | 'out'> {
  head?: number;
  row: number;
  /** [n]. */
  out?: Float32Array;
}

/** Weights of a multi-head module, each [width width], applied from the right. */
export interface Projections {
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  o: Float32Array;
}

/** Projections that stay in the engine's memory, so that calls need not copy them. */
export interface KeptProjections {
  readonly width: number;
  free(): void;
}

export interface MultiHeadInput extends Pick<AttentionInput, 'causal' | 'window' | 'offset' | 'bias' | 'mask' | 'out'> {
  /** The rows that ask, [m width]. */
  x: Float32Array;
  /** The rows that are asked, [n width]; x when not given. */
  y?: Float32Array;
  weights: Projections | KeptProjections;
  heads: number;
  width: number;
}

export interface Fused {
  /** The build that was loaded. */
  readonly build: 'relaxed' | 'plain';
  /** softmax(scale q kᵀ + bias) v. */
  attention(input: AttentionInput): AttentionOutput;
  /** The same with the gradients of q, k, v and the bias. */
  attentionGradient(input: GradientInput): Gradients;
  /** The weights of one query, [n], without those of the others. */
  attentionRow(input: RowInput): Float32Array;
  /** Projections, attention in heads, merge. */
  multiHead(input: MultiHeadInput): AttentionOutput;
  keep(weights: Projections, width: number): KeptProjections;
  /** Gives back what the calls so far have taken; the next call takes anew. */
  release(): void;
}

export interface FusedOptions {
  /** Where fused.wasm lies, when it is not beside the module. Alone, it is the file for every browser. */
  wasmUrl?: string;
  /** Where fused-relaxed.wasm lies. */
  relaxedWasmUrl?: string;
  /** The build, rather than the one that the browser can run. */
  build?: 'relaxed' | 'plain';
}
