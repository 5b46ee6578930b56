// SPDX-License-Identifier: Apache-2.0
import type { Input } from './gather.ts';

const FIELDS = ['q', 'k', 'v', 'bias', 'mask', 'upstream'] as const;
const LINE = 64; // bytes

const rounded = (bytes: number): number => Math.ceil(bytes / LINE) * LINE;

/** Bytes that the arrays of a call take, with room for its output. */
export function bytesOf(call: Input, output: number): number {
  return FIELDS.reduce((sum, field) => sum + rounded(call[field]?.byteLength ?? 0), rounded(4 * output));
}

/** The call over copies of its arrays that begin at byte `at` of the buffer, its output behind them. */
export function copied(call: Input, output: number, buffer: ArrayBufferLike, at = 0): Input {
  const copy: Input = { ...call, out: undefined };
  const view = (length: number): Float32Array => {
    const array = new Float32Array(buffer, at, length);
    at += rounded(4 * length);
    // TypeScript tells shared arrays apart; the calls read and write them alike.
    return array as unknown as Float32Array<ArrayBuffer>;
  };
  for (const field of FIELDS) {
    const array = call[field];
    if (array === undefined) continue;
    copy[field] = view(array.length);
    copy[field]!.set(array);
  }
  if (output > 0) copy.out = view(output);
  return copy;
}

/**
 * One buffer that goes to a worker with its calls and comes back with the results: new memory would cost more than the
 * copies.
 */
export class Carry {
  private buffer = new ArrayBuffer(0);

  /** The calls over copies in the buffer, which the caller transfers. `outputs`: how long each one's output is. */
  load(calls: Input[], outputs: number[]): { calls: Input[]; buffer: ArrayBuffer } {
    const sizes = calls.map((call, i) => bytesOf(call, outputs[i]!));
    const bytes = sizes.reduce((a, b) => a + b, 0);
    // Transferred and not yet back, or too small.
    if (this.buffer.byteLength < bytes) this.buffer = new ArrayBuffer(bytes);
    let at = 0;
    const loaded = calls.map((call, i) => {
      const copy = copied(call, outputs[i]!, this.buffer, at);
      at += sizes[i]!;
      return copy;
    });
    return { calls: loaded, buffer: this.buffer };
  }

  back(buffer: ArrayBuffer): void {
    this.buffer = buffer;
  }
}
