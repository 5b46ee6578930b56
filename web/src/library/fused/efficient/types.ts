// SPDX-License-Identifier: Apache-2.0

/** A weight for each pair that is a product of features, phi(q_i) . phi(k_j), divided by the row's sum. */
export interface Features {
  kind: 'features';
  /** `given`: q and k are features. `positive`, `rectified`, `fourier`: of drawn rows, as the Performer's and RFA's. */
  map?: 'given' | 'elu+1' | 'relu' | 'exp' | '1+x' | 'positive' | 'rectified' | 'fourier';
  /** The drawn rows, [r d], one for all heads. */
  drawn?: Float32Array;
  causal?: boolean;
  /** false: the sums as they are, fast weights without the delta rule. */
  divide?: boolean;
  /** Each row of features is divided by its sum. */
  sumNorm?: boolean;
  /** g_t between 0 and 1, [heads n] or [n]: S_t = g_t S_{t-1} + (1 - g_t) phi(k_t) v_t. Causal only; constants. */
  gates?: Float32Array;
}

/** Fast weights with the delta rule: W_t = W_{t-1} + beta_t phi(k_t) (v_t - phi(k_t) W_{t-1}), out_t = phi(q_t) W_t. */
export interface Delta {
  kind: 'delta';
  map?: 'given' | 'elu+1' | 'relu' | 'exp' | '1+x';
  /** Each row of features is divided by its sum; without it the steps may grow without bound. */
  sumNorm?: boolean;
  /** [heads n]; 1 everywhere when not given. */
  beta?: Float32Array;
}

/** Keys fade out with their distance x: the weights times clip((ramp + z - x) / ramp, 0, 1). */
export interface Spans {
  kind: 'spans';
  /** Spans: one, one for each head, or [heads m]. */
  z: Float32Array;
  ramp: number;
  causal?: boolean;
}

/** Queries of a cluster share the row of weights of their mean. */
export interface Clusters {
  kind: 'clusters';
  clusters: number;
  /** The cluster of each query, [m]. */
  of: readonly number[];
}

/**
 * A Gaussian kernel e^{-scale |q - k|^2 / 2} through landmarks, rows of [q; k]:
 * c(Q, L) (c(L, L) + ridge I)^-1 c(L, K) V.
 */
export interface Landmarks {
  kind: 'landmarks';
  landmarks: readonly number[];
  ridge?: number;
}

/** Row i sees i - l .. i (`first`) and j <= i with (i - j) mod l = 0 (`second`). */
export interface Strided {
  kind: 'strided';
  l: number;
  part?: 'both' | 'first' | 'second';
}

/** Row i sees its own block of l (`first`) and the last c keys of every block (`second`), always j <= i. */
export interface Fixed {
  kind: 'fixed';
  l: number;
  c: number;
  part?: 'both' | 'first' | 'second';
}

/** Block b of queries sees the blocks of keys in lists[b]. */
export interface Blocks {
  kind: 'blocks';
  size: number;
  lists: readonly (readonly number[])[];
  causal?: boolean;
}

/** Keys are the queries at length 1, and `k` is not given; h(x) = argmax [x R ; -x R], sorted, in chunks. */
export interface Hashed {
  kind: 'hashed';
  /** R, [heads rounds d buckets/2], or without the heads for all. */
  planes: Float32Array;
  rounds: number;
  buckets: number;
  chunk: number;
  causal?: boolean;
}

/** Keys E k and values G v, r rows of each. */
export interface Mixed {
  kind: 'mixed';
  /** E and G, [r n]. */
  e: Float32Array;
  g: Float32Array;
}

export interface EfficientInput {
  form: Features | Delta | Strided | Fixed | Blocks | Hashed | Mixed | Spans | Clusters | Landmarks;
  /** Queries, [heads m d]. */
  q: Float32Array;
  /** Keys, [heads n d]. */
  k?: Float32Array;
  /** Values, [heads n dv]. */
  v: Float32Array;
  d: number;
  heads?: number;
  /** Of the scores, where the form has any: 1 / sqrt(d) when not given. */
  scale?: number;
  /** Where the output goes, so that nothing is allocated for it. */
  out?: Float32Array;
}

export interface EfficientOutput {
  /** [heads m dv]. */
  output: Float32Array;
}

export interface EfficientGradients {
  dq: Float32Array;
  /** Not of a form whose keys are the queries. */
  dk?: Float32Array;
  dv: Float32Array;
  /** Of spans: laid as z. */
  dz?: Float32Array;
  /** Of the delta rule with beta: [heads n]. */
  dbeta?: Float32Array;
  /** Of features with gates, as these lie: [heads n] or [n]. */
  dgates?: Float32Array;
}

export interface Efficient {
  /** The build that was loaded. */
  readonly build: 'relaxed' | 'plain';
  attention(input: EfficientInput): EfficientOutput;
  /** The same with the gradients of q, k and v, of spans, beta and gates; what was drawn or mixes is constant. */
  attentionGradient(input: EfficientInput & { upstream: Float32Array }): EfficientOutput & EfficientGradients;
  /** Gives back what the calls so far have taken; the next call takes anew. */
  release(): void;
}
