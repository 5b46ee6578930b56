// SPDX-License-Identifier: Apache-2.0
import { littleEndian, npyHead } from '../src/files/npy.ts';

/** A whole .npy file of single precision. */
export const writeNpy = (shape: readonly number[], data: ArrayLike<number>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...npyHead(shape), ...littleEndian(data)]);
