// SPDX-License-Identifier: Apache-2.0
// What the small module of the efficient forms gives; bindings/efficient.h tells of the calls and their record.
type Form = 'features' | 'strided' | 'fixed' | 'blocks' | 'hashed' | 'mixed' | 'delta' | 'spans' | 'clusters'
  | 'landmarks';
type Calls = Record<`_fused_${Form}` | `_fused_${Form}_backward`, (record: number) => void>;
export interface EfficientModule extends Calls {
  readonly HEAPF32: Float32Array;
  readonly HEAP32: Int32Array;
  readonly wasmMemory: WebAssembly.Memory;
  _malloc(bytes: number): number;
  _free(address: number): void;
}
export default function create(options?: { locateFile?: () => string }): Promise<EfficientModule>;
