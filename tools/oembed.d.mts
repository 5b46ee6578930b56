// SPDX-License-Identifier: Apache-2.0
export type Heights = readonly (readonly [width: number, height: number])[];
export function heightAt(heights: Heights, width: number): number;
export function fitted<Answer extends object>(answer: Answer, query: { get(name: string): string | null }): Answer;
