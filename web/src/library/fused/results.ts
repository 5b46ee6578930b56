// SPDX-License-Identifier: Apache-2.0
// Arrays for what a call gives. They are the caller's: no two overlap, and none is ever written again.

/** Copies numbers that end before the next call into an array of their own. */
export interface Results {
  copy(memory: Float32Array, at: number, length: number): Float32Array;
  room(length: number): Float32Array;
}

/** A buffer for every array, as whoever transfers them needs. */
export const apart: Results = {
  copy: (memory, at, length) => memory.slice(at, at + length),
  room: (length) => new Float32Array(length),
};

const SLAB = 256 * 1024; // bytes
const MOST = SLAB / 16; // an array above this gets a buffer of its own
const LINE = 64; // bytes: arrays begin on cache lines

/**
 * Small arrays side by side in one buffer, one behind the other until it is full: a browser takes longer to make a
 * buffer, and much longer to free it, than the kernel takes for a small call.
 */
export class Slab implements Results {
  private buffer = new ArrayBuffer(0);
  private next = 0;

  copy(memory: Float32Array, at: number, length: number): Float32Array {
    if (4 * length > MOST) return memory.slice(at, at + length);
    const array = this.room(length);
    array.set(memory.subarray(at, at + length));
    return array;
  }

  room(length: number): Float32Array {
    const bytes = 4 * length;
    if (bytes > MOST) return new Float32Array(length);
    // A buffer that someone has transferred has no bytes left.
    if (this.next + bytes > this.buffer.byteLength) {
      this.buffer = new ArrayBuffer(SLAB);
      this.next = 0;
    }
    const array = new Float32Array(this.buffer, this.next, length);
    this.next += Math.ceil(bytes / LINE) * LINE;
    return array;
  }
}
