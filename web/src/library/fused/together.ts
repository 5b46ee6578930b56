// SPDX-License-Identifier: Apache-2.0
import { bytesOf, copied } from './carry.ts';
import type { Input } from './gather.ts';

/** Shared memory for one call at a time: all workers read one copy of the inputs and write their rows of the output. */
export class Together {
  private buffer = new SharedArrayBuffer(0);

  bring(input: Input, output: number): Input {
    const bytes = bytesOf(input, output);
    if (bytes > this.buffer.byteLength) this.buffer = new SharedArrayBuffer(bytes);
    return copied(input, output, this.buffer);
  }
}
