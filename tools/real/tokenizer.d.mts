// SPDX-License-Identifier: Apache-2.0
export declare function piecesOf(pieces: [string, number][], text: string): { piece: string; id: number }[];
