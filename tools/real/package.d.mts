// SPDX-License-Identifier: Apache-2.0
export interface Model {
  licence: string;
  pieces: [string, number][];
  tensor(end: string, shape: number[]): Float32Array;
}
export declare function isInstalled(): boolean;
export declare function readPackage(): Model;
