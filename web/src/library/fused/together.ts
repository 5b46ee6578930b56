// SPDX-License-Identifier: Apache-2.0
import type { AttentionInput } from './types.ts';

const FIELDS = ['q', 'k', 'v', 'bias', 'mask', 'upstream'] as const;
type Input = AttentionInput & { upstream?: Float32Array };

/** Shared memory for the inputs of one call at a time, so that all workers read one copy. */
export class Together {
  private buffer = new SharedArrayBuffer(0);

  bring(input: Input): Input {
    const given = FIELDS.filter((field) => input[field] !== undefined);
    const bytes = given.reduce((sum, field) => sum + input[field]!.byteLength, 0);
    if (bytes > this.buffer.byteLength) this.buffer = new SharedArrayBuffer(bytes);
    const brought: Input = { ...input };
    let at = 0;
    for (const field of given) {
      const view = new Float32Array(this.buffer, at, input[field]!.length);
      view.set(input[field]!);
      // TypeScript tells shared arrays apart; the calls only read them.
      brought[field] = view as unknown as Float32Array<ArrayBuffer>;
      at += view.byteLength;
    }
    return brought;
  }
}
