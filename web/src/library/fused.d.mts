// SPDX-License-Identifier: Apache-2.0
// What the small module of the fast kernels gives; bindings/fused.h tells of the calls and their records.
export interface FusedModule {
  readonly HEAPF32: Float32Array;
  readonly HEAP32: Int32Array;
  readonly wasmMemory: WebAssembly.Memory;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _fused_attend(record: number, firstHead: number, lastHead: number, firstRow: number, lastRow: number): void;
  _fused_backward(record: number, firstHead: number, lastHead: number, firstRow: number, lastRow: number): void;
  _fused_row(record: number, head: number, row: number, weights: number): void;
  _fused_multi_head(record: number): void;
}
export default function create(options?: { locateFile?: () => string }): Promise<FusedModule>;
