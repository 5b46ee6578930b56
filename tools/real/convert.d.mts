// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../../web/src/engine/types.ts';

export declare const METADATA: { title: string; source: string; license: string };
export declare function documentOf(): Doc & { parameters: { from: string } };
export declare function converted(): {
  weights: Uint8Array; single(): Uint8Array; tokenizer: string; licence: string; numbers: number;
} | undefined;
