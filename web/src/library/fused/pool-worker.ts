// SPDX-License-Identifier: Apache-2.0
// Computes pieces of attention for the pool that started it.
import { fusedWith } from './engine.ts';
import type { Method, Reply, Request } from './port.ts';
import { apart } from './results.ts';
import type { AttentionInput, Fused, FusedOptions, GradientInput } from './types.ts';

interface Parent {
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void;
}

let fused: Fused | undefined;

async function answer({ method, input }: Request): Promise<unknown> {
  if (method === 'start') {
    fused = await fusedWith(apart, input as FusedOptions); // the arrays are transferred
    return fused.build;
  }
  const call = { attention: (x: unknown) => fused!.attention(x as AttentionInput),
    attentionGradient: (x: unknown) => fused!.attentionGradient(x as GradientInput) };
  return (input as unknown[]).map(call[method as Method]);
}

// Buffers to transfer: shared ones stay where they are.
function buffersOf(value: unknown, carry: ArrayBuffer | undefined): ArrayBuffer[] {
  const arrays = Array.isArray(value) ? value.flatMap((one) => Object.values(one as Record<string, Float32Array>)) : [];
  const buffers = new Set(arrays.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer));
  if (carry) buffers.add(carry);
  return [...buffers];
}

async function serve(parent: Parent, request: Request): Promise<void> {
  const { id, carry } = request;
  try {
    const value = await answer(request);
    parent.postMessage({ id, value, carry }, buffersOf(value, carry));
  } catch (problem) {
    parent.postMessage({ id, problem: problem instanceof Error ? problem.message : String(problem), carry },
      buffersOf(undefined, carry));
  }
}

if (typeof self === 'undefined') {
  const threads = 'node:worker_threads';
  const { parentPort } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
  parentPort.on('message', (request: Request) => void serve(parentPort, request));
} else {
  const parent = self as unknown as Parent;
  self.onmessage = ({ data }: MessageEvent<Request>) => void serve(parent, data);
}
